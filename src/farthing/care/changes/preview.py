"""Previews an undo: everything that it would undo, with the objects, their counts and the sums of money."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.storage.unit import Unit

from . import later, object_names, store, undo
from .model import OBJECTS, Change

LISTED_MAX = 100


class TouchedObject(Struct, frozen=True):
    """Describes what the undo does to an object: `made` if it is restored, `deleted` or `changed`.

    `address` is the id in the object's address in the API, or None if the object does not exist at present.
    """

    kind: str
    name: str | None
    action: str
    address: int | None


class _Effect(Struct, frozen=True):
    kind: str
    object_id: int
    effect: str


class UndoCount(Struct, frozen=True):
    kind: str
    made: int
    changed: int
    deleted: int


class CurrencySum(Struct, frozen=True):
    """Holds the sum of the affected transactions in one currency, in its smallest units."""

    currency_id: int
    units: int
    transactions: int


class UndoPreview(Struct, frozen=True):
    """`changes` are undone in this order; the last one is the change itself. `reason` says why that is impossible."""

    changes: list[Change]
    objects: list[TouchedObject]
    counts: list[UndoCount]
    sums: list[CurrencySum]
    reason: str | None


# What the undo of the changes does to each object.
_EFFECTS = f"""
    SELECT kind, object_id, CASE
        WHEN MAX(CASE action WHEN 'created' THEN 1 ELSE 0 END) = 1 THEN 'deleted'
        WHEN MAX(CASE action WHEN 'removed' THEN 1 ELSE 0 END) = 1 THEN 'made'
        ELSE 'changed' END AS effect
    FROM changes WHERE user_id = :user_id AND revision IN :revisions
        AND kind IN ({", ".join(f"'{table}'" for table in OBJECTS if table != "import_jobs")})
    GROUP BY kind, object_id
    HAVING COUNT(DISTINCT CASE WHEN action <> 'changed' THEN action END) < 2
    """


def preview(db: Unit, user_id: int, change: Change) -> UndoPreview:
    reason = undo.find_final_reason(change)
    is_import = change.import_job_id is not None
    changes = [change] if reason or is_import else later.list_together(db, user_id, change)
    if len(changes) > later.TOGETHER_MAX:
        reason = undo.TOO_MANY
    revisions = store.list_parts(db, user_id, [each.revision for each in changes])
    return UndoPreview(
        changes=changes,
        objects=_list_objects(db, user_id, revisions),
        counts=_count(db, user_id, revisions),
        sums=_sum(db, user_id, revisions),
        reason=reason,
    )


def _list_objects(db: Unit, user_id: int, revisions: list[int]) -> list[TouchedObject]:
    effects = db.structs(
        _Effect,
        f"""
        SELECT kind, object_id, effect FROM ({_EFFECTS}) AS effects
        ORDER BY CASE kind WHEN 'entries' THEN 0 ELSE 1 END, kind, object_id DESC LIMIT {LISTED_MAX}
        """,
        user_id=user_id,
        revisions=revisions,
    )
    names = object_names.find_names(db, user_id, {(each.kind, each.object_id) for each in effects})
    first_splits = _find_first_splits(db, user_id, [each.object_id for each in effects if each.kind == "entries"])
    return [
        TouchedObject(
            kind=each.kind,
            name=names.get((each.kind, each.object_id)),
            action=each.effect,
            address=_find_address(each, first_splits),
        )
        for each in effects
    ]


def _find_address(each: _Effect, first_splits: Mapping[int, int]) -> int | None:
    if each.kind == "entries":
        return first_splits.get(each.object_id)
    return None if each.effect == "made" else each.object_id


def _find_first_splits(db: Unit, user_id: int, entry_ids: list[int]) -> dict[int, int]:
    sql = "SELECT entry_id, MIN(id) FROM splits WHERE user_id = :user_id AND entry_id IN :ids GROUP BY entry_id"
    return dict(db.all(sql, user_id=user_id, ids=entry_ids))


def _count(db: Unit, user_id: int, revisions: list[int]) -> list[UndoCount]:
    return db.structs(
        UndoCount,
        f"""
        SELECT kind, COUNT(CASE effect WHEN 'made' THEN 1 END) AS made,
            COUNT(CASE effect WHEN 'changed' THEN 1 END) AS changed,
            COUNT(CASE effect WHEN 'deleted' THEN 1 END) AS deleted
        FROM ({_EFFECTS}) AS effects GROUP BY kind ORDER BY kind
        """,
        user_id=user_id,
        revisions=revisions,
    )


def _sum(db: Unit, user_id: int, revisions: list[int]) -> list[CurrencySum]:
    """Sums the affected transactions as they are now."""
    touched = "SELECT object_id FROM changes WHERE user_id = :user_id AND revision IN :revisions AND kind ="
    return db.structs(
        CurrencySum,
        f"""
        SELECT currency_id, CAST(SUM(units) AS BIGINT) AS units, COUNT(DISTINCT entry_id) AS transactions
        FROM splits WHERE user_id = :user_id AND entry_id IN (
            {touched} 'entries'
            UNION SELECT entry_id FROM splits WHERE user_id = :user_id AND id IN ({touched} 'splits')
        )
        GROUP BY currency_id ORDER BY transactions DESC, currency_id
        """,
        user_id=user_id,
        revisions=revisions,
    )
