"""Restores rows from their images in the log of changes. An image is a row as it was before a change.

Restoring is logged like any other change, so it can be undone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from ..schema import TABLES
from ..unit import Dialect, Unit
from . import changes

# Tables whose rows are parts of a row in another table, and are deleted together with it, in this order.
PARTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "entries": (("entry_details", "entry_id"), ("entry_tags", "entry_id"), ("splits", "entry_id")),
    "recurrences": (
        ("firings", "recurrence_id"),
        ("recurrence_exceptions", "recurrence_id"),
        ("recurrence_repetitions", "recurrence_id"),
        ("recurrence_splits", "recurrence_id"),
    ),
    "budgets": (("carry_releases", "budget_id"),),
    "piggy_banks": (("piggy_bank_shares", "piggy_bank_id"),),
    "rules": (("rule_triggers", "rule_id"), ("rule_actions", "rule_id")),
}
# Removing one of these parts also logs the object that it belonged to, so the object can be found without reading
# the images of all removed parts.
_NEVER_REMOVED_ALONE = ("splits",)
# An undo keeps the current values of these columns, because a recurrence must not fire again.
_STAYING = {"recurrences": ("fired", "latest_on", "settled_until", "due_on", "failure")}
# Many stored sums depend on these tables. Their rows are compared column by column, so that other sums stay untouched.
_COMPARED = frozenset(("entries", "splits"))
# Columns that are missing in images from before their migration, with the value to assume.
_ADDED = {
    ("splits", "refund"): "0",
    ("budgets", "position"): "0",
    ("bills", "position"): "0",
    ("rules", "manual"): "0",
    ("rule_triggers", "prohibited"): "0",
    ("rule_triggers", "active"): "1",
    ("rule_actions", "active"): "1",
    ("webhooks", "api_version"): "'v6'",
    ("webhooks", "budget_percentages"): "'[]'",
}
# Databases check row by row that positions are unique, so rows that swap positions are moved this far away first.
AWAY = 1_000_000
WHOLES = {part: (whole, column) for whole, parts in PARTS.items() for part, column in parts}
# References: table, column, and the table it refers to.
_REFERENCES: tuple[tuple[str, str, str], ...] = (
    ("categories", "parent_id", "categories"),
    ("categories", "budget_id", "budgets"),
    ("budget_limits", "budget_id", "budgets"),
    ("piggy_banks", "account_id", "accounts"),
    ("piggy_banks", "object_group_id", "object_groups"),
    ("piggy_bank_shares", "account_id", "accounts"),
    ("bills", "object_group_id", "object_groups"),
    ("recurrences", "piggy_bank_id", "piggy_banks"),
    ("recurrence_splits", "source_id", "accounts"),
    ("recurrence_splits", "destination_id", "accounts"),
    ("recurrence_splits", "category_id", "categories"),
    ("recurrence_splits", "budget_id", "budgets"),
    ("entries", "opening_account_id", "accounts"),
    ("entries", "bill_id", "bills"),
    ("entries", "recurrence_id", "recurrences"),
    ("entries", "piggy_bank_id", "piggy_banks"),
    ("piggy_bank_events", "piggy_bank_id", "piggy_banks"),
    ("piggy_bank_events", "entry_id", "entries"),
    ("piggy_bank_events", "account_id", "accounts"),
    ("attachments", "bill_id", "bills"),
    ("attachments", "entry_id", "entries"),
    ("attachments", "import_job_id", "import_jobs"),
    ("attachments", "account_id", "accounts"),
    ("attachments", "budget_id", "budgets"),
    ("attachments", "category_id", "categories"),
    ("attachments", "piggy_bank_id", "piggy_banks"),
    ("attachments", "tag_id", "tags"),
    ("splits", "source_id", "accounts"),
    ("splits", "destination_id", "accounts"),
    ("splits", "category_id", "categories"),
    ("splits", "budget_id", "budgets"),
    ("entry_tags", "tag_id", "tags"),
    ("rules", "rule_group_id", "rule_groups"),
    ("entry_links", "link_type_id", "link_types"),
    ("entry_links", "from_entry_id", "entries"),
    ("entry_links", "to_entry_id", "entries"),
)


class ImageRun(Struct, frozen=True):
    """Describes consecutive images of one change in the log, all of the same table, action and columns.

    `first` and `last` are ids in the log. `columns` lists the columns in the images of changed rows; it is empty for
    created and removed rows.
    """

    table: str
    action: str
    columns: tuple[str, ...]
    first: int
    last: int


# The columns of a table that an undo changes; None if it also created or removed rows.
Columns = frozenset[str] | None


class Undoing(Struct, frozen=True):
    """Describes the undo of a change to the modules whose objects the undo touches.

    `ids` lists, for each table, the objects that are touched directly or through one of their parts. Each of these may
    exist before the undo, after it, or both. `changed` holds the columns that change, by table. `revision` is the
    revision of the change that is undone, and `today` is today's date in the user's time zone.
    """

    revision: int
    today: date
    now: str
    ids: Mapping[str, list[int]]
    changed: Mapping[str, Columns]

    def list_touched(self, table: str) -> list[int]:
        return self.ids.get(table, [])


_OF_CHANGE = "changes.user_id = :user_id AND changes.revision = :undone"
_OF_RUN = f"{_OF_CHANGE} AND changes.id BETWEEN :first AND :last"
_IDS = f"SELECT changes.object_id FROM changes WHERE {_OF_RUN}"
# If the change wrote a row twice, the first image shows the row as it was before the change.
_FIRST = f"{_OF_RUN} AND changes.id IN (SELECT MIN(changes.id) FROM changes WHERE {_OF_RUN} GROUP BY changes.object_id)"


def find_columns(db: Unit, user_id: int, undone: int, runs: Iterable[ImageRun]) -> dict[str, Columns]:
    """Maps each table to the columns that a change altered, except columns that have their old values again."""
    changed: dict[str, Columns] = {}
    for run in runs:
        before = changed.get(run.table, frozenset())
        if run.action != "changed" or before is None:
            changed[run.table] = None
        else:
            changed[run.table] = before | _find_differing(db, user_id, undone, run)
    return changed


def _find_differing(db: Unit, user_id: int, undone: int, run: ImageRun) -> frozenset[str]:
    """Finds the columns that differ between the images of a run and the current rows.

    An image of the whole row does not show which columns were changed. So for tables on which many sums depend, the
    values are compared. For other tables, all columns of the images are considered changed.
    """
    if run.table not in _COMPARED or len(run.columns) < len(TABLES[run.table]):
        return frozenset(run.columns)
    differs = (
        f"MAX(CASE WHEN r.{column} IS NOT DISTINCT FROM image.{column} THEN 0 ELSE 1 END)" for column in run.columns
    )
    row = db.one(
        f"""
        SELECT {", ".join(differs)} FROM ({_read(db.dialect, run.table, run.columns, _OF_RUN)}) AS image
        JOIN {run.table} r ON r.user_id = :user_id AND r.id = image.object_id
        """,
        user_id=user_id,
        undone=undone,
        first=run.first,
        last=run.last,
    )
    return frozenset(column for column, differ in zip(run.columns, row or (), strict=False) if differ)


def restore(db: Unit, user_id: int, undone: int, run: ImageRun) -> None:
    """Restores the rows of a run as they were before the change, with a few statements for any number of rows."""
    of = {"undone": undone, "first": run.first, "last": run.last}
    match run.action:
        case "created":
            _remove(db, user_id, run.table, f"IN ({_IDS})", of)
        case "changed":
            _update(db, user_id, run.table, run.columns, of)
        case _:
            _insert(db, user_id, run.table, of)


def _insert(db: Unit, user_id: int, table: str, of: dict[str, Any]) -> None:
    """Inserts rows with their old ids. Helper accounts are inserted after the accounts that they refer to."""
    columns = TABLES[table]
    db.run(
        f"""
        INSERT INTO {table} ({", ".join(columns)})
        SELECT {", ".join(columns)} FROM ({_read(db.dialect, table, columns, _OF_RUN)}) AS image
        ORDER BY {"helps_id IS NOT NULL, " if table == "accounts" else ""}id
        """,
        user_id=user_id,
        **of,
    )
    changes.log_created_again(db, _OF_RUN, **of)


def _update(db: Unit, user_id: int, table: str, columns: tuple[str, ...], of: dict[str, Any]) -> None:
    """Restores rows that were changed. Columns that are missing in the images keep their current values."""
    staying = ("id", "user_id", *_STAYING.get(table, ()))
    restored = tuple(column for column in columns if column not in staying)
    # Logs only the columns in the image, so that undoing this undo also knows exactly which columns it affects.
    only = restored if len(columns) < len(TABLES[table]) else ()
    changes.log_changing(db, table, f"id IN ({_IDS})", only=only, **of)
    if table == "splits" and "position" in restored:
        db.run(_MOVE_AWAY.format(images=_read(db.dialect, table, ("position",), _FIRST)), user_id=user_id, **of)
    db.run(
        f"""
        UPDATE {table} SET {", ".join(f"{column} = image.{column}" for column in restored)}
        FROM ({_read(db.dialect, table, restored, _FIRST)}) AS image
        WHERE {table}.user_id = :user_id AND {table}.id = image.object_id
        """,
        user_id=user_id,
        **of,
    )


_MOVE_AWAY = f"""
UPDATE splits SET position = splits.position + {AWAY} FROM ({{images}}) AS image
WHERE splits.user_id = :user_id AND splits.id = image.object_id AND splits.position <> image.position
"""


def _read(dialect: Dialect, table: str, columns: tuple[str, ...], where: str) -> str:
    """Returns SQL that reads images as if they were rows of their table, with `object_id` as an additional column."""
    value = "json_extract(changes.before, '$.{}')" if dialect == "sqlite" else "was.{}"
    values = {column: value.format(column) for column in columns}
    added = {column: _ADDED[table, column] for column in columns if (table, column) in _ADDED}
    values |= {column: f"COALESCE({values[column]}, {then})" for column, then in added.items()}
    read = ", ".join(f"{value} AS {column}" for column, value in values.items())
    if dialect == "sqlite":
        return f"SELECT changes.object_id, {read} FROM changes WHERE {where}"
    return f"""
        SELECT changes.object_id, {read} FROM changes
        CROSS JOIN LATERAL json_populate_record(NULL::{table}, changes.before::json) AS was WHERE {where}
    """


def find_references(
    db: Unit, user_id: int, revisions: Collection[int], *, besides: Mapping[str, list[int]], limit: int
) -> list[tuple[str, int]]:
    """Finds objects that now refer to a row that the changes created, as pairs of table and id.

    If a part of an object holds the reference, returns the whole object. Ignores objects and parts that the changes
    themselves touched, and the objects in `besides`.
    """
    of_changes = "SELECT changes.object_id FROM changes WHERE user_id = :user_id AND revision IN :revisions"
    sql = "SELECT DISTINCT kind FROM changes WHERE user_id = :user_id AND revision IN :revisions AND action = 'created'"
    created = {kind for (kind,) in db.all(sql, user_id=user_id, revisions=list(revisions))}
    referring: dict[tuple[str, int], None] = {}
    for other, column, named in _REFERENCES:
        whole, whole_id = WHOLES.get(other, (other, "id"))
        if named in created:
            rows = db.all(
                f"""
                SELECT {whole_id} FROM {other} WHERE user_id = :user_id
                    AND {column} IN ({of_changes} AND changes.kind = '{named}' AND changes.action = 'created')
                    AND NOT {whole_id} IN ({of_changes} AND changes.kind = '{whole}')
                    AND NOT id IN ({of_changes} AND changes.kind = '{other}')
                    AND NOT {whole_id} IN :besides ORDER BY {whole_id} LIMIT :limit
                """,
                user_id=user_id,
                revisions=list(revisions),
                besides=besides.get(whole, []),
                limit=limit,
            )
            referring.update(((whole, int(row_id)), None) for (row_id,) in rows)
    return list(referring)


def find_wholes(db: Unit, user_id: int, undone: int, whole: str, runs: Sequence[ImageRun]) -> list[int]:
    """Finds the ids of all objects in the table `whole` that the change touched, directly or through a part.

    This includes objects to which a touched part belonged before the change.
    """
    referring: set[int] = set()
    for run in runs:
        for statement in _look_for_wholes(db, whole, run):
            rows = db.all(statement, user_id=user_id, undone=undone, first=run.first, last=run.last)
            referring.update(row_id for (row_id,) in rows if row_id is not None)
    return sorted(referring)


def _look_for_wholes(db: Unit, whole: str, run: ImageRun) -> Iterator[str]:
    if run.table == whole:
        yield _IDS
    elif WHOLES.get(run.table, ("", ""))[0] == whole:
        column = WHOLES[run.table][1]
        if run.table not in _NEVER_REMOVED_ALONE:
            yield f"SELECT {changes.number_in(db, column)} FROM changes WHERE {_OF_RUN}"
        if run.action != "removed":
            yield f"SELECT {column} FROM {run.table} WHERE user_id = :user_id AND id IN ({_IDS})"


def find_made(db: Unit, user_id: int, undone: int, table: str) -> set[int]:
    """Finds the ids of the rows of a table that the change created."""
    statement = f"SELECT object_id FROM changes WHERE {_OF_CHANGE} AND kind = :kind AND action = 'created'"
    return {row_id for (row_id,) in db.all(statement, user_id=user_id, undone=undone, kind=table)}


def read_former(db: Unit, user_id: int, undone: int, table: str, column: str) -> dict[int, Any]:
    """Maps ids of rows that the change changed or removed to the value of a column before the change."""
    of = f"""
        {_OF_CHANGE} AND changes.kind = :kind AND changes.id IN (
            SELECT MIN(changes.id) FROM changes WHERE {_OF_CHANGE} AND changes.kind = :kind GROUP BY changes.object_id
        )
    """
    images = _read(db.dialect, table, (column,), f"{of} AND changes.before IS NOT NULL")
    statement = f"SELECT object_id, {column} FROM ({images}) AS image WHERE {column} IS NOT NULL"
    return dict(db.all(statement, user_id=user_id, undone=undone, kind=table))


def read_former_at(
    db: Unit, user_id: int, revision: int, table: str, column: str, ids: Collection[int]
) -> dict[int, Any]:
    """Maps ids of rows that were changed or removed after a revision to the value of a column at that revision."""
    rows = db.all(
        """
        SELECT object_id, before FROM changes WHERE user_id = :user_id AND kind = :kind AND object_id IN :ids
            AND revision > :revision AND before IS NOT NULL ORDER BY id DESC
        """,
        user_id=user_id,
        kind=table,
        ids=list(ids),
        revision=revision,
    )
    images = ((row_id, msgspec.json.decode(before)) for row_id, before in rows)
    return {row_id: before[column] for row_id, before in images if column in before}


def find_touched_since(db: Unit, user_id: int, table: str, revision: int) -> set[int]:
    """Finds the ids of the rows of a table that changes after `revision` touched."""
    later = "user_id = :user_id AND kind = :kind AND revision > :revision"
    statement = f"SELECT DISTINCT object_id FROM changes WHERE {later}"
    return {row_id for (row_id,) in db.all(statement, user_id=user_id, kind=table, revision=revision)}


def find_used(db: Unit, user_id: int, table: str, ids: Sequence[int], *, besides: Collection[str]) -> set[int]:
    """Finds which of the given rows are used by other rows. Ignores references from the tables in `besides`."""
    used: set[int] = set()
    for other, column, named in _REFERENCES:
        if named == table and other not in besides:
            statement = f"SELECT DISTINCT {column} FROM {other} WHERE user_id = :user_id AND {column} IN :ids"
            used |= {row_id for (row_id,) in db.all(statement, user_id=user_id, ids=list(ids))}
    return used


def remove(db: Unit, user_id: int, table: str, ids: Sequence[int]) -> None:
    """Deletes rows with their parts. Nothing else may refer to these rows."""
    _remove(db, user_id, table, "IN :ids", {"ids": list(ids)})


def _remove(db: Unit, user_id: int, table: str, which: str, parameters: dict[str, Any]) -> None:
    for part, column in (*PARTS.get(table, ()), (table, "id")):
        changes.delete(db, part, user_id, f"{column} {which}", **parameters)
