"""What must a question be answered? The plain books are asked the same, and every row must be the same."""

from collections.abc import Callable
from typing import Any

from .books import CASH, EXPENSE, HELPERS, LOAN, OWN, REVENUE, TODAY, Books, Shown, words
from .requests import Request
from .writes import same, seen

ACCOUNT_TYPES = {
    "asset": OWN - {LOAN},
    "liability": {LOAN},
    "expense": {EXPENSE},
    "revenue": {REVENUE},
    "cash": {CASH},
    "hidden": set(HELPERS),
}
_EVERYDAY = {"Withdrawal", "Deposit", "Transfer"}
_SPECIAL = {"Opening balance", "Reconciliation"}
TYPES = {"default": _EVERYDAY, "special": _SPECIAL, "all": _EVERYDAY | _SPECIAL} | {
    one.lower(): {one} for one in _EVERYDAY
}


def _always(_books: Books, _request: Request) -> None:
    return None


def _of_account(books: Books, request: Request) -> int | None:
    return None if request.target in books.accounts else 404


def _of_split(books: Books, request: Request) -> int | None:
    return None if request.target in books.entry_of else 404


def _same_page(rows: list[Shown], request: Request, answer: Any, *, pages_of: int | None = None) -> None:
    """Rows are cut into pages here; whoever has cut them already says how many there were."""
    if pages_of is None:
        size, page = int(request.query.get("limit", 50)), int(request.query.get("page", 1))
        rows, pages_of = rows[(page - 1) * size : page * size], len(rows)
    assert answer["meta"]["pagination"]["total"] == pages_of, f"{pages_of} expected in all"
    assert len(answer["data"]) == len(rows), f"{len(rows)} rows expected"
    for row, thing in zip(rows, answer["data"], strict=True):
        same(row, seen(thing))


def _listed(books: Books, request: Request, answer: Any) -> None:
    query, account_id = request.query, request.target
    types = TYPES[query.get("type") or ("all" if account_id else "default")]
    chosen = [
        line
        for line in books.lines(start=query.get("start", ""), end=query.get("end", "9999"))
        if line[0].type in types and (not account_id or account_id in (line[2].source_id, line[2].destination_id))
    ]
    _same_page([books.shown_line(line, account_id) for line in chosen], request, answer)


def _shown(books: Books, request: Request, answer: Any) -> None:
    entry = books.entries[books.entry_of[request.target]]
    rows = [books.shown_line((entry, place, split)) for place, split in enumerate(entry.splits)]
    assert len(answer["data"]) == len(rows), f"{len(rows)} splits expected"
    for row, thing in zip(rows, answer["data"], strict=True):
        same(row, seen(thing))


def _found(books: Books, request: Request, answer: Any) -> None:
    """Pages count transactions; each brings all of its splits."""
    sought = words(request.query["query"])
    matching = [entry.id for entry in books.entries.values() if sought <= books.words_of(entry)]
    matching.sort(key=lambda one: (books.entries[one].on, one), reverse=True)
    size, page = int(request.query["limit"]), int(request.query.get("page", 1))
    on_page = set(matching[(page - 1) * size : page * size])
    rows = [books.shown_line(line) for line in books.lines() if line[0].id in on_page]
    _same_page(rows, request, answer, pages_of=len(matching))


def _accounts_listed(books: Books, request: Request, answer: Any) -> None:
    on, kinds = request.query.get("date", TODAY), ACCOUNT_TYPES.get(request.query.get("type", ""))
    chosen = [one for one in books.accounts.values() if kinds is None or one.kind in kinds]
    chosen.sort(key=lambda one: (one.name.lower(), one.id))
    held = books.held(on)
    _same_page([books.shown_account(one, held, on) for one in chosen], request, answer)


def _account_shown(books: Books, request: Request, answer: Any) -> None:
    on = request.query.get("date", TODAY)
    same(books.shown_account(books.accounts[request.target], books.held(on), on), seen(answer["data"]))


Refusing = Callable[[Books, Request], int | None]
Comparing = Callable[[Books, Request, Any], None]

RULES: dict[str, tuple[Refusing, Comparing]] = {
    "list": (_always, _listed),
    "show": (_of_split, _shown),
    "search": (_always, _found),
    "list accounts": (_always, _accounts_listed),
    "show account": (_of_account, _account_shown),
    "list of account": (_of_account, _listed),
}
