"""Answers pages and single objects, with what they include."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.answer.includes import Include, answer
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call

T = TypeVar("T")
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
    """Loads the requested page of the caller's objects. `parameters` of the query appear in the links of the page."""
    at = read_page_request(call)
    total, objects = load(call.db, call.user_id, limit=at.size, offset=at.offset, **filters)
    document = page(call, path, things(call, objects), total, parameters, quirk=quirk)
    return answer(call, document, objects, includes or {})


def answer_one(call: Call, stored: T, things: Things[T], includes: Mapping[str, Include]) -> Answer:
    return answer(call, Item(things(call, [stored])[0]), [stored], includes)


def make_thing(call: Call, kind: str, object_id: int, attributes: A) -> Thing[A]:
    """Makes the object, with a relative address of its kind and id."""
    return thing(call.base, kind, object_id, attributes, uri=f"/{kind}/{object_id}")
