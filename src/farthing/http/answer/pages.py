"""Pages of a list: which one is asked for, and the links to its neighbours."""

from typing import TypeVar
from urllib.parse import urlencode

from msgspec import UNSET, Struct

from farthing.identity.user import PAGE_SIZE_MAX

from ..request.call import Call
from ..request.public_address import API
from .document import Page, PageLinks, PageMeta, Pagination, Thing

A = TypeVar("A")
# Longer numbers are treated as page 1; shorter ones are answered as asked, even past the end.
_DIGITS_MAX = 30
_OFFSET_MAX = 2**62


class PageRequest(Struct, frozen=True):
    number: int
    size: int

    @property
    def offset(self) -> int:
        return min((self.number - 1) * self.size, _OFFSET_MAX)


def read_page_request(call: Call) -> PageRequest:
    """Invalid values mean page 1 and the user's page size; `limit` overrides it for one request, up to the maximum."""
    size = _positive(call.query.get("limit"))
    return PageRequest(
        number=_positive(call.query.get("page")) or 1,
        size=min(size, PAGE_SIZE_MAX) if size else call.caller.page_size,
    )


def _positive(text: str | None) -> int | None:
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
    """`parameters` are those of this list, after the days that every list knows; without any the `&` stays."""
    at = read_page_request(call)
    pages = max(1, -(-total // at.size))
    kept = {name: value for name, value in (_days_asked(call) | (parameters or {})).items() if value}
    if _positive(call.query.get("limit")):
        kept["limit"] = str(at.size)
    if call.query.get("include"):
        kept["include"] = call.query["include"]
    prefix = f"{call.base}{API}{path}?{urlencode(kept)}{'&' if kept else quirk}page="
    return Page(
        data=things,
        meta=PageMeta(Pagination(total, len(things), at.size, at.number, pages)),
        links=PageLinks(
            f"{prefix}{at.number}",
            f"{prefix}1",
            f"{prefix}{pages}",
            prev=f"{prefix}{at.number - 1}" if at.number > 1 else UNSET,
            next=f"{prefix}{at.number + 1}" if at.number < pages else UNSET,
        ),
    )


def _days_asked(call: Call) -> dict[str, str]:
    """The date parameters of a list, for its page links."""
    return {name: call.query.get(name, "") for name in ("start", "end", "date")}
