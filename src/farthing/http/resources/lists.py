"""Builds the pages of lists."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Protocol, TypeVar

from ..answer.document import Thing
from ..answer.includes import Include, answer
from ..answer.pages import page, read_page_request
from ..request.call import Answer, Call


class Numbered(Protocol):
    @property
    def id(self) -> int: ...


T = TypeVar("T")
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
