"""Stores groups of rules."""

from collections.abc import Collection
from typing import Any

from farthing.kernel.text import fold
from farthing.storage import changes
from farthing.storage.unit import Row, Unit

from ..rules import store as rules
from .model import RuleGroup, RuleGroupDraft

_GROUP = "SELECT id, title, description, position, active, created_at, updated_at FROM rule_groups"
_ORDER = "ORDER BY position, id"


def _group(row: Row) -> RuleGroup:
    group_id, title, description, position, active, created_at, updated_at = row
    return RuleGroup(
        id=group_id,
        title=title,
        description=description,
        order=position,
        active=bool(active),
        created_at=created_at,
        updated_at=updated_at,
    )


def get(db: Unit, user_id: int, group_id: int) -> RuleGroup | None:
    row = db.one(f"{_GROUP} WHERE user_id = :user_id AND id = :id", user_id=user_id, id=group_id)
    return _group(row) if row else None


def get_titled(db: Unit, user_id: int, title: str) -> RuleGroup | None:
    """Ignores case."""
    row = db.one(
        f"{_GROUP} WHERE user_id = :user_id AND title_fold = :title_fold", user_id=user_id, title_fold=fold(title)
    )
    return _group(row) if row else None


def get_some(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, RuleGroup]:
    rows = db.all(f"{_GROUP} WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=sorted(ids))
    return {row[0]: _group(row) for row in rows}


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[RuleGroup]]:
    total = db.value("SELECT COUNT(*) FROM rule_groups WHERE user_id = :user_id", user_id=user_id)
    rows = db.all(
        f"{_GROUP} WHERE user_id = :user_id {_ORDER} LIMIT :limit OFFSET :offset",
        user_id=user_id,
        limit=limit,
        offset=offset,
    )
    return int(total), [_group(row) for row in rows]


def add(db: Unit, user_id: int, draft: RuleGroupDraft, now: str) -> int:
    """Last in order, unless the draft has an order."""
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
    """Remove its rules first."""
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
    return db.all(f"SELECT id, position FROM rule_groups WHERE user_id = :user_id {_ORDER}", user_id=user_id)


def _columns(draft: RuleGroupDraft) -> dict[str, Any]:
    return {
        "title": draft.title,
        "title_fold": fold(draft.title),
        "description": draft.description,
        "active": int(draft.active),
    }
