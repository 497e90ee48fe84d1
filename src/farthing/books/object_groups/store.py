"""Stores groups of bills and piggy banks."""

from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_id
from farthing.storage.unit import Unit

from .model import ObjectGroup, ObjectGroupDraft

MEMBERS = ("bills", "piggy_banks")
_GROUP = 'SELECT id, title, position AS "order", created_at, updated_at FROM object_groups'
_GROUPS = Records[ObjectGroup, ObjectGroupDraft](
    ObjectGroup, "object_groups", _GROUP, order="position, id", elsewhere=["order"]
)
get, page, put_in_order = _GROUPS.get, _GROUPS.page, _GROUPS.put_in_order


def find_titled(db: Unit, user_id: int, title: str) -> int | None:
    sql = "SELECT id FROM object_groups WHERE user_id = :user_id AND title_fold = :fold"
    return find_id(db, sql, user_id=user_id, fold=fold(title))


def is_title_taken(db: Unit, user_id: int, title: str | None, *, except_id: int) -> bool:
    return title is not None and find_titled(db, user_id, title) not in (None, except_id)


def add(db: Unit, user_id: int, draft: ObjectGroupDraft, now: str) -> int:
    return _GROUPS.add_last(db, user_id, draft, now)


def ensure(db: Unit, user_id: int, title: str, now: str) -> int:
    """Returns the id of the group with this title, which is made if there is none."""
    return find_titled(db, user_id, title) or add(db, user_id, ObjectGroupDraft(title), now)


def change(db: Unit, user_id: int, group_id: int, draft: ObjectGroupDraft, now: str) -> None:
    _GROUPS.change(db, user_id, group_id, draft, now)
    _GROUPS.move_to_order(db, user_id, group_id, draft.order)


def remove(db: Unit, user_id: int, group_id: int) -> None:
    """Removes a group. Its members stay."""
    which, nothing = "object_group_id = :group_id", {"object_group_id": None}
    changes.update(db, "bills", user_id, which, nothing, group_id=group_id)
    changes.update(db, "piggy_banks", user_id, which, nothing, group_id=group_id)
    _GROUPS.remove(db, user_id, group_id)


_EMPTY = " AND ".join(
    f"NOT EXISTS (SELECT 1 FROM {table} m WHERE m.user_id = :user_id AND m.object_group_id = object_groups.id)"
    for table in MEMBERS
)


def remove_empty(db: Unit, user_id: int) -> None:
    """Removes the groups that have lost their last member."""
    if db.value(f"SELECT 1 FROM object_groups WHERE user_id = :user_id AND {_EMPTY} LIMIT 1", user_id=user_id):
        changes.delete(db, "object_groups", user_id, _EMPTY)
