"""Stores available budgets, and sums what was spent in their periods."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.schedule.periods import DayRange
from farthing.storage.change_log.records import Records, find_id
from farthing.storage.grains import HALVES, in_range, join_halves
from farthing.storage.unit import Unit, columns_of

from .model import AvailableBudget, AvailableBudgetDraft, AvailableSum, merge_periods

_AVAILABLE = f"""
SELECT a.id, {columns_of(Currency, "c", "currency")}, a.units, a.start_on, a.end_on, a.created_at, a.updated_at
FROM available_budgets a JOIN currencies c ON c.id = a.currency_id
"""
_BUDGETS = Records[AvailableBudget, AvailableBudgetDraft](
    AvailableBudget, "available_budgets", _AVAILABLE, alias="a.", order="a.id"
)
get, add, change, remove = _BUDGETS.get, _BUDGETS.add, _BUDGETS.change, _BUDGETS.remove
get_some = _BUDGETS.get_some


def page(
    db: Unit, user_id: int, *, within: tuple[date, date] | None, limit: int, offset: int
) -> tuple[int, list[AvailableBudget]]:
    """Lists available budgets. With a range, lists only those whose period is entirely within the range."""
    where = "a.start_on >= :start AND a.end_on <= :end" if within else ""
    days = {"start": within[0].isoformat(), "end": within[1].isoformat()} if within else {}
    return _BUDGETS.page(db, user_id, where, limit=limit, offset=offset, **days)


def sum_inside(db: Unit, user_id: int, start: date, end: date) -> dict[int, AvailableSum]:
    """Sums, by currency, the available budgets whose period is entirely within a range.

    Calculates the spending from daily sums, so that a day that is covered by several periods is counted only once.
    """
    sql = """
        SELECT currency_id, units, start_on, end_on FROM available_budgets
        WHERE user_id = :user_id AND start_on >= :start AND end_on <= :end
    """
    rows = db.all(sql, user_id=user_id, start=start.isoformat(), end=end.isoformat())
    units: dict[int, int] = defaultdict(int)
    periods: dict[int, list[DayRange]] = defaultdict(list)
    for currency_id, amount, start_on, end_on in rows:
        units[currency_id] += amount
        periods[currency_id].append(DayRange(date.fromisoformat(start_on), date.fromisoformat(end_on)))
    merged = {currency_id: merge_periods(of) for currency_id, of in sorted(periods.items())}
    spent = _sum_covered(db, user_id, merged) if merged else {}
    return {
        currency_id: AvailableSum(units=units[currency_id], spent=spent[currency_id], periods=of)
        for currency_id, of in merged.items()
    }


def _sum_covered(db: Unit, user_id: int, periods: Mapping[int, Sequence[DayRange]]) -> Mapping[int, int]:
    """Sums what was spent in the periods of each currency.

    The periods of a currency must be in order and not overlap.
    """
    rows = db.all(
        """
        SELECT currency_id, period, units FROM flows
        WHERE user_id = :user_id AND type = :withdrawal AND currency_id IN :ids AND grain = 'day'
            AND period >= :first AND period <= :last
        """,
        user_id=user_id,
        withdrawal=int(Type.WITHDRAWAL),
        ids=list(periods),
        first=min(of[0].first for of in periods.values()).isoformat(),
        last=max(of[-1].last for of in periods.values()).isoformat(),
    )
    firsts = {currency_id: [period.first.isoformat() for period in of] for currency_id, of in periods.items()}
    spent: dict[int, int] = defaultdict(int)
    for currency_id, day, units in rows:
        index = bisect_right(firsts[currency_id], day) - 1
        if index >= 0 and day <= periods[currency_id][index].last.isoformat():
            spent[currency_id] += units
    return spent


_SPENT, _IN_BUDGETS = (
    " UNION ALL ".join(
        f"""
        SELECT a.id, {HALVES.format(column="f.units")} FROM available_budgets a
        JOIN {sums} f ON f.user_id = a.user_id AND f.type = :withdrawal AND f.currency_id = a.currency_id
            AND {condition}
        WHERE a.user_id = :user_id AND a.id IN :ids GROUP BY a.id
        """
        for condition in in_range("f", "a.start_on", "a.end_on")
    )
    for sums in ("flows", "sums_of_budgets")
)


def sum_spent(
    db: Unit, user_id: int, budgets: Sequence[AvailableBudget], *, in_budgets: bool = False
) -> dict[int, int]:
    """Sums what was spent in the period and currency of each available budget, with one query.

    With `in_budgets`, sums only what has a budget.
    """
    ids = [budget.id for budget in budgets]
    spent = dict.fromkeys(ids, 0)
    sql = _IN_BUDGETS if in_budgets else _SPENT
    for budget_id, high, low in db.all(sql, user_id=user_id, ids=ids, withdrawal=int(Type.WITHDRAWAL)):
        spent[budget_id] += join_halves(high, low)
    return spent


def find_same(db: Unit, user_id: int, draft: AvailableBudgetDraft) -> int | None:
    sql = """
        SELECT id FROM available_budgets WHERE user_id = :user_id AND currency_id = :currency_id AND units = :units
            AND start_on = :start_on AND end_on = :end_on ORDER BY id LIMIT 1
    """
    return find_id(db, sql, user_id=user_id, **_BUDGETS.columns(draft))
