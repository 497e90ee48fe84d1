"""Builds the pages of lists, and the objects on them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Protocol, TypeVar

from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, answer
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call


class Numbered(Protocol):
    @property
    def id(self) -> int: ...


T = TypeVar("T")
N = TypeVar("N", bound=Numbered)
A = TypeVar("A")
Things = Callable[[Call, Sequence[T]], list[Thing[Any]]]


def answer_page(
    call: Call,
    path: str,
    load: Callable[..., tuple[int, Sequence[T]]],
    things: Things[T],
    includes: Mapping[str, Include] | None = None,
    parameters: dict[str, str] | None = None,
    *,
    quirk: str = "&",
    **filters: Any,
) -> Answer:
    """Answers with the requested page of the caller's objects.

    `parameters` are query parameters that the links to other pages repeat.
    """
    at = read_page_request(call)
    total, objects = load(call.db, call.user_id, limit=at.size, offset=at.offset, **filters)
    document = page(call, path, things(call, objects), total, parameters, quirk=quirk)
    return answer(call, document, objects, includes or {})


def read_within(call: Call) -> tuple[date, date] | None:
    """Returns the range of days to which a list is limited, or None unless both `start` and `end` were sent."""
    days = call.range()
    return (days.start, days.end) if days else None


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
