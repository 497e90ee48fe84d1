"""Reads the log of changes, which has a row for each unit of work, and a row for each row that it touched."""

from collections import defaultdict
from collections.abc import Collection
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from farthing.storage import installation
from farthing.storage.change_log.restoring import ImageRun
from farthing.storage.unit import Unit

from .model import OBJECTS, Change, Image

_UNDONE = "SELECT undone.doing FROM revisions undone WHERE undone.user_id = r.user_id AND undone.id = r.undoes"
_CHANGE = f"""
    r.id, r.revision, r.at, r.token_id, r.doing, r.undoes, r.undone_by, COALESCE(({_UNDONE}), r.doing) AS operation,
    r.by_id, (SELECT person.email FROM users person WHERE person.id = r.by_id) AS "by",
    CASE r.doing WHEN 'import_jobs.start' THEN (
        SELECT MAX(job.object_id) FROM changes job
        WHERE job.user_id = r.user_id AND job.revision = r.revision AND job.kind = 'import_jobs'
    ) END AS import_job_id
    """
# A part that only took back what another part had begun counts as undone by itself. Only the feed reads it.
_IS_SET_ASIDE = "COALESCE({0}.undone_by, 0) = {0}.id"
# The revisions of a change: its own, and those of its parts.
PARTS = f"""
    SELECT :revision UNION ALL
    SELECT part.revision FROM revisions part
    WHERE part.user_id = :user_id AND part.part_of = :revision AND NOT {_IS_SET_ASIDE.format("part")}
    """
# Changes of one kind of object are counted up to this number. A total of this number means "at least this many".
COUNTED_MAX = 1000


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Change]]:
    """Returns the number of changes and one page of them, newest first.

    The page begins at a computed revision, so that later pages are as fast as the first. To compute it, all
    hidden revisions are read, of which there are few.
    """
    first, last = db.one(
        "SELECT MIN(revision), MAX(revision) FROM revisions WHERE user_id = :user_id", user_id=user_id
    ) or (None, None)
    if last is None:
        return 0, []
    hidden = db.all(
        "SELECT revision FROM revisions WHERE user_id = :user_id AND hidden = 1 ORDER BY revision DESC", user_id=user_id
    )
    top = last - offset
    for (revision,) in hidden:
        top -= revision >= top
    where = "r.revision <= :top AND r.hidden = 0 ORDER BY r.revision DESC LIMIT :limit"
    return last - first + 1 - len(hidden), _read_changes(db, user_id, where, top=top, limit=limit)


def list_of_revision(db: Unit, user_id: int, revision: int) -> list[Change]:
    """Returns a list with the change of a revision. The list is empty if that change was deleted."""
    return _read_changes(db, user_id, "r.revision = :revision", revision=revision)


def list_of_revisions(db: Unit, user_id: int, revisions: Collection[int]) -> list[Change]:
    """Returns the changes of the given revisions, newest first."""
    where = "r.revision IN :revisions ORDER BY r.revision DESC"
    return _read_changes(db, user_id, where, revisions=list(revisions))


def page_of(
    db: Unit, user_id: int, kind: str, object_id: int | None, *, limit: int, offset: int
) -> tuple[int, list[Change]]:
    """Returns the number of changes that touched an object, and one page of these changes.

    If `object_id` is None, these are the changes that touched any object of the kind.
    """
    where = "user_id = :user_id AND kind = :kind" + ("" if object_id is None else " AND object_id = :object_id")
    of_object: dict[str, Any] = {"kind": kind, "object_id": object_id}
    total = db.value(
        f"SELECT COUNT(*) FROM (SELECT DISTINCT revision FROM changes WHERE {where} LIMIT {COUNTED_MAX}) counted",
        user_id=user_id,
        **of_object,
    )
    chosen = f"""
        SELECT COALESCE(part.part_of, part.revision) AS revision FROM revisions part
        WHERE part.user_id = :user_id AND part.revision IN (SELECT revision FROM changes WHERE {where})
        GROUP BY COALESCE(part.part_of, part.revision)
        """
    paged = f"r.revision IN ({chosen} ORDER BY revision DESC LIMIT :limit OFFSET :offset) ORDER BY r.revision DESC"
    return int(total), _read_changes(db, user_id, paged, limit=limit, offset=offset, **of_object)


def list_parts(db: Unit, user_id: int, revisions: Collection[int]) -> list[int]:
    """Returns the given revisions and those of their parts."""
    is_set_aside = _IS_SET_ASIDE.format("revisions")
    sql = f"""
        SELECT revision FROM revisions WHERE user_id = :user_id AND part_of IN :revisions AND NOT {is_set_aside}
    """
    return [*revisions, *(int(part) for (part,) in db.all(sql, user_id=user_id, revisions=list(revisions)))]


def find_import(db: Unit, user_id: int, import_job_id: int) -> Change | None:
    """Finds the change that a finished import made. If the import ran several times, it is that of the last run."""
    where = """
        r.doing = 'import_jobs.start' AND r.revision IN (
            SELECT revision FROM changes WHERE user_id = :user_id AND kind = 'import_jobs' AND object_id = :job_id
        ) ORDER BY r.revision DESC LIMIT 1
        """
    return next(iter(_read_changes(db, user_id, where, job_id=import_job_id)), None)


