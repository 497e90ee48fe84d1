"""Stores groups of rules."""

from collections.abc import Collection
from typing import Any

from farthing.kernel.text import fold
from farthing.storage.change_log import changes
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
    group_id = changes.insert(db, "rule_groups", user_id, {"position": int(last or 0) + 1, **_columns(draft)}, now)
    _move_to_order(db, user_id, group_id, draft.order)
    rules.touch(db, user_id)
    return group_id


def change(db: Unit, user_id: int, group_id: int, draft: RuleGroupDraft, now: str) -> None:
    changes.update(db, "rule_groups", user_id, "id = :id", _columns(draft), now=now, id=group_id)
    _move_to_order(db, user_id, group_id, draft.order)
    rules.touch(db, user_id)


def remove(db: Unit, user_id: int, group_id: int) -> None:
    """Removes a group; remove its rules first."""
    changes.delete(db, "rule_groups", user_id, "id = :id", id=group_id)
    close_gaps(db, user_id)
    rules.touch(db, user_id)


def close_gaps(db: Unit, user_id: int) -> None:
    """Numbers the groups 1, 2, 3 and so on."""
    changes.renumber(db, "rule_groups", user_id, _list_positions(db, user_id))


def _move_to_order(db: Unit, user_id: int, group_id: int, order: int | None) -> None:
    if order is not None:
        changes.move_to(db, "rule_groups", user_id, _list_positions(db, user_id), group_id, order)


def _list_positions(db: Unit, user_id: int) -> list[Row]:
    sql = "SELECT id, position FROM rule_groups WHERE user_id = :user_id ORDER BY position, id"
    return db.all(sql, user_id=user_id)


def _columns(draft: RuleGroupDraft) -> dict[str, Any]:
    return {
        "title": draft.title,
        "title_fold": fold(draft.title),
        "description": draft.description,
        "active": int(draft.active),
    }
