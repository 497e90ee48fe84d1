"""Declares the resources of version 6."""

from typing import TypeVar

from farthing.http.resources import resource
from farthing.http.resources.lists import Numbered

N = TypeVar("N", bound=Numbered)
D = TypeVar("D")


class Resource(resource.Resource[N, D], frozen=True, kw_only=True):
    package: str = "farthing.api.v6"
