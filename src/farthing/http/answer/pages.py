"""Reads which page of a list a request asks for, and adds links to the other pages."""

from typing import TypeVar
from urllib.parse import urlencode

from msgspec import UNSET, Struct

from farthing.identity.user import PAGE_SIZE_MAX, ApiVersion

from ..request.call import Call
from ..request.public_address import API
from .document import Page, PageLinks, PageMeta, Pagination, Thing

A = TypeVar("A")
# A page number with more digits means page 1. Any other number is taken literally, even past the last page.
_DIGITS_MAX = 30
_OFFSET_MAX = 2**62
# Clients of version 6 send huge numbers for "all", and never ask for a second page.
SIZE_MAX = {ApiVersion.V1: PAGE_SIZE_MAX, ApiVersion.V6: 2**31 - 1}


class PageRequest(Struct, frozen=True):
    number: int
    size: int

    @property
    def offset(self) -> int:
        return min((self.number - 1) * self.size, _OFFSET_MAX)


def read_page_request(call: Call) -> PageRequest:
    """Reads `page` and `limit`. If omitted or invalid, they default to page 1 and to the user's page size."""
    size = read_positive(call.query.get("limit"))
    return PageRequest(
        number=read_positive(call.query.get("page")) or 1,
        size=min(size, SIZE_MAX[call.api_version]) if size else call.caller.page_size,
    )


def read_positive(text: str | None) -> int | None:
    text = (text or "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX):
        return None
    return int(text) or None


def page(
    call: Call,
    path: str,
    things: list[Thing[A]],
    total: int,
    parameters: dict[str, str] | None = None,
    *,
    quirk: str = "&",
) -> Page[Thing[A]]:
    """Wraps one page of a list.

    The links to other pages repeat `start`, `end` and `date` of the query, followed by `parameters`. If a link has no
    parameter besides `page`, then `quirk` is written before `page`.
    """
    request = read_page_request(call)
    pages = max(1, -(-total // request.size))
    days = {name: call.query.get(name, "") for name in ("start", "end", "date")}
    query = {name: value for name, value in (days | (parameters or {})).items() if value}
    if read_positive(call.query.get("limit")):
        query["limit"] = str(request.size)
    if call.query.get("include"):
        query["include"] = call.query["include"]
    prefix = f"{call.base}{API}{path}?{urlencode(query)}{'&' if query else quirk}page="
    return Page(
        data=things,
        meta=PageMeta(Pagination(total, len(things), request.size, request.number, pages)),
        links=PageLinks(
            f"{prefix}{request.number}",
            f"{prefix}1",
            f"{prefix}{pages}",
            prev=f"{prefix}{request.number - 1}" if request.number > 1 else UNSET,
            next=f"{prefix}{request.number + 1}" if request.number < pages else UNSET,
        ),
    )
