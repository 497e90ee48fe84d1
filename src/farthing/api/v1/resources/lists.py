"""Builds the objects on the pages of version 1."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from farthing.http.answer.document import Thing, thing
from farthing.http.request.call import Call
from farthing.http.resources.lists import Numbered, Things

N = TypeVar("N", bound=Numbered)
A = TypeVar("A")


def rename_fields(raw: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """Copies the fields of newer clients to our own names. If both are sent, ours takes precedence unless empty."""
    later = {names[name]: value for name, value in raw.items() if name in names}
    return later | {name: value for name, value in raw.items() if value not in (None, "")}


def make_thing(call: Call, kind: str, object_id: int, attributes: A) -> Thing[A]:
    """Builds one object of a response, with a relative URL made from its type and id."""
    return thing(call.base, kind, object_id, attributes, uri=f"/{kind}/{object_id}")


def things_without_uri(kind: str, show: Callable[[Call, N], Any]) -> Things[N]:
    """Returns a function that shows each object of a page, without a relative address."""

    def things(call: Call, objects: Sequence[N]) -> list[Thing[Any]]:
        return [thing(call.base, kind, stored.id, show(call, stored)) for stored in objects]

    return things
