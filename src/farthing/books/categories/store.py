"""Stores categories."""

from farthing.storage.unit import Row, Unit

from ..labels import store as labels
from .model import Category

_COLUMNS = "id, name, created_at, updated_at"


def _category(row: Row) -> Category:
    category_id, name, created_at, updated_at = row
    return Category(id=category_id, name=name, created_at=created_at, updated_at=updated_at)


def get(db: Unit, user_id: int, category_id: int) -> Category | None:
    row = labels.row(db, user_id, "categories", _COLUMNS, category_id)
    return _category(row) if row else None


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Category]]:
    total, rows = labels.page(db, user_id, "categories", _COLUMNS, limit=limit, offset=offset)
    return total, [_category(row) for row in rows]


def add(db: Unit, user_id: int, name: str, now: str) -> int:
    return labels.add(db, user_id, "categories", name, now)


def change(db: Unit, user_id: int, category_id: int, name: str, now: str) -> None:
    labels.change(db, user_id, "categories", category_id, name, now)