def get(db: Unit, user_id: int, change_id: int) -> Change | None:
    return next(iter(_read_changes(db, user_id, "r.id = :id", id=change_id)), None)


def entry_of_split(db: Unit, user_id: int, split_id: int) -> int | None:
    """Finds the transaction that a split belongs to, or belonged to before the split was deleted."""
    entry_id: int | None = db.value(
        "SELECT entry_id FROM splits WHERE user_id = :user_id AND id = :id", user_id=user_id, id=split_id
    )
    if entry_id is None:
        before = db.value(
            """
            SELECT before FROM changes WHERE user_id = :user_id AND kind = 'splits' AND object_id = :id
                AND before LIKE '%entry_id%' ORDER BY id DESC LIMIT 1
            """,
            user_id=user_id,
            id=split_id,
        )
        entry_id = msgspec.json.decode(before)["entry_id"] if before else None
    return entry_id


def images(
    db: Unit, user_id: int, revision: int, *, kinds: Collection[str] = (), limit: int | None = None
) -> list[Image]:
    """Lists the images of rows that a change touched, newest first. `kinds` limits them to certain tables."""
    return db.structs(
        Image,
        f"""
        SELECT id, kind, object_id, action, before FROM changes
        WHERE user_id = :user_id AND revision IN ({PARTS}) {"AND kind IN :kinds" if kinds else ""}
        ORDER BY id DESC {"" if limit is None else f"LIMIT {limit}"}
        """,
        user_id=user_id,
        revision=revision,
        kinds=list(kinds),
    )


def images_since(db: Unit, user_id: int, kind: str, ids: Collection[int], revision: int, *, limit: int) -> list[Image]:
    """Lists images of the given rows that changes after `revision` have logged, oldest first."""
    return db.structs(
        Image,
        """
        SELECT id, kind, object_id, action, before FROM changes WHERE user_id = :user_id AND kind = :kind
            AND object_id IN :ids AND revision > :revision ORDER BY id LIMIT :limit
        """,
        user_id=user_id,
        kind=kind,
        ids=list(ids),
        revision=revision,
        limit=limit,
    )


def find_splits_of(db: Unit, user_id: int, entry_ids: Collection[int], revision: int, *, limit: int) -> list[int]:
    """Finds the current splits of the given entries, and splits that changes after `revision` have removed."""
    sql = "SELECT id FROM splits WHERE user_id = :user_id AND entry_id IN :ids ORDER BY id"
    now = db.all(sql, user_id=user_id, ids=list(entry_ids))
    removed = db.all(
        """
        SELECT object_id, before FROM changes WHERE user_id = :user_id AND kind = 'splits' AND action = 'removed'
            AND revision IN (
                SELECT revision FROM changes WHERE user_id = :user_id AND kind = 'entries' AND object_id IN :ids
                    AND revision > :revision
            ) LIMIT :limit
        """,
        user_id=user_id,
        ids=list(entry_ids),
        revision=revision,
        limit=limit,
    )
    of_entries = (split_id for split_id, before in removed if msgspec.json.decode(before).get("entry_id") in entry_ids)
    return [*dict.fromkeys([*(split_id for (split_id,) in now), *of_entries])]


def rows_now(
    db: Unit, user_id: int, table: str, ids: Collection[int], columns: Collection[str]
) -> dict[int, dict[str, Any]]:
    """Reads the current values of some columns. Maps the id of each row to its values by column."""
    sql = f"SELECT id, {', '.join(columns)} FROM {table} WHERE user_id = :user_id AND id IN :ids"
    rows = db.all(sql, user_id=user_id, ids=list(ids))
    return {row[0]: dict(zip(columns, row[1:], strict=True)) for row in rows}


def list_runs(db: Unit, user_id: int, revision: int, *, most: int) -> list[ImageRun]:
    """Groups all images of a change into runs of at most `most` images, newest first."""
    rows = db.stream(
        """
        SELECT id, kind, action, CASE action WHEN 'changed' THEN before END FROM changes
        WHERE user_id = :user_id AND revision = :revision ORDER BY id DESC
        """,
        user_id=user_id,
        revision=revision,
    )
    keyed = (
        (image_id, (kind, action, tuple(msgspec.json.decode(before or "{}"))))
        for image_id, kind, action, before in rows
    )
    runs: list[ImageRun] = []
    for (kind, action, columns), of_run in groupby(keyed, key=itemgetter(1)):
        while ids := [image_id for image_id, _ in islice(of_run, most)]:
            runs.append(ImageRun(table=kind, action=action, columns=columns, first=ids[-1], last=ids[0]))
    return runs


def find_old(db: Unit, at: str, user_id: int | None) -> list[tuple[int, int, int]]:
    """Finds users with changes older than `at`. Returns for each the first and last revision to delete.

    All revisions in between are old. If the clock was set back, an old change may come after a newer one; such an
    old change is kept.
    """
    rows = db.all(
        f"""
        SELECT user_id, MIN(revision), COALESCE(MIN(CASE WHEN at >= :at THEN revision END) - 1, MAX(revision))
        FROM revisions {"" if user_id is None else "WHERE user_id = :user_id"}
        GROUP BY user_id HAVING MIN(at) < :at ORDER BY user_id
        """,
        at=at,
        user_id=user_id,
    )
    return [(int(user), int(first), int(last)) for user, first, last in rows if first <= last]


