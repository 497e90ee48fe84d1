"""Stores groups of rules."""

from collections.abc import Collection
from typing import Any

from farthing.kernel.text import fold
from farthing.storage import changes
from farthing.storage.unit import Row, Unit, page_of

from ..rules import store as rules
from .model import RuleGroup, RuleGroupDraft

_GROUP = 'SELECT id, title, description, position AS "order", active, created_at, updated_at FROM rule_groups'


def get(db: Unit, user_id: int, group_id: int) -> RuleGroup | None:
    return db.struct(RuleGroup, f"{_GROUP} WHERE user_id = :user_id AND id = :id", user_id=user_id, id=group_id)


def get_titled(db: Unit, user_id: int, title: str) -> RuleGroup | None:
    """Ignores case."""
    sql = f"{_GROUP} WHERE user_id = :user_id AND title_fold = :title_fold"
    return db.struct(RuleGroup, sql, user_id=user_id, title_fold=fold(title))


def get_some(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, RuleGroup]:
    sql = f"{_GROUP} WHERE user_id = :user_id AND id IN :ids"
    return {group.id: group for group in db.structs(RuleGroup, sql, user_id=user_id, ids=sorted(ids))}


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[RuleGroup]]:
    mine, order = "user_id = :user_id", "position, id"
    return page_of(db, RuleGroup, _GROUP, "rule_groups", mine, order, limit=limit, offset=offset, user_id=user_id)


def add(db: Unit, user_id: int, draft: RuleGroupDraft, now: str) -> int:
    """Adds a group, as the last one unless the draft has an order."""
    last = db.value("SELECT MAX(position) FROM rule_groups WHERE user_id = :user_id", user_id=user_id)
    group_id = int(
        db.value(
            """
            INSERT INTO rule_groups
                (user_id, title, title_fold, description, active, position, created_at, updated_at)
            VALUES (:user_id, :title, :title_fold, :description, :active, :position, :now, :now) RETURNING id
            """,
            user_id=user_id,
            position=int(last or 0) + 1,
            now=now,
            **_columns(draft),
        )
    )
    changes.log_created(db, "rule_groups", [group_id])
    _place(db, user_id, group_id, draft.order)
    rules.touch(db, user_id)
    return group_id


def change(db: Unit, user_id: int, group_id: int, draft: RuleGroupDraft, now: str) -> None:
    changes.log_changing(db, "rule_groups", "id = :id", id=group_id)
    db.run(
        """
        UPDATE rule_groups SET title = :title, title_fold = :title_fold, description = :description, active = :active,
            updated_at = :now
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=group_id,
        now=now,
        **_columns(draft),
    )
    _place(db, user_id, group_id, draft.order)
    rules.touch(db, user_id)


def remove(db: Unit, user_id: int, group_id: int) -> None:
    """Removes a group; remove its rules first."""
    changes.log_removing(db, "rule_groups", "id = :id", id=group_id)
    db.run("DELETE FROM rule_groups WHERE user_id = :user_id AND id = :id", user_id=user_id, id=group_id)
    close_gaps(db, user_id)
    rules.touch(db, user_id)


def close_gaps(db: Unit, user_id: int) -> None:
    """Numbers the groups 1, 2, 3 and so on."""
    rules.renumber(db, user_id, "rule_groups", _places(db, user_id))


def _place(db: Unit, user_id: int, group_id: int, order: int | None) -> None:
    """Moves it to its order and renumbers the others 1, 2, 3 and so on."""
    if order is None:
        return
    rows = _places(db, user_id)
    ordered = [row for row in rows if row[0] != group_id]
    ordered.insert(order - 1, next(row for row in rows if row[0] == group_id))
    rules.renumber(db, user_id, "rule_groups", ordered)


def _places(db: Unit, user_id: int) -> list[Row]:
    sql = "SELECT id, position FROM rule_groups WHERE user_id = :user_id ORDER BY position, id"
    return db.all(sql, user_id=user_id)


def _columns(draft: RuleGroupDraft) -> dict[str, Any]:
    return {
        "title": draft.title,
        "title_fold": fold(draft.title),
        "description": draft.description,
        "active": int(draft.active),
    }
