"""Where is it written what was done? One row for each unit of work, and one for each row that it touched."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from ..storage import house
from ..storage.unit import Row, Unit
from .model import OBJECTS, Change, Image

_UNDONE = "SELECT undone.doing FROM revisions undone WHERE undone.user_id = r.user_id AND undone.id = r.undoes"
_CHANGE = f"r.id, r.revision, r.at, r.token_id, r.doing, r.undoes, r.undone_by, COALESCE(({_UNDONE}), r.doing)"
# Up to here the changes of a kind are counted; more are `at least` so many.
COUNTED_MAX = 1000


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Change]]:
    """The newest first. Revisions have no gaps, so that the thousandth page costs what the first one does."""
    first, last = db.one(
        "SELECT MIN(revision), MAX(revision) FROM revisions WHERE user_id = :user_id", user_id=user_id
    ) or (None, None)
    if last is None:
        return 0, []
    rows = db.all(
        f"""
        SELECT {_CHANGE} FROM revisions r
        WHERE r.user_id = :user_id AND r.revision <= :top AND r.revision > :top - :limit ORDER BY r.revision DESC
        """,
        user_id=user_id,
        top=last - offset,
        limit=limit,
    )
    return last - first + 1, _changes(db, user_id, rows)


def of_revision(db: Unit, user_id: int, revision: int) -> list[Change]:
    """One, or none when there is none or it is forgotten."""
    rows = db.all(
        f"SELECT {_CHANGE} FROM revisions r WHERE r.user_id = :user_id AND r.revision = :revision",
        user_id=user_id,
        revision=revision,
    )
    return _changes(db, user_id, rows)


def page_of(
    db: Unit, user_id: int, kind: str, object_id: int | None, *, limit: int, offset: int
) -> tuple[int, list[Change]]:
    """Those that touched an object, or any of its kind."""
    where = "user_id = :user_id AND kind = :kind" + ("" if object_id is None else " AND object_id = :object_id")
    given: dict[str, Any] = {"user_id": user_id, "kind": kind}
    given |= {} if object_id is None else {"object_id": object_id}
    total = db.value(
        f"SELECT COUNT(*) FROM (SELECT DISTINCT revision FROM changes WHERE {where} LIMIT {COUNTED_MAX}) counted",
        **given,
    )
    rows = db.all(
        f"""
        SELECT {_CHANGE} FROM revisions r WHERE r.user_id = :user_id AND r.revision IN (
            SELECT revision FROM changes WHERE {where} GROUP BY revision
            ORDER BY revision DESC LIMIT :limit OFFSET :offset
        ) ORDER BY r.revision DESC
        """,
        limit=limit,
        offset=offset,
        **given,
    )
    return int(total), _changes(db, user_id, rows)


def get(db: Unit, user_id: int, change_id: int) -> Change | None:
    rows = db.all(
        f"SELECT {_CHANGE} FROM revisions r WHERE r.user_id = :user_id AND r.id = :id", user_id=user_id, id=change_id
    )
    return _changes(db, user_id, rows)[0] if rows else None


def entry_of_split(db: Unit, user_id: int, split_id: int) -> int | None:
    """A transaction goes by the id of any of its splits, also when they are gone."""
    found: int | None = db.value(
        "SELECT entry_id FROM splits WHERE user_id = :user_id AND id = :id", user_id=user_id, id=split_id
    )
    if found is None:
        before = db.value(
            """
            SELECT before FROM changes WHERE user_id = :user_id AND kind = 'splits' AND object_id = :id
                AND before LIKE '%entry_id%' ORDER BY id DESC LIMIT 1
            """,
            user_id=user_id,
            id=split_id,
        )
        found = msgspec.json.decode(before)["entry_id"] if before else None
    return found


def images(db: Unit, user_id: int, revision: int, *, limit: int | None = None) -> list[Image]:
    """What one unit of work did, the last of it first."""
    rows = db.all(
        f"""
        SELECT id, kind, object_id, action, before FROM changes
        WHERE user_id = :user_id AND revision = :revision ORDER BY id DESC {"" if limit is None else f"LIMIT {limit}"}
        """,
        user_id=user_id,
        revision=revision,
    )
    return [
        Image(image_id, kind, object_id, action, msgspec.json.decode(before) if before else None)
        for image_id, kind, object_id, action, before in rows
    ]


# A change that was undone, and the one that undid it, are as if they had never been, when both are later. When what it
# undid is older, it has put back what was there before this one.
_LATER = """
SELECT later.kind, later.object_id, MIN(r.id), MIN(r.at) FROM changes mine
JOIN changes later ON later.user_id = mine.user_id AND later.kind = mine.kind
    AND later.object_id = mine.object_id AND later.revision > mine.revision
JOIN revisions r ON r.user_id = later.user_id AND r.revision = later.revision AND r.undone_by IS NULL
LEFT JOIN revisions target ON target.user_id = r.user_id AND target.id = r.undoes
WHERE mine.user_id = :user_id AND mine.revision = :revision
    AND (target.undone_by IS NULL OR target.undone_by <> r.id OR target.revision < mine.revision)
