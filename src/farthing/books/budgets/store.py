"""Stores budgets."""

from collections.abc import Collection

from farthing.storage.unit import Unit

from ..labels import store as labels
from .model import Budget, BudgetDraft

_COLUMNS = "id, name, active, COALESCE(carry, 'no') AS carry, created_at, updated_at"


def get(db: Unit, user_id: int, budget_id: int) -> Budget | None:
    return labels.get(db, user_id, "budgets", Budget, _COLUMNS, budget_id)


def all_of(db: Unit, user_id: int, budget_ids: Collection[int]) -> list[Budget]:
    sql = f"SELECT {_COLUMNS} FROM budgets WHERE user_id = :user_id AND id IN :ids"
    return db.structs(Budget, sql, user_id=user_id, ids=sorted(budget_ids))


def every(db: Unit, user_id: int) -> list[Budget]:
    """Lists all budgets by name."""
    sql = f"SELECT {_COLUMNS} FROM budgets WHERE user_id = :user_id ORDER BY name_fold"
    return db.structs(Budget, sql, user_id=user_id)


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Budget]]:
    return labels.page(db, user_id, "budgets", Budget, _COLUMNS, limit=limit, offset=offset)


def add(db: Unit, user_id: int, draft: BudgetDraft, now: str) -> int:
    return labels.add(db, user_id, "budgets", draft.name, now, active=int(draft.active), carry=draft.carry.value)


def change(db: Unit, user_id: int, budget_id: int, draft: BudgetDraft, now: str) -> None:
    labels.change(db, user_id, "budgets", budget_id, draft.name, now, active=int(draft.active), carry=draft.carry.value)