def find_orphaned(db: Unit, user_id: int | None) -> list[tuple[int, int]]:
    """Finds users who still have logged rows of deleted changes. Returns for each the first revision that exists."""
    rows = db.all(
        f"""
        SELECT id, COALESCE((SELECT MIN(r.revision) FROM revisions r WHERE r.user_id = users.id), revision + 1),
            (SELECT MIN(c.revision) FROM changes c WHERE c.user_id = users.id)
        FROM users {"" if user_id is None else "WHERE id = :user_id"} ORDER BY id
        """,
        user_id=user_id,
    )
    return [(int(user), int(first)) for user, first, logged in rows if logged is not None and logged < first]


_FORGET = {
    "revisions": """
        DELETE FROM revisions WHERE user_id = :user_id AND revision IN (
            SELECT revision FROM revisions WHERE user_id = :user_id AND revision <= :upto
            ORDER BY revision LIMIT :limit
        )
        """,
    "changes": """
        DELETE FROM changes WHERE user_id = :user_id AND id IN (
            SELECT id FROM changes WHERE user_id = :user_id AND revision <= :upto ORDER BY revision, id LIMIT :limit
        )
        """,
}


def forget(db: Unit, user_id: int, upto: int, limit: int, *, table: Literal["revisions", "changes"]) -> int:
    """Deletes up to `limit` changes, or logged rows, oldest first, up to the revision `upto`. Returns their number."""
    done = db.run_and_count(_FORGET[table], user_id=user_id, upto=upto, limit=limit)
    installation.touch(db)
    return done


def list_deletions(db: Unit, user_id: int, *, limit: int) -> list[Change]:
    """Lists changes that deleted objects and were not undone, newest first."""
    where = """
        r.undone_by IS NULL AND r.undoes IS NULL AND EXISTS (
            SELECT 1 FROM changes c
            WHERE c.user_id = r.user_id AND c.revision = r.revision AND c.action = 'removed' AND c.kind IN :kinds
        )
        ORDER BY r.revision DESC LIMIT :limit
        """
    return _read_changes(db, user_id, where, kinds=list(OBJECTS), limit=limit)


def find_owner(db: Unit, change_id: int) -> int | None:
    owner_id: int | None = db.value("SELECT user_id FROM revisions WHERE id = :id", id=change_id)
    return owner_id


def mark_undone(db: Unit, user_id: int, change: Change, by_revision: int) -> None:
    """Marks a change with its parts as undone. If it was an undo itself, what it had undone is in effect again."""
    sql = "SELECT id FROM revisions WHERE user_id = :user_id AND revision = :revision"
    by_id = db.value(sql, user_id=user_id, revision=by_revision)
    db.run(
        "UPDATE revisions SET undoes = :undone WHERE user_id = :user_id AND id = :id",
        undone=change.id,
        user_id=user_id,
        id=by_id,
    )
    db.run(
        "UPDATE revisions SET undone_by = NULL WHERE user_id = :user_id AND undone_by = :id",
        user_id=user_id,
        id=change.id,
    )
    sql = f"UPDATE revisions SET undone_by = :by_id WHERE user_id = :user_id AND revision IN ({PARTS})"
    db.run(sql, user_id=user_id, revision=change.revision, by_id=by_id)


def set_aside(db: Unit, user_id: int) -> None:
    """Hides the current revision from people, and from undo, because it only took back a part of a change."""
    assert db.author is not None, "a write takes its user first"
    sql = "UPDATE revisions SET undone_by = id, hidden = 1 WHERE user_id = :user_id AND revision = :revision"
    db.run(sql, user_id=user_id, revision=db.author.revision)


def _read_changes(db: Unit, user_id: int, where: str, **parameters: Any) -> list[Change]:
    """Reads changes, with the number of rows that each of them touched."""
    sql = f"SELECT {_CHANGE} FROM revisions r WHERE r.user_id = :user_id AND {where}"
    stored = db.structs(Change, sql, user_id=user_id, **parameters)
    rows = db.all(
        f"""
        SELECT COALESCE(r.part_of, r.revision), c.kind, c.action, COUNT(DISTINCT c.object_id)
        FROM revisions r JOIN changes c ON c.user_id = r.user_id AND c.revision = r.revision
        WHERE r.user_id = :user_id AND (r.revision IN :revisions OR r.part_of IN :revisions)
            AND NOT {_IS_SET_ASIDE.format("r")}
        GROUP BY 1, 2, 3
        """,
        user_id=user_id,
        revisions=[change.revision for change in stored],
    )
    counts: dict[int, dict[tuple[str, str], int]] = defaultdict(dict)
    for revision, kind, action, count in rows:
        counts[revision][kind, action] = int(count)
    return [replace(change, counts=counts[change.revision]) for change in stored]
