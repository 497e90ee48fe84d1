"""What does a request do to the plain books? Refuses what must be refused, and takes new ids from the answer."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from .books import (
    ASSET,
    CASH,
    EXPENSE,
    HELPERS,
    INITIAL,
    LOAN,
    OWN,
    RECONCILIATION,
    REVENUE,
    TODAY,
    Account,
    Books,
    Entry,
    Shown,
    Split,
    number,
    units,
)
from .requests import Request

KINDS = {"asset": ASSET, "liability": LOAN, "expense": EXPENSE, "revenue": REVENUE}
# The side of a transaction that may be made from a name, and as what.
MADE = {("withdrawal", "destination"): EXPENSE, ("deposit", "source"): REVENUE}
_NEW = 0


def seen(thing: Any) -> Shown:
    """An object of an answer, flat, with its tags in order."""
    attributes = thing["attributes"]
    tags = attributes.get("tags")
    return {"id": thing["id"], **attributes, "tags": sorted(tags.split(",")) if tags else []}


def same(expected: Shown, shown: Shown) -> None:
    different = {name: (value, shown.get(name)) for name, value in expected.items() if shown.get(name) != value}
    assert not different, f"expected and shown differ: {different}"


# Transactions


def _party(books: Books, type_: str, split: dict[str, Any], side: str) -> int | None:
    """The account that is meant, or that it will be made, or None for nobody who fits."""
    made, named, name = MADE.get((type_, side)), split.get(f"{side}_id"), split.get(f"{side}_name")
    kinds = {made, CASH} if made else OWN
    if named is not None:
        account = books.accounts.get(named)
        return named if account and account.kind in kinds else None
    if name is not None:
        return books.named(name, kinds) or (_NEW if made else None)
    return books.cash_id if made else None


def _refused(books: Books, type_: str, body: dict[str, Any]) -> bool:
    for split in body["transactions"]:
        source, destination = (_party(books, type_, split, side) for side in ("source", "destination"))
        if source is None or destination is None or source == destination or Decimal(split["amount"]) <= 0:
            return True
    return False


def _entry(books: Books, type_: str, body: dict[str, Any], things: list[Any]) -> None:
    """Writes it down under the ids that were answered, and compares all that was answered."""
    shown = [seen(thing) for thing in things]
    splits = [_split(books, type_, sent, got) for sent, got in zip(body["transactions"], shown, strict=True)]
    entry = Entry(
        id=shown[0]["journal_id"],
        type=type_.capitalize(),
        on=body["date"],
        description=body["description"],
        splits=tuple(splits),
        notes=body.get("notes"),
        tags=tuple(sorted(body.get("tags", []))),
    )
    books.put_entry(entry)
    _compare(books, entry, shown)


def _compare(books: Books, entry: Entry, shown: list[Shown], viewed_id: int = 0) -> None:
    for place, (split, got) in enumerate(zip(entry.splits, shown, strict=True)):
        same(books.shown_line((entry, place, split), viewed_id), got)


def _split(books: Books, type_: str, sent: dict[str, Any], got: Shown) -> Split:
    ids = {side: _party(books, type_, sent, side) for side in ("source", "destination")}
    own = next(books.accounts[one] for one in ids.values() if one)
    for side, one in ids.items():
        if one == _NEW:
            account = Account(got[f"{side}_id"], MADE[type_, side], sent[f"{side}_name"], own.currency)
            books.put_account(account)
            ids[side] = account.id
    code, foreign = sent["currency_code"], sent.get("foreign_amount")
    other = sent.get("foreign_currency_code", "")
    return Split(
        id=int(got["id"]),
        source_id=ids["source"] or 0,
        destination_id=ids["destination"] or 0,
        amount=(units(sent["amount"], code), code),
        foreign=(units(foreign, other), other) if foreign else None,
        description=sent.get("description"),
        reconciled=sent.get("reconciled", False),
        category=books.label("categories", sent.get("category_name")),
        budget=books.label("budgets", sent.get("budget_name")) if type_ == "withdrawal" else None,
    )


def _recording(books: Books, request: Request) -> int | None:
    return 422 if _refused(books, request.body["type"], request.body) else None


def _record(books: Books, request: Request, answer: Any) -> None:
    _entry(books, request.body["type"], request.body, answer["data"])


def _recording_many(books: Books, request: Request) -> int | None:
    wrong = any(_refused(books, body["type"], body) for body in request.body["transactions"])
    return 422 if wrong and "partial" not in request.query else None


def _record_many(books: Books, request: Request, answer: Any) -> None:
    """All of them are judged by the books as they were before the first."""
    bodies, results = request.body["transactions"], answer["data"]
    refused = [_refused(books, body["type"], body) for body in bodies]
    assert [result["status"] == 422 for result in results] == refused
    assert answer["meta"]["recorded"] == refused.count(False)
    for body, result in zip(bodies, results, strict=True):
        if result["status"] == 200:
            _entry(books, body["type"], body, result["data"])


def _changing(books: Books, request: Request) -> int | None:
    if request.target not in books.entry_of:
        return 404
    type_ = books.entries[books.entry_of[request.target]].type.lower()
    everyday = type_ in ("withdrawal", "deposit", "transfer")
    return None if everyday and not _refused(books, type_, request.body) else 422


def _change(books: Books, request: Request, answer: Any) -> None:
    kept = books.entries[books.entry_of[request.target]]
    assert answer["data"][0]["attributes"]["journal_id"] == kept.id
    _entry(books, kept.type.lower(), request.body, answer["data"])


def _removing(books: Books, request: Request) -> int | None:
    return None if request.target in books.entry_of else 404


def _remove(books: Books, request: Request, _answer: Any) -> None:
    books.drop_entry(books.entry_of[request.target])


# Accounts


def _number_taken(books: Books, request: Request) -> bool:
    wanted = request.body.get("account_number")
    return any(one.number == wanted and one.id != request.target for one in books.accounts.values() if wanted)


def _opening_account(books: Books, request: Request) -> int | None:
    return 422 if _number_taken(books, request) else None


def _open_account(books: Books, request: Request, answer: Any) -> None:
    word = request.body["type"]
    body = request.body if word in ("asset", "liability") else {**request.body, "virtual_balance": "0"}
    _write_account(books, int(answer["data"]["id"]), KINDS[word], body, answer)


def _changing_account(books: Books, request: Request) -> int | None:
    if request.target not in books.accounts:
        return 404
    return 422 if _number_taken(books, request) else None


def _change_account(books: Books, request: Request, answer: Any) -> None:
    assert answer["data"]["id"] == str(request.target)
    _write_account(books, request.target, books.accounts[request.target].kind, request.body, answer)


def _write_account(books: Books, account_id: int, kind: str, body: dict[str, Any], answer: Any) -> None:
    code = body["currency_code"]
    account = Account(
        account_id, kind, body["name"], code, active=body["active"], number=body.get("account_number"),
        virtual=units(body.get("virtual_balance", "0"), code),
    )  # fmt: skip
    books.put_account(account)
    for helper_kind in HELPERS:
        if helper := books.helper_of(account_id, helper_kind):
            books.put_account(_helper(account, helper.id, helper_kind))
    _write_opening(books, account, body, answer)
    same(books.shown_account(account, books.held(TODAY), TODAY), seen(answer["data"]))


def _helper(account: Account, helper_id: int, kind: str) -> Account:
    """It is named after its account, and reckons in its currency."""
    return Account(helper_id, kind, f"{account.name} ({HELPERS[kind]})", account.currency, helps=account.id)


def _write_opening(books: Books, account: Account, body: dict[str, Any], answer: Any) -> None:
    """An opening balance that is left out is taken away."""
    kept = books.opening_of(account.id)
    amount = units(body.get("opening_balance", "0"), account.currency)
    amount -= units(body.get("liability_amount", "0"), account.currency)
    if not amount:
        if kept:
            books.drop_entry(kept.id)
        return
    on = body.get("opening_balance_date") or body["liability_start_date"]
    included = [seen(thing) for thing in answer["included"] if thing["type"] == "transactions"]
    [got] = [one for one in included if one["type"] == "Opening balance"]
    _between_helper(books, account, INITIAL, amount, on, got, kept.id if kept else got["journal_id"])


def _between_helper(books: Books, account: Account, kind: str, amount: int, on: str, got: Shown, entry_id: int) -> None:
    """Books an amount that comes from the account's helper, or goes there."""
    inwards = amount > 0
    kept = books.helper_of(account.id, kind)
    helper_id = kept.id if kept else got["source_id" if inwards else "destination_id"]
    books.put_account(_helper(account, helper_id, kind))
    source_id, destination_id = (helper_id, account.id) if inwards else (account.id, helper_id)
    money = abs(amount), account.currency
    opens = kind == INITIAL
    split = Split(int(got["id"]), source_id, destination_id, money, reconciled=not opens)
    type_, words = ("Opening balance", "Initial balance") if opens else ("Reconciliation", "Reconciliation")
    entry = Entry(entry_id, type_, on, f"{words} of {account.name}", (split,), opens=account.id if opens else None)
    books.put_entry(entry)
    _compare(books, entry, [got], account.id)


