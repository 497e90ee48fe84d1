"""Stores groups of rules."""

from collections.abc import Collection

from farthing.kernel.text import fold
from farthing.storage.change_log.records import Records
from farthing.storage.unit import Unit

from ..rules import store as rules
from .model import RuleGroup, RuleGroupDraft

_GROUP = 'SELECT id, title, description, position AS "order", active, created_at, updated_at FROM rule_groups'
_GROUPS = Records[RuleGroup, RuleGroupDraft](
    RuleGroup, "rule_groups", _GROUP, order="position, id", elsewhere=["order"]
)
get, page, close_gaps = _GROUPS.get, _GROUPS.page, _GROUPS.close_gaps


def is_title_taken(db: Unit, user_id: int, title: str, *, except_id: int) -> bool:
    return _GROUPS.is_taken(db, user_id, column="title_fold", value=fold(title), except_id=except_id)


def get_titled(db: Unit, user_id: int, title: str) -> RuleGroup | None:
    """Finds a group by its title, ignoring case."""
    return next(iter(_GROUPS.find(db, user_id, "title_fold = :fold", fold=fold(title))), None)


def get_some(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, RuleGroup]:
    return {group.id: group for group in _GROUPS.get_some(db, user_id, ids)}


def add(db: Unit, user_id: int, draft: RuleGroupDraft, now: str) -> int:
    """Adds a group at the position that the draft requests, or last if it requests none."""
    group_id = _GROUPS.add_last(db, user_id, draft, now)
    _GROUPS.move_to_order(db, user_id, group_id, draft.order)
    rules.touch(db, user_id)
    return group_id


def change(db: Unit, user_id: int, group_id: int, draft: RuleGroupDraft, now: str) -> None:
    _GROUPS.change(db, user_id, group_id, draft, now)
    _GROUPS.move_to_order(db, user_id, group_id, draft.order)
    rules.touch(db, user_id)


def remove(db: Unit, user_id: int, group_id: int) -> None:
    _GROUPS.remove(db, user_id, group_id)
    close_gaps(db, user_id)
    rules.touch(db, user_id)
