"""Checks in the log which rights a write required. This keeps an undo from doing what its author may not do."""

from collections.abc import Callable

from farthing.books.preferences.model import NOTICES
from farthing.books.webhooks.model import Event
from farthing.storage.change_log import records
from farthing.storage.unit import Unit

from . import store

# What is only for the owner of the books, by table: the column that tells, and which of its values do.
_OWNERS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "preferences": ("name", lambda name: name == NOTICES),
    "webhooks": ("triggers", lambda triggers: Event.SIGN_IN_NEW_DEVICE in str(triggers)),
}

_MADE = """
SELECT 1 FROM changes m JOIN revisions r ON r.user_id = m.user_id AND r.revision = m.revision
WHERE m.user_id = c.user_id AND m.kind = c.kind AND m.object_id = c.object_id AND m.action = 'created'
"""


def needs_full_access(db: Unit, user_id: int, revision: int, by_id: int) -> bool:
    """Tells whether the writes of a revision, made by the user `by_id`, required full access.

    They did if they touched preferences or webhooks, or deleted an account of somebody else. An account is the user's
    own if the log shows that this user created it and nobody else has restored it since.
    """
    sql = f"""
        SELECT 1 FROM changes c WHERE c.user_id = :user_id AND c.revision = :revision AND (
            c.kind IN ('preferences', 'webhooks')
            OR (c.kind = 'accounts' AND c.action = 'removed' AND (
                NOT EXISTS ({_MADE} AND r.by_id = :by_id)
                OR EXISTS ({_MADE} AND COALESCE(r.by_id, 0) <> :by_id)
            ))
        ) LIMIT 1
    """
    return db.value(sql, user_id=user_id, revision=revision, by_id=by_id) is not None


def needs_owner(db: Unit, user_id: int, revision: int) -> bool:
    """Tells whether the writes of a revision are only for the owner: settings of notices, or webhooks that wait for
    sign-ins, before or after the write.
    """
    images = store.images(db, user_id, revision, kinds=_OWNERS)
    for table, (column, is_owners) in _OWNERS.items():
        of_table = [image for image in images if image.kind == table]
        now = records.values_by_id(db, user_id, table, column, {image.object_id for image in of_table})
        if any(map(is_owners, [*now.values(), *((image.before or {}).get(column) for image in of_table)])):
            return True
    return False
