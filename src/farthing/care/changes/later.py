"""Finds the later changes that prevent the undo of a change, and all that must be undone together with it."""

from collections import defaultdict
from collections.abc import Collection

from farthing.storage.change_log import restoring
from farthing.storage.change_log.restoring import PARTS
from farthing.storage.unit import Unit

from . import store
from .model import Change

# At most this many changes are undone together. The search for objects that use what the changes created is repeated at
# most this many times, because such objects may be used themselves.
TOGETHER_MAX, ROUNDS_MAX = 50, 10
_USES_MAX = 200

# A later change to the same row that is still in effect. An undo of `mine` or of later changes is ignored, unless it
# also undid an older change to the row: it then restored a state from before `mine`.
_LATER = """
    later.user_id = mine.user_id AND later.kind = mine.kind AND later.object_id = mine.object_id
    AND later.revision > mine.revision AND r.undone_by IS NULL AND NOT EXISTS (
        SELECT 1 FROM revisions newer WHERE newer.user_id = r.user_id AND newer.undone_by = r.id
            AND newer.revision >= mine.revision AND NOT EXISTS (
                SELECT 1 FROM revisions older JOIN changes touched ON touched.user_id = older.user_id
                    AND touched.revision = older.revision AND touched.kind = mine.kind
                    AND touched.object_id = mine.object_id
                WHERE older.user_id = r.user_id AND older.undone_by = r.id AND older.revision < mine.revision
            )
    )
    """


def find_touched_since(db: Unit, user_id: int, revision: int, *, limit: int) -> list[tuple[str, int, int]]:
    """Finds rows of this change that a later change touched.

    Returns for each row its table and id, and the id of the first later change.
    """
    rows = db.all(
        f"""
        SELECT later.kind, later.object_id, MIN(r.id) FROM changes mine JOIN changes later
            ON later.user_id = mine.user_id AND later.kind = mine.kind AND later.object_id = mine.object_id
        JOIN revisions r ON r.user_id = later.user_id AND r.revision = later.revision
        WHERE mine.user_id = :user_id AND mine.revision = :revision AND {_LATER}
        GROUP BY later.kind, later.object_id ORDER BY 3 LIMIT :limit
        """,
        user_id=user_id,
        revision=revision,
        limit=limit,
    )
    return [(kind, object_id, change_id) for kind, object_id, change_id in rows]


def find_dependent(db: Unit, user_id: int, revisions: Collection[int], *, limit: int) -> list[int]:
    """Finds the later changes that touched rows of these changes, the changes that then touched their rows, and so on.

    Returns the revisions, including the given ones, newest first.
    """
    rows = db.all(
        f"""
        WITH RECURSIVE dependent (revision) AS (
            SELECT revision FROM revisions WHERE user_id = :user_id AND revision IN :revisions
            UNION
            SELECT COALESCE(r.part_of, r.revision) FROM dependent
            JOIN revisions part ON part.user_id = :user_id
                AND (part.revision = dependent.revision OR part.part_of = dependent.revision)
            JOIN changes mine ON mine.user_id = :user_id AND mine.revision = part.revision
            JOIN changes later ON later.user_id = mine.user_id AND later.kind = mine.kind
                AND later.object_id = mine.object_id
            JOIN revisions r ON r.user_id = later.user_id AND r.revision = later.revision
            WHERE {_LATER}
        )
        SELECT revision FROM dependent ORDER BY revision DESC LIMIT :limit
        """,
        user_id=user_id,
        revisions=list(revisions),
        limit=limit,
    )
    return [int(revision) for (revision,) in rows]


def find_touching(
    db: Unit, user_id: int, objects: Collection[tuple[str, int]], revision: int, *, limit: int
) -> list[int]:
    """Finds the changes after `revision` that touched one of the objects, or a part of it, and are in effect."""
    ids: dict[str, list[int]] = defaultdict(list)
    for table, object_id in objects:
        ids[table].append(object_id)
    either = [f"(c.kind = '{table}' AND c.object_id IN :{table})" for table in ids]
    for table in ids:
        for part, column in PARTS.get(table, ()):
            of_parts = f"SELECT id FROM {part} WHERE user_id = :user_id AND {column} IN :{table}"
            either.append(f"(c.kind = '{part}' AND c.object_id IN ({of_parts}))")
    rows = db.all(
        f"""
        SELECT DISTINCT COALESCE(r.part_of, r.revision) FROM changes c
        JOIN revisions r ON r.user_id = c.user_id AND r.revision = c.revision
        WHERE c.user_id = :user_id AND c.revision > :revision AND ({" OR ".join(either)})
            AND r.undone_by IS NULL AND NOT EXISTS (
                SELECT 1 FROM revisions undone WHERE undone.user_id = r.user_id AND undone.undone_by = r.id
            )
        LIMIT :limit
        """,
        user_id=user_id,
        revision=revision,
        limit=limit,
        **ids,
    )
    return [int(found) for (found,) in rows]


def list_together(db: Unit, user_id: int, change: Change) -> list[Change]:
    """Lists the changes that must be undone before a change can be, newest first, and the change itself at the end.

    These are later changes to the same objects, and changes to objects that use what one of these changes created.
    Returns one change more than `TOGETHER_MAX` if there are too many.
    """
    revisions: list[int] = []
    found = {change.revision}
    for _ in range(ROUNDS_MAX):
        if len(found) > TOGETHER_MAX:
            break
        revisions = find_dependent(db, user_id, found, limit=TOGETHER_MAX + 1)
        users = restoring.find_references(db, user_id, revisions, besides={}, limit=_USES_MAX)
        found = {
            *revisions,
            *(find_touching(db, user_id, users, change.revision, limit=TOGETHER_MAX + 1) if users else ()),
        }
        if len(found) == len(revisions):
            break
    return store.list_of_revisions(db, user_id, sorted({*revisions, *found})[-TOGETHER_MAX - 1 :])
