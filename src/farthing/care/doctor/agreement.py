"""Finds out in one pass over the splits which stored sums disagree with them.

Each stored row has a random weight. The stored figures, each times its weight, and the splits, each times the weights
of the rows that it counts in, add up to the same number if every row is right. If any is wrong they differ, but for a
chance of one in 2^60. Nothing is sorted, grouped or held in memory; which row it is, the checks themselves find out.
"""

import secrets
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from farthing.books.transactions.sums import COUNTS
from farthing.ledger.balance import periods
from farthing.ledger.kinds import Type
from farthing.storage.unit import Row, Unit

from .checks.balances import ARRIVED, ARRIVED_CURRENCY, LEFT, LEFT_CURRENCY
from .checks.finding import Person
from .checks.tried import try_quickly

_BITS = 60
_WITHDRAWAL, _DEPOSIT = int(Type.WITHDRAWAL), int(Type.DEPOSIT)
# Stored rows: what they are the sum of, their period, and two figures.
_STORED = {
    "balances": "SELECT account_id, currency_id, grain, period, units, reconciled FROM balances",
    "net_worth": "SELECT currency_id, grain, period, units, 0 FROM net_worth",
    "flows": "SELECT type, currency_id, grain, period, units, 0 FROM flows",
    **{
        table: f"SELECT label_id, type, currency_id, grain, period, units, splits FROM {table}"
        for table in ("sums_of_accounts", "sums_of_categories", "sums_of_budgets")
    },
}
SUMS = frozenset(_STORED)
_SPLITS = f"""
SELECT on_day, type, source_id, destination_id, {LEFT_CURRENCY}, {LEFT}, {ARRIVED_CURRENCY}, {ARRIVED},
    CASE WHEN reconciled = 1 OR type = {int(Type.OPENING_BALANCE)} THEN 1 ELSE 0 END, category_id, budget_id, refund
FROM splits WHERE user_id = :user_id ORDER BY entry_id
"""


def find_drifted(db: Unit, person: Person) -> frozenset[str]:
    """The tables of SUMS that need a closer look."""
    return try_quickly(db, lambda: frozenset(_compare(db, person)), SUMS)


def _compare(db: Unit, person: Person) -> Iterator[str]:
    scales = Scales()
    counting = db.all(f"SELECT a.id FROM accounts a WHERE a.user_id = :user_id AND {COUNTS}", user_id=person.id)
    made = scales.weigh_splits(
        db.stream(_SPLITS, user_id=person.id), person.exchange_id, frozenset(one for (one,) in counting)
    )
    for table, stored in _STORED.items():
        if (
            scales.weigh_stored(table, db.stream(f"{stored} WHERE user_id = :user_id", user_id=person.id))
            != made[table]
        ):
            yield table
    if person.exchange_id is None:
        yield "balances"  # they may agree, and yet not add up to zero


class _Weights(dict[Any, int]):
    """A random number for each key, the same whenever it is asked for."""

    def __missing__(self, key: Any) -> int:
        self[key] = weight = secrets.randbits(_BITS)
        return weight


class _Days(dict[str, int]):
    """The weight of a day is that of its three periods together, because it is summed three times."""

    def __init__(self, weights: _Weights) -> None:
        self._weights = weights

    def __missing__(self, day: str) -> int:
        self[day] = weight = sum(self._weights[period] for period in periods(day))
        return weight


class Scales:
    """The weight of a row is that of what it is the sum of, times that of its period."""

    def __init__(self) -> None:
        self._objects = {table: _Weights() for table in _STORED}
        self._periods = _Weights()
        self._days = _Days(self._periods)
        # Makes one figure of two.
        self._second = secrets.randbits(_BITS)

    def weigh_stored(self, table: str, rows: Iterable[Row]) -> int:
        objects, times, second = self._objects[table], self._periods, self._second
        return sum(objects[row[:-4]] * times[row[-4:-2]] * (row[-2] + second * row[-1]) for row in rows)

    def weigh_splits(self, rows: Iterable[Row], exchange_id: int | None, counting: frozenset[int]) -> dict[str, int]:
        """Splits of one day mostly follow each other, so that its weight is multiplied once for all."""
        totals = [0] * len(_STORED)
        for on, group in groupby(rows, key=itemgetter(0)):
            day = self._days[on]
            of_day = self._weigh_day(group, exchange_id, counting)
            totals = [total + day * one for total, one in zip(totals, of_day, strict=True)]
        return dict(zip(_STORED, totals, strict=True))

    def _weigh_day(self, rows: Iterable[Row], exchange_id: int | None, counting: frozenset[int]) -> tuple[int, ...]:
        """One loop without calls, because it runs for each of a million splits."""
        balances, worths, flows, accounts, categories, budgets = self._objects.values()
        second = self._second
        settled_too = 1 + second
        balance = worth = flow = account = category = budget = 0
        for (
            _on, type_, source_id, destination_id, left_in, left, arrived_in, arrived, is_settled, category_id,
            budget_id, is_refund,
        ) in rows:  # fmt: skip
            posted = balances[destination_id, arrived_in] * arrived - balances[source_id, left_in] * left
            if left_in != arrived_in and exchange_id is not None:
                posted += balances[exchange_id, left_in] * left - balances[exchange_id, arrived_in] * arrived
            balance += posted * settled_too if is_settled else posted
            if source_id in counting:
                worth -= worths[left_in,] * left
            if destination_id in counting:
                worth += worths[arrived_in,] * arrived
            currency_id = arrived_in if type_ == _DEPOSIT else left_in
            units = 0
            if type_ == _WITHDRAWAL:
                units = left
            elif type_ == _DEPOSIT and not is_refund:
                units = arrived
            flow += flows[type_, currency_id] * units
            figures = units + second
            of_source, of_destination = (source_id, type_, currency_id), (destination_id, type_, currency_id)
            account += figures * (accounts[of_source] + accounts[of_destination])
            if category_id is not None:
                category += figures * categories[category_id, type_, currency_id]
            if budget_id is not None:
                budget += figures * budgets[budget_id, type_, currency_id]
            if is_refund:  # also lowers what was spent
                spent = _WITHDRAWAL, arrived_in
                flow -= arrived * flows[spent]
                account -= arrived * (accounts[source_id, *spent] + accounts[destination_id, *spent])
                category -= arrived * categories[category_id, *spent] if category_id is not None else 0
                budget -= arrived * budgets[budget_id, *spent] if budget_id is not None else 0
        return balance, worth, flow, account, category, budget