GROUP BY later.kind, later.object_id ORDER BY 3 LIMIT :limit
"""


def touched_since(db: Unit, user_id: int, revision: int, *, limit: int) -> list[tuple[str, int, int, str]]:
    """Rows of this unit of work that a later one touched: table, id, and the first change that did, with its moment."""
    rows = db.all(_LATER, user_id=user_id, revision=revision, limit=limit)
    return [(kind, object_id, change_id, at) for kind, object_id, change_id, at in rows]


def currencies_at(db: Unit, user_id: int, account_ids: list[int], revision: int) -> dict[int, int]:
    """Those of accounts as of a revision, where they were changed after it: the oldest image since says how it was."""
    rows = db.all(
        """
        SELECT object_id, before FROM changes WHERE user_id = :user_id AND kind = 'accounts' AND object_id IN :ids
            AND revision > :revision AND before IS NOT NULL ORDER BY id DESC
        """,
        user_id=user_id,
        ids=account_ids,
        revision=revision,
    )
    images = ((account_id, msgspec.json.decode(before)) for account_id, before in rows)
    return {account_id: before["currency_id"] for account_id, before in images if "currency_id" in before}


def last_before(db: Unit, at: str, user_id: int | None = None) -> list[tuple[int, int, int]]:
    """Who has changes that are older: the user, their first revision, and the last one before any that is not.

    Where the clock was set back for a while, one that looks old may follow one that is not.
    """
    rows = db.all(
        f"""
        SELECT user_id, MIN(revision), COALESCE(MIN(CASE WHEN at >= :at THEN revision END) - 1, MAX(revision))
        FROM revisions {"" if user_id is None else "WHERE user_id = :user_id"}
        GROUP BY user_id HAVING MIN(at) < :at ORDER BY user_id
        """,
        at=at,
        **({} if user_id is None else {"user_id": user_id}),
    )
    return [(int(one), int(first), int(last)) for one, first, last in rows if first <= last]


def forget(db: Unit, user_id: int, upto: int) -> None:
    """They can no longer be undone, and what they deleted is gone for good."""
    house.touch(db)
    for table in ("changes", "revisions"):
        db.run(f"DELETE FROM {table} WHERE user_id = :user_id AND revision <= :upto", user_id=user_id, upto=upto)


def deletions(db: Unit, user_id: int, *, limit: int) -> list[Change]:
    """What was deleted and not restored, the newest first."""
    rows = db.all(
        f"""
        SELECT {_CHANGE} FROM revisions r WHERE r.user_id = :user_id AND r.undone_by IS NULL AND r.undoes IS NULL
            AND EXISTS (
                SELECT 1 FROM changes c
                WHERE c.user_id = r.user_id AND c.revision = r.revision AND c.action = 'removed' AND c.kind IN :kinds
            )
        ORDER BY r.revision DESC LIMIT :limit
        """,
        user_id=user_id,
        kinds=list(OBJECTS),
        limit=limit,
    )
    return _changes(db, user_id, rows)


def owner_of(db: Unit, change_id: int) -> int | None:
    found: int | None = db.value("SELECT user_id FROM revisions WHERE id = :id", id=change_id)
    return found


def mark_undone(db: Unit, user_id: int, change: Change, by_revision: int) -> None:
    """The change that undid it, if it was an undo itself, counts again."""
    by_id = db.value(
        "SELECT id FROM revisions WHERE user_id = :user_id AND revision = :revision",
        user_id=user_id,
        revision=by_revision,
    )
    _set(db, user_id, by_id, "undoes", change.id)
    _set(db, user_id, change.id, "undone_by", by_id)
    if change.undoes is not None:
        _set(db, user_id, change.undoes, "undone_by", None)


def _set(db: Unit, user_id: int, change_id: int, column: str, value: int | None) -> None:
    db.run(
        f"UPDATE revisions SET {column} = :value WHERE user_id = :user_id AND id = :id",
        user_id=user_id,
        id=change_id,
        value=value,
    )


def _changes(db: Unit, user_id: int, rows: list[Row]) -> list[Change]:
    counts = _counts(db, user_id, [row[1] for row in rows])
    return [_change((*row, counts[row[1]])) for row in rows]


def _change(columns: Row) -> Change:
    return Change(*columns)


def _counts(db: Unit, user_id: int, revisions: list[int]) -> dict[int, dict[tuple[str, str], int]]:
    found: dict[int, dict[tuple[str, str], int]] = defaultdict(dict)
    for revision, kind, action, count in _counted(db, user_id, revisions):
        found[revision][kind, action] = int(count)
    return found


def _counted(db: Unit, user_id: int, revisions: list[int]) -> Iterator[Row]:
    yield from db.all(
        """
        SELECT revision, kind, action, COUNT(DISTINCT object_id) FROM changes
        WHERE user_id = :user_id AND revision IN :revisions GROUP BY revision, kind, action
        """,
        user_id=user_id,
        revisions=revisions,
    )