def _closing_account(books: Books, request: Request) -> int | None:
    account = books.accounts.get(request.target)
    return 404 if account is None else 422 if account.kind == CASH else None


def _close_account(books: Books, request: Request, _answer: Any) -> None:
    books.drop_account(request.target)


def _reconciling(books: Books, request: Request) -> int | None:
    account = books.accounts.get(request.target)
    if account is None:
        return 404
    marked = [books.entries.get(books.entry_of.get(one, 0)) for one in request.body["transactions"]]
    fitting = all(
        entry and entry.on <= request.body["date"] and _is_on(entry, split_id, account.id)
        for entry, split_id in zip(marked, request.body["transactions"], strict=True)
    )
    return None if account.kind in OWN and fitting else 422


def _is_on(entry: Entry, split_id: int, account_id: int) -> bool:
    [split] = [one for one in entry.splits if one.id == split_id]
    return account_id in (split.source_id, split.destination_id)


def _reconcile(books: Books, request: Request, answer: Any) -> None:
    """The statement's balance becomes that of what is marked; what differs is booked."""
    account, on, got = books.accounts[request.target], request.body["date"], answer["data"]
    for entry_id in {books.entry_of[one] for one in request.body["transactions"]}:
        entry = books.entries[entry_id]
        splits = (replace(one, reconciled=one.reconciled or _named(one, request)) for one in entry.splits)
        books.entries[entry_id] = replace(entry, splits=tuple(splits))
    key, statement = (account.id, account.currency), units(request.body["statement_balance"], account.currency)
    difference = statement - books.held(on, settled=True)[key]
    if difference:
        booked = seen(got["booked"])
        _between_helper(books, account, RECONCILIATION, difference, on, booked, booked["journal_id"])
    assert got["balance"] == number(books.held(on)[key], account.currency)
    assert got["reconciled_balance"] == number(statement, account.currency)


def _named(split: Split, request: Request) -> bool:
    return split.id in request.body["transactions"]


Refusing = Callable[[Books, Request], int | None]
Performing = Callable[[Books, Request, Any], None]

# By the name of the request: the status with which the books refuse it, and what it does otherwise.
RULES: dict[str, tuple[Refusing, Performing]] = {
    "record": (_recording, _record),
    "record many": (_recording_many, _record_many),
    "change": (_changing, _change),
    "remove": (_removing, _remove),
    "open account": (_opening_account, _open_account),
    "change account": (_changing_account, _change_account),
    "close account": (_closing_account, _close_account),
    "reconcile": (_reconciling, _reconcile),
}
