"""Stores categories."""

from collections.abc import Collection

from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_ids
from farthing.storage.unit import Answer, Row, Unit

from ..labels import store as labels
from .model import Category, CategoryDraft

_CATEGORY = "SELECT id, name, parent_id, budget_id, colour, icon, notes, created_at, updated_at FROM categories"
_CATEGORIES = Records[Category, CategoryDraft](Category, "categories", _CATEGORY, order="name_fold")
get, get_some, add, change = _CATEGORIES.get, _CATEGORIES.get_some, _CATEGORIES.add, _CATEGORIES.change


def page(db: Unit, user_id: int, *, limit: int, offset: int, unused: bool = False) -> tuple[int, list[Category]]:
    condition = labels.unused("categories") if unused else ""
    return _CATEGORIES.page(db, user_id, condition, limit=limit, offset=offset)


def has_children(db: Unit, user_id: int, category_id: int) -> bool:
    sql = "SELECT 1 FROM categories WHERE user_id = :user_id AND parent_id = :id LIMIT 1"
    return bool(db.value(sql, user_id=user_id, id=category_id))


def find_children(db: Unit, user_id: int, category_id: int) -> list[int]:
    sql = "SELECT id FROM categories WHERE user_id = :user_id AND parent_id = :id ORDER BY id"
    return find_ids(db, sql, user_id=user_id, id=category_id)


def find_nested(db: Unit, user_id: int, ids: Collection[int]) -> str | None:
    """Returns the name of a category that is nested too deeply, that is, whose parent is a sub-category.

    Searches the given categories and their sub-categories.
    """
    sql = """
        SELECT c.name FROM categories c JOIN categories p ON p.user_id = c.user_id AND p.id = c.parent_id
        WHERE c.user_id = :user_id AND p.parent_id IS NOT NULL AND (c.id IN :ids OR p.id IN :ids)
        ORDER BY c.id LIMIT 1
    """
    name: str | None = db.value(sql, user_id=user_id, ids=sorted(ids))
    return name


def find_budgets(db: Unit, user_id: int, category_ids: Collection[int]) -> dict[int, int]:
    """Returns the default budget of each of these categories that has one."""
    return dict(ask_budgets(db, user_id, category_ids).rows())


def ask_budgets(db: Unit, user_id: int, category_ids: Collection[int]) -> Answer[Row]:
    """Asks for the default budgets of these categories, as pairs of category id and budget id."""
    sql = "SELECT id, budget_id FROM categories WHERE user_id = :user_id AND id IN :ids AND budget_id IS NOT NULL"
    return db.ask(sql, user_id=user_id, ids=sorted(category_ids))


def move_children(db: Unit, user_id: int, category_id: int, *, to_id: int | None) -> None:
    """Moves sub-categories to another category, or to the top level."""
    _replace(db, user_id, "parent_id", category_id, to_id)


def forget_budget(db: Unit, user_id: int, budget_id: int) -> None:
    _replace(db, user_id, "budget_id", budget_id, None)


def _replace(db: Unit, user_id: int, column: str, old: int, new: int | None) -> None:
    changes.update(db, "categories", user_id, f"{column} = :old", {column: new}, old=old)
