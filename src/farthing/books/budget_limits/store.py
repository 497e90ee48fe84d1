"""Stores budget limits, and sums what was spent in their periods."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any

from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.schedule.periods import DayRange
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_ids
from farthing.storage.grains import HALVES, in_range, join_halves
from farthing.storage.unit import Unit, columns_of

from .model import BudgetLimit, BudgetLimitDraft

_LIMIT = f"""
SELECT l.id, l.budget_id, {columns_of(Currency, "c", "currency")}, l.units, l.start_on, l.end_on,
    l.notes, l.created_at, l.updated_at
FROM budget_limits l JOIN currencies c ON c.id = l.currency_id
"""
_LIMITS = Records[BudgetLimit, BudgetLimitDraft](
    BudgetLimit, "budget_limits", _LIMIT, alias="l.", order="l.start_on, l.id"
)
get, add, change, remove = _LIMITS.get, _LIMITS.add, _LIMITS.change, _LIMITS.remove
get_some = _LIMITS.get_some


def page(
    db: Unit, user_id: int, *, budget_id: int | None, within: tuple[date, date] | None, limit: int, offset: int
) -> tuple[int, list[BudgetLimit]]:
    """Lists limits in the order of their periods. With a range, lists only limits whose period overlaps the range."""
    conditions, chosen = [], dict[str, Any]()
    if budget_id is not None:
        conditions.append("l.budget_id = :budget_id")
        chosen |= {"budget_id": budget_id}
    if within:
        conditions.append("l.start_on <= :end AND l.end_on >= :start")
        chosen |= {"start": within[0].isoformat(), "end": within[1].isoformat()}
    return _LIMITS.page(db, user_id, " AND ".join(conditions), limit=limit, offset=offset, **chosen)


def find_overlapping(
    db: Unit, user_id: int, budget_id: int, currency_id: int, *, start: date, end: date, except_id: int
) -> BudgetLimit | None:
    """Finds the first limit of the budget in that currency that overlaps this period, except the limit `except_id`."""
    return db.struct(
        BudgetLimit,
        f"""
        {_LIMIT} WHERE l.user_id = :user_id AND l.budget_id = :budget_id AND l.currency_id = :currency_id
            AND l.start_on <= :end AND l.end_on >= :start AND l.id <> :id
        ORDER BY l.start_on LIMIT 1
        """,
        user_id=user_id,
        budget_id=budget_id,
        currency_id=currency_id,
        start=start.isoformat(),
        end=end.isoformat(),
        id=except_id,
    )


def first_overlap(db: Unit, user_id: int, ids: list[int]) -> tuple[int, int] | None:
    """Finds a limit among these ids that overlaps with another limit, and returns the ids of both."""
    sql = """
        SELECT a.id, b.id FROM budget_limits a
        JOIN budget_limits b ON b.user_id = a.user_id AND b.budget_id = a.budget_id AND b.currency_id = a.currency_id
            AND b.id <> a.id AND b.start_on <= a.end_on AND b.end_on >= a.start_on
        WHERE a.user_id = :user_id AND a.id IN :ids ORDER BY a.id, b.id LIMIT 1
    """
    row = db.one(sql, user_id=user_id, ids=ids)
    return (row[0], row[1]) if row else None


_SPENT = " UNION ALL ".join(
    f"""
    SELECT l.id, {HALVES.format(column="s.units")} FROM budget_limits l
    JOIN sums_of_budgets s ON s.user_id = l.user_id AND s.label_id = l.budget_id AND s.type = :withdrawal
        AND s.currency_id = l.currency_id AND {condition}
    WHERE l.user_id = :user_id AND l.id IN :ids GROUP BY l.id
    """
    for condition in in_range("s", "l.start_on", "l.end_on")
)


def sum_spent(db: Unit, user_id: int, limits: Sequence[BudgetLimit]) -> dict[int, int]:
    """Sums, for each limit, what was spent from its budget in its period and currency.

    Needs one query for all limits.
    """
    spent = {budget_limit.id: 0 for budget_limit in limits}
    for limit_id, high, low in db.all(_SPENT, user_id=user_id, ids=list(spent), withdrawal=int(Type.WITHDRAWAL)):
        spent[limit_id] += join_halves(high, low)
    return spent


_OF_MONTH = """
FROM budget_limits l JOIN budgets b ON b.user_id = l.user_id AND b.id = l.budget_id AND b.active = 1
WHERE l.user_id = :user_id AND l.start_on = :of_first AND l.end_on = :of_last
"""


def count_of_month(db: Unit, user_id: int, of: DayRange) -> int:
    """Counts the limits of active budgets whose period is exactly this month."""
    month = {"of_first": of.first.isoformat(), "of_last": of.last.isoformat()}
    return int(db.value(f"SELECT COUNT(*) {_OF_MONTH}", user_id=user_id, **month))


def find_in(db: Unit, user_id: int, budget_ids: list[int], currency_id: int, days: DayRange) -> list[BudgetLimit]:
    """Finds the limits of these budgets in one currency that have a day in the period."""
    return _LIMITS.find(
        db,
        user_id,
        "l.budget_id IN :ids AND l.currency_id = :currency_id AND l.start_on <= :last AND l.end_on >= :first",
        ids=budget_ids,
        currency_id=currency_id,
        first=days.first.isoformat(),
        last=days.last.isoformat(),
    )


def list_current(db: Unit, user_id: int, today: date) -> list[BudgetLimit]:
    """Lists the limits of active budgets whose period includes today."""
    where = """
        l.start_on <= :today AND l.end_on >= :today AND l.units > 0 AND EXISTS (
            SELECT 1 FROM budgets b WHERE b.user_id = l.user_id AND b.id = l.budget_id AND b.active = 1
        )
    """
    return _LIMITS.find(db, user_id, where, today=today.isoformat())


def list_periods(
    db: Unit, user_id: int, budget_ids: list[int], *, since: date
) -> dict[tuple[int, int], list[DayRange]]:
    """Lists the periods of limits that end on or after a day, by budget and currency."""
    sql = """
        SELECT budget_id, currency_id, start_on, end_on FROM budget_limits
        WHERE user_id = :user_id AND budget_id IN :ids AND end_on >= :since
    """
    periods: dict[tuple[int, int], list[DayRange]] = defaultdict(list)
    for budget_id, currency_id, first, last in db.all(sql, user_id=user_id, ids=budget_ids, since=since.isoformat()):
        periods[budget_id, currency_id].append(DayRange(date.fromisoformat(first), date.fromisoformat(last)))
    return periods


def add_all(db: Unit, user_id: int, drafts: Sequence[BudgetLimitDraft], now: str) -> list[int]:
    return changes.insert_all(db, "budget_limits", user_id, [_LIMITS.columns(draft) for draft in drafts], now)


def copy_month(db: Unit, user_id: int, of: DayRange, to: DayRange, now: str) -> int:
    """Copies the limits of a month to another month, and returns how many were copied.

    Skips a limit if its budget has a limit in the same currency that overlaps the target month.
    """
    ids = find_ids(
        db,
        f"""
        INSERT INTO budget_limits (user_id, budget_id, currency_id, units, start_on, end_on, created_at, updated_at)
        SELECT l.user_id, l.budget_id, l.currency_id, l.units, :first, :last, :now, :now {_OF_MONTH}
            AND NOT EXISTS (
                SELECT 1 FROM budget_limits o WHERE o.user_id = l.user_id AND o.budget_id = l.budget_id
                    AND o.currency_id = l.currency_id AND o.start_on <= :last AND o.end_on >= :first
            )
        ORDER BY l.id RETURNING id
        """,
        user_id=user_id,
        of_first=of.first.isoformat(),
        of_last=of.last.isoformat(),
        first=to.first.isoformat(),
        last=to.last.isoformat(),
        now=now,
    )
    changes.log_created(db, "budget_limits", sorted(ids))
    return len(ids)


def remove_of(db: Unit, user_id: int, budget_id: int) -> None:
    changes.delete(db, "budget_limits", user_id, "budget_id = :budget_id", budget_id=budget_id)
