"""Wraps objects and lists for version 6."""

from typing import Any, TypeVar

from farthing.http.answer.document import Item, ObjectLinks, Page, SelfUri, Thing
from farthing.http.answer.pages import SIZE_MAX, page
from farthing.http.request.call import Answer, Call
from farthing.http.request.public_address import API

A = TypeVar("A")


def make_thing(call: Call, kind: str, object_id: int, attributes: A, *, at: str | None = None) -> Thing[A]:
    """Wraps one object. `at` is its address within the API, if that does not consist of its type and its id."""
    address = at or f"/{kind.replace('_', '-')}/{object_id}"
    links = ObjectLinks(f"{call.base}{API}{address}", SelfUri("self", address))
    return Thing(kind, str(object_id), attributes, links)


def answer_one(thing: Thing[Any]) -> Answer:
    return Answer(Item(thing))


def ask_for_all(call: Call) -> None:
    """Puts the whole list on one page unless the query has a `limit`, for lists of which clients ask only one page."""
    call.query = {"limit": str(SIZE_MAX[call.api_version]), **call.query}


def answer_page(
    call: Call, path: str, things: list[Thing[Any]], total: int, parameters: dict[str, str] | None = None
) -> Answer:
    """Answers with a page. The links to other pages repeat `parameters`."""
    document: Page[Any] = page(call, path, things, total, parameters)
    return Answer(document)
