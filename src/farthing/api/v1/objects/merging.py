"""Reads the target of a merge."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from farthing.http.request.call import Call
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import Id, RequestBody, parse_complete
from farthing.kernel.parsed import ensure
from farthing.storage.unit import Unit


class Mergeable(Protocol):
    @property
    def id(self) -> int: ...


T = TypeVar("T", bound=Mergeable)
REQUIRED = ("into_id",)


class MergeBody(RequestBody):
    """`into_id` is the object that stays and gets everything from the other."""

    into_id: Id | None = None


def find_target(call: Call, merged: T, get: Callable[[Unit, int, int], T | None], *, noun: str) -> T:
    values = parse_complete(MergeBody, call.fields, *REQUIRED)
    into = get(call.db, call.user_id, ensure(values.into_id))
    if into is None:
        refuse_field("into_id", f"The selected into id is invalid: there is no such {noun}.")
    if into.id == merged.id:
        refuse_field("into_id", f"A {noun} cannot be merged into itself: name another {noun}.")
    return into
