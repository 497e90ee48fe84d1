"""Stores budgets."""

from collections.abc import Collection, Mapping
from datetime import date

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.storage.change_log.records import Records, values_by_id
from farthing.storage.unit import Unit, columns_of

from .model import Budget, BudgetDraft

_BUDGET = f"""
SELECT b.id, b.name, b.active, COALESCE(b.carry, 'no') AS carry, b.auto_units,
    {columns_of(Currency, "c", "auto_currency")}, b.auto_period, b.auto_next_on, b.notes, b.position AS "order",
    b.created_at, b.updated_at
FROM budgets b LEFT JOIN currencies c ON c.id = b.auto_currency_id
"""
_BUDGETS, _IN_ORDER = (
    Records[Budget, BudgetDraft](Budget, "budgets", _BUDGET, alias="b.", order=order, elsewhere=["order"])
    for order in ("b.name_fold", "b.position, b.name_fold")
)
get, all_of, page = _BUDGETS.get, _BUDGETS.get_some, _BUDGETS.page
every, page_in_order, put_in_order = _IN_ORDER.find, _IN_ORDER.page, _IN_ORDER.put_in_order


def add(db: Unit, user_id: int, draft: BudgetDraft, now: str) -> int:
    """Adds a budget at the position that the draft requests, or last if it requests none."""
    budget_id = _BUDGETS.add_last(db, user_id, draft, now)
    _BUDGETS.move_to_order(db, user_id, budget_id, draft.order)
    return budget_id


def change(db: Unit, user_id: int, budget_id: int, draft: BudgetDraft, now: str) -> None:
    _BUDGETS.change(db, user_id, budget_id, draft, now)
    _BUDGETS.move_to_order(db, user_id, budget_id, draft.order)


class UserWithDueLimits(Struct, frozen=True):
    user_id: int
    timezone: str
    due_on: str


def find_waiting(db: Unit, day: date) -> list[UserWithDueLimits]:
    """Finds the users who have a budget whose next automatic limit is due on or before the day."""
    sql = """
        SELECT b.user_id, trim(z.data, '"') AS timezone, MIN(b.auto_next_on) AS due_on
        FROM budgets b JOIN preferences z ON z.user_id = b.user_id AND z.name = 'timezone'
        WHERE b.auto_next_on IS NOT NULL AND b.auto_next_on <= :day AND b.active = 1
        GROUP BY b.user_id, z.data ORDER BY b.user_id
    """
    return db.structs(UserWithDueLimits, sql, day=day.isoformat())


def find_due(db: Unit, user_id: int, today: date) -> list[Budget]:
    return _BUDGETS.find(db, user_id, "b.auto_next_on <= :today AND b.active = 1", today=today.isoformat())


def find_next_days(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, str | None]:
    return values_by_id(db, user_id, "budgets", "auto_next_on", ids)


def move_on(db: Unit, user_id: int, days: Mapping[int, str]) -> None:
    """Stores the first day without an automatic limit, unless a later day is stored. Undo does not revert this."""
    sql = """
        UPDATE budgets SET auto_next_on = :next WHERE user_id = :user_id AND id = :id AND auto_next_on < :until
    """
    db.many(sql, [(day, user_id, budget_id, day) for budget_id, day in days.items()])
