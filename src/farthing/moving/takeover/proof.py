"""Proves that an import is complete: compares month-end balances in the source with those booked here."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import accumulate
from typing import Any

from farthing.books.transactions.model import KnownAccount
from farthing.kernel.money import Currency, as_text
from farthing.storage.unit import Unit

from ..source_books import SourceBalance, SourceBooks
from . import targets
from .fitting import round_to_units
from .targets import NO_ACCOUNT, list_keys

_DIFFERENCES_MAX = 500
# How many rows are listed for each difference, so that the report stays short.
_ROWS_MAX = 100
# How many balances the report lists. All balances are compared.
_BALANCES_MAX = 5000

# Sums, by month, what was booked on each account for the transactions of the source, by this or an earlier import.
# A transaction that the source contains twice is counted twice.
_BOOKED = """
WITH taken AS MATERIALIZED (
    SELECT entry_id, COUNT(*) AS times FROM import_rows
    WHERE user_id = :user_id AND account_id = :account_id AND key IN :keys GROUP BY entry_id
)
SELECT p.account_id, p.currency_id, substr(p.on_day, 1, 7) AS month, SUM(p.units * t.times)
FROM postings p JOIN taken t ON t.entry_id = p.entry_id
WHERE p.user_id = :user_id AND p.entry_id IN (SELECT entry_id FROM taken)
GROUP BY 1, 2, 3 ORDER BY 3
"""


def report(db: Unit, user_id: int, job_id: int, books: SourceBooks) -> dict[str, Any]:
    """Reports how many objects of each kind were imported, and whether the balances agree with those of the source."""
    currencies = targets.load_currencies(db, user_id, job_id)
    accounts = targets.load_accounts(db, user_id, job_id)
    booked = _sums(db, user_id, list_keys(books))
    rounded = _rounded_rows(books, currencies)
    compared, differences = 0, []
    table: list[dict[str, str]] = []
    for balance in books.balances:
        account, currency = accounts.get(balance.account), currencies.get(balance.currency.upper())
        if account is None or currency is None:
            continue
        compared += 1
        units = _balance(booked.get((account.id, currency.id), []), balance.on.isoformat()[:7])
        if compared <= _BALANCES_MAX:
            table.append(_tell(balance, account, currency, units))
        if units != balance.amount.scaleb(currency.places):
            rows = sorted(row for on, row in rounded.get(balance.account, ()) if on <= balance.on)
            told = _tell(balance, account, currency, units)
            difference = f"{Decimal(told['here']) - balance.amount:f}"
            more = {"account_id": account.id, "difference": difference, "rows": rows[:_ROWS_MAX]}
            differences.append(told | more)
    return {
        "program": books.program,
        "counts": targets.count(db, user_id, job_id, books),
        "balances_compared": compared,
        "balances_equal": compared - len(differences),
        "differences": differences[:_DIFFERENCES_MAX],
        "balances": table,
    }


def _rounded_rows(books: SourceBooks, currencies: Mapping[str, Currency]) -> dict[str, list[tuple[date, int]]]:
    """Returns, by account, the day and row of transactions with more decimal places than their currency has here."""
    by_account: dict[str, list[tuple[date, int]]] = defaultdict(list)
    for transaction in books.transactions:
        for split in transaction.splits:
            amounts = ((split.amount, split.currency), (split.foreign_amount, split.foreign_currency))
            if any(_is_too_fine(amount, currencies.get((code or "").upper())) for amount, code in amounts if amount):
                for account in (split.source, split.destination):
                    by_account[account].append((transaction.on, transaction.row or 0))
    return by_account


def _is_too_fine(amount: Decimal, currency: Currency | None) -> bool:
    return currency is not None and round_to_units(amount, currency)[1]


def _sums(db: Unit, user_id: int, keys: list[str]) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Returns the balance at the end of each month with transactions, by account and currency."""
    by_account: dict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    rows = db.all(_BOOKED, user_id=user_id, account_id=NO_ACCOUNT, keys=keys)
    for account_id, currency_id, month, units in rows:
        by_account[account_id, currency_id].append((month, int(units)))
    return {
        key: list(zip((month for month, _ in of), accumulate(units for _, units in of), strict=True))
        for key, of in by_account.items()
    }


def _balance(sums: Sequence[tuple[str, int]], month: str) -> int:
    """Returns the balance at the end of the month, which is that of the last month with transactions up to then."""
    return next((units for each, units in reversed(sums) if each <= month), 0)


def _tell(balance: SourceBalance, account: KnownAccount, currency: Currency, units: int) -> dict[str, str]:
    return {
        "account": account.name,
        "date": balance.on.isoformat(),
        "currency_code": currency.code,
        "source": f"{balance.amount:f}",
        "here": as_text(units, currency.places),
    }
