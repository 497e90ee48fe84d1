"""Stores budgets."""

from collections.abc import Collection

from farthing.storage.unit import Row, Unit

from ..labels import store as labels
from .model import Budget, BudgetDraft, Carry

_COLUMNS = "id, name, active, carry, created_at, updated_at"


def _budget(row: Row) -> Budget:
    budget_id, name, active, carry, created_at, updated_at = row
    return Budget(
        id=budget_id,
        name=name,
        active=bool(active),
        carry=Carry(carry or Carry.NO),
        created_at=created_at,
        updated_at=updated_at,
    )


def get(db: Unit, user_id: int, budget_id: int) -> Budget | None:
    row = labels.row(db, user_id, "budgets", _COLUMNS, budget_id)
    return _budget(row) if row else None


def all_of(db: Unit, user_id: int, budget_ids: Collection[int]) -> list[Budget]:
    rows = db.all(
        f"SELECT {_COLUMNS} FROM budgets WHERE user_id = :user_id AND id IN :ids",
        user_id=user_id,
        ids=sorted(budget_ids),
    )
    return [_budget(row) for row in rows]


def every(db: Unit, user_id: int) -> list[Budget]:
    """Ordered by name."""
    rows = db.all(f"SELECT {_COLUMNS} FROM budgets WHERE user_id = :user_id ORDER BY name_fold", user_id=user_id)
    return [_budget(row) for row in rows]


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Budget]]:
    total, rows = labels.page(db, user_id, "budgets", _COLUMNS, limit=limit, offset=offset)
    return total, [_budget(row) for row in rows]


def add(db: Unit, user_id: int, draft: BudgetDraft, now: str) -> int:
    return labels.add(db, user_id, "budgets", draft.name, now, active=int(draft.active), carry=draft.carry.value)


def change(db: Unit, user_id: int, budget_id: int, draft: BudgetDraft, now: str) -> None:
    labels.change(db, user_id, "budgets", budget_id, draft.name, now, active=int(draft.active), carry=draft.carry.value)
