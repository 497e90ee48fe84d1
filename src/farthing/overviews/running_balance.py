"""Computes the balance of an account after each of its transactions."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.storage.unit import Unit


def balances_after(db: Unit, user_id: int, account: Account, days: Collection[str]) -> dict[int, int]:
    """Maps each split on the given days to the account's balance right after that split.

    Balances are in the account's currency and include its virtual balance. Reads only the splits of the given days and
    the stored sums from the first to the last of these days, never the whole history.
    """
    if not days:
        return {}
    first, last = min(days), max(days)
    of_account = {"id": account.id, "currency_id": account.currency.id}
    moved: dict[str, int] = dict(db.all(_MOVED, user_id=user_id, **of_account, first=first, last=last))
    effects = _effects(db, user_id, account, days)
    closing, _ = accounts.read_balance_on(db, user_id, account, date.fromisoformat(last))
    closing += account.virtual_units
    after = {}
    for day in sorted(moved.keys() | effects.keys(), reverse=True):
        balance = closing
        for split_id, effect in effects.get(day, ()):
            after[split_id] = balance
            balance -= effect
        closing -= moved.get(day, 0)
    return after


_MOVED = """
SELECT period, units FROM balances
WHERE user_id = :user_id AND account_id = :id AND currency_id = :currency_id
    AND grain = 'day' AND period >= :first AND period <= :last
"""
_EFFECTS = """
SELECT split_id, on_day, entry_id, position, CASE currency_id WHEN :currency_id THEN units ELSE 0 END FROM postings
WHERE user_id = :user_id AND account_id = :id AND on_day IN :days
"""


def _effects(db: Unit, user_id: int, account: Account, days: Collection[str]) -> dict[str, list[tuple[int, int]]]:
    """Maps each day to its splits, newest first, with the units that each split adds to the account."""
    of_account = {"id": account.id, "currency_id": account.currency.id}
    rows: list[Any] = db.all(_EFFECTS, user_id=user_id, **of_account, days=sorted(days))
    by_day: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for split_id, day, _, _, effect in sorted(rows, key=lambda row: (-row[2], row[3])):
        by_day[day].append((split_id, effect))
    return by_day
