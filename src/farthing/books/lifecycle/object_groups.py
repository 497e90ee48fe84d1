"""Finds the group that a bill or piggy bank shall have, and removes groups without members."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from farthing.kernel.parsed import Parsed
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..object_groups import store


def choose(db: Unit, user_id: int, parsed: Parsed[Any], stored_id: int | None, now: str) -> int | None:
    """Returns the id of the requested group. A title that no group has makes a new group; an id has precedence.

    If neither `object_group_id` nor `object_group_title` was sent, returns the stored id.
    """
    group_id: int | None = parsed.values.object_group_id
    title: str | None = parsed.values.object_group_title
    if group_id is not None:
        if store.get(db, user_id, group_id) is None:
            parsed.report("object_group_id", "The selected object group id is invalid: there is no such group.")
        return group_id
    if title is not None:
        return store.ensure(db, user_id, title, now)
    return None if parsed.emptied & {"object_group_id", "object_group_title"} else stored_id


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Removes groups that have no members after the undo."""
    yield
    if any(undoing.list_touched(table) for table in (*store.MEMBERS, "object_groups")):
        store.remove_empty(db, user_id)
