"""Produces long lists of transactions in a separate process, page by page."""

import sys
from datetime import date

import msgspec
from msgspec import Struct

from farthing.books.transactions.counts import Book, Days
from farthing.books.transactions.groups import OwnerBook
from farthing.http.request.call import Answer, Call, Produced
from farthing.identity.user import Caller
from farthing.kernel import config

# A longer list would block the server and take much of its memory.
AT_ONCE_MAX = 1000
_NEEDED = ("data", "database_url", "database_prepare")
_WORDS = (sys.executable, "-m", "farthing.api.v6.objects.write_long_list")


class LongList(Struct, frozen=True, kw_only=True):
    """Describes a list. It is passed on standard input because `settings` may contain passwords.

    Either `book` or `owner_book` is set.
    """

    settings: dict[str, str]
    caller: Caller
    now: str
    today: date
    base: str
    query: dict[str, str]
    path: str
    book: Book | None
    owner_book: OwnerBook | None
    days: Days


def produce(call: Call, path: str, book: Book | OwnerBook, days: Days) -> Answer:
    task = LongList(
        settings=config.reveal(call.settings, _NEEDED),
        caller=call.caller,
        now=call.now,
        today=call.today,
        base=call.base,
        query=dict(call.query),
        path=path,
        book=book if isinstance(book, Book) else None,
        owner_book=book if isinstance(book, OwnerBook) else None,
        days=days,
    )
    headers = (("content-type", "application/vnd.api+json"), ("cache-control", "private, no-store"))
    return Answer(None, headers=headers, produced=Produced(words=_WORDS, stdin=msgspec.json.encode(task)))
