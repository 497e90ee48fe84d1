"""Says whether a write went beyond the role of whoever made it, from what it has logged: an undo must not."""

from farthing.storage.unit import Unit

_MADE = """
SELECT 1 FROM changes m JOIN revisions r ON r.user_id = m.user_id AND r.revision = m.revision
WHERE m.user_id = c.user_id AND m.kind = c.kind AND m.object_id = c.object_id AND m.action = 'created'
"""


def needs_full_access(db: Unit, user_id: int, revision: int, by_id: int) -> bool:
    """Deleting an account takes full access, unless it is one's own by mistake; so does changing preferences.

    An account is one's own if its making is logged and nobody else has made it again since.
    """
    sql = f"""
        SELECT 1 FROM changes c WHERE c.user_id = :user_id AND c.revision = :revision AND (
            c.kind = 'preferences'
            OR (c.kind = 'accounts' AND c.action = 'removed' AND (
                NOT EXISTS ({_MADE} AND r.by_id = :by_id)
                OR EXISTS ({_MADE} AND COALESCE(r.by_id, 0) <> :by_id)
            ))
        ) LIMIT 1
    """
    return db.value(sql, user_id=user_id, revision=revision, by_id=by_id) is not None
