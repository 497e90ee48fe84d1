"""Books what a reader gives as the ledger would, by its rules, and compares the balances with the source's own."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind, Type
from farthing.moving.source_books import SourceAccount, SourceBooks, SourceSplit, SourceTransaction

OWN = ASSETS | LIABILITIES
EQUITY = {Kind.INITIAL_BALANCE, Kind.RECONCILIATION}
Postings = dict[tuple[str, str], list[tuple[date, Decimal]]]


def files(**contents: bytes | str) -> dict[str, BytesIO]:
    return {
        name.replace("__", "."): BytesIO(content.encode() if isinstance(content, str) else content)
        for name, content in contents.items()
    }


def prove(books: SourceBooks) -> None:
    """Every transaction keeps the ledger's rules, and every balance is the source's, to the last place."""
    accounts = {account.key: account for account in books.accounts}
    assert len(accounts) == len(books.accounts)
    transactions = list(books.transactions)
    assert len({one.key for one in transactions}) == len(transactions)
    _check_names(books, transactions)
    for one in transactions:
        check_rules(one, accounts)
    booked = book(books, transactions)
    held: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for moves in booked.values():
        moves.sort(reverse=True)
    for balance in sorted(books.balances, key=lambda one: one.on):
        key = (balance.account, balance.currency)
        moves = booked.get(key, [])
        while moves and moves[-1][0] <= balance.on:
            held[key] += moves.pop()[1]
        assert held[key] == balance.amount, (balance, held[key])
    proved = {one.account for one in books.balances}
    assert {key for key, _ in booked if accounts[key].kind not in EQUITY} <= proved | {"cash"}


def book(books: SourceBooks, transactions: list[SourceTransaction] | None = None) -> Postings:
    accounts = {account.key: account for account in books.accounts}
    booked: Postings = defaultdict(list)
    for one in books.transactions if transactions is None else transactions:
        for split in one.splits:
            _book(one.on, split, accounts, booked)
    return booked


def _check_names(books: SourceBooks, transactions: list[SourceTransaction]) -> None:
    codes = {one.code for one in books.currencies}
    for one in transactions:
        assert set(one.tags) <= set(books.tags)
        for split in one.splits:
            assert {split.currency, split.foreign_currency} <= codes | {None}
            assert split.category is None or split.category in books.categories
            assert split.budget is None or split.budget in {budget.name for budget in books.budgets}
    assert {one.budget for one in books.budget_limits} <= {one.key for one in books.budgets}
    assert all(one.amount > 0 and one.currency in codes for one in books.budget_limits)
    assert all(len(code) == 3 and code.isalnum() and code.isascii() and code == code.upper() for code in codes)


def check_rules(one: SourceTransaction, accounts: Mapping[str, SourceAccount]) -> None:
    assert one.splits
    assert one.description
    for split in one.splits:
        assert split.amount > 0
        assert split.foreign_amount is None or split.foreign_amount > 0
        assert split.source != split.destination
    sources, destinations = {one.source for one in one.splits}, {one.destination for one in one.splits}
    kinds = {(accounts[one.source].kind, accounts[one.destination].kind) for one in one.splits}
    if one.type in (Type.OPENING_BALANCE, Type.RECONCILIATION):
        assert len(one.splits) == 1
        assert all((a in OWN and b in EQUITY) or (a in EQUITY and b in OWN) for a, b in kinds), kinds
    elif all(b in (Kind.EXPENSE, Kind.CASH) for _, b in kinds):
        assert all(a in OWN for a, _ in kinds)
        assert len(sources) == 1
    elif all(a in (Kind.REVENUE, Kind.CASH) for a, _ in kinds):
        assert all(b in OWN for _, b in kinds)
        assert len(destinations) == 1
    else:
        assert all(a in OWN and b in OWN for a, b in kinds), kinds
        assert len(sources) == len(destinations) == 1


def _book(on: date, split: SourceSplit, accounts: Mapping[str, SourceAccount], booked: Postings) -> None:
    for key, sign in ((split.source, -1), (split.destination, 1)):
        amount, currency = split.amount, split.currency
        if split.foreign_amount and accounts[key].currency == split.foreign_currency != split.currency:
            amount, currency = split.foreign_amount, split.foreign_currency
        booked[key, currency].append((on, amount * sign))


def balance(books: SourceBooks, name: str, on: str, kind: Kind | None = None) -> dict[str, Decimal]:
    """What the transactions add up to, by currency."""
    accounts = {account.key: account for account in books.accounts}
    keys = {key for key, one in accounts.items() if one.name == name and kind in (None, one.kind)}
    assert keys, name
    booked: Postings = defaultdict(list)
    for one in books.transactions:
        if one.on <= date.fromisoformat(on):
            for split in one.splits:
                _book(one.on, split, accounts, booked)
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for (key, currency), moves in booked.items():
        if key in keys:
            sums[currency] += sum((amount for _, amount in moves), Decimal(0))
    return {currency: amount for currency, amount in sums.items() if amount}


def messages(books: SourceBooks) -> str:
    return "\n".join(f"{one.row}: {one.message}" for one in books.findings)


def flow(books: SourceBooks, number: int = 0) -> tuple[Any, ...]:
    """The splits of one transaction as (source, destination, amount, category)."""
    names = {account.key: account.name for account in books.accounts}
    one = list(books.transactions)[number]
    return tuple((names[s.source], names[s.destination], str(s.amount), s.category) for s in one.splits)
