"""Restores rows from their images in the log of changes; each step is logged as well."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from ..schema import TABLES
from ..unit import Dialect, Unit
from . import changes

# The parts that belong to a row and are deleted with it, the innermost first.
PARTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "entries": (("entry_tags", "entry_id"), ("splits", "entry_id")),
    "recurrences": (
        ("firings", "recurrence_id"),
        ("recurrence_exceptions", "recurrence_id"),
        ("recurrence_repetitions", "recurrence_id"),
        ("recurrence_splits", "recurrence_id"),
    ),
    "rules": (("rule_triggers", "rule_id"), ("rule_actions", "rule_id")),
}
# Whoever removes such a part logs its whole, too; so the images of many need not be read to find out what it was of.
_NEVER_REMOVED_ALONE = ("splits",)
# Undoing a change must not make a recurrence fire again, so these columns keep their values.
_STAYING = {"recurrences": ("fired", "latest_on", "settled_until", "due_on", "failure")}
# Tables with many sums beside them, which need not follow what has not changed.
_COMPARED = frozenset(("entries", "splits"))
# Columns that images from before their migration do not have, and what they were then.
_ADDED = {("splits", "refund"): "0"}
WHOLES = {part: (whole, column) for whole, parts in PARTS.items() for part, column in parts}
# References: table, column, and the table it refers to.
_REFERENCES: tuple[tuple[str, str, str], ...] = (
    ("categories", "parent_id", "categories"),
    ("categories", "budget_id", "budgets"),
    ("budget_limits", "budget_id", "budgets"),
    ("piggy_banks", "account_id", "accounts"),
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
    ("attachments", "bill_id", "bills"),
    ("attachments", "entry_id", "entries"),
    ("attachments", "import_job_id", "import_jobs"),
    ("splits", "source_id", "accounts"),
    ("splits", "destination_id", "accounts"),
    ("splits", "category_id", "categories"),
    ("splits", "budget_id", "budgets"),
    ("entry_tags", "tag_id", "tags"),
    ("rules", "rule_group_id", "rule_groups"),
)


class ImageRun(Struct, frozen=True):
    """Images of one change that lie together in the log, of the same table, action and columns.

    `first` and `last` are ids in the log. `columns` are those of the images of changed rows; for others it is empty.
    """

    table: str
    action: str
    columns: tuple[str, ...]
    first: int
    last: int


# The columns of a table that an undo changes; None if it also created or removed rows.
Columns = frozenset[str] | None


class Undoing(Struct, frozen=True):
    """The undo of a change, as the objects that it touches see it.

    `ids` are those objects by table, touched themselves or through a part. Any of them may be there before the undo,
    after it, or both. `changed` are the columns by table. `revision` is that of the change, and `today` the user's
    date.
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
# If a row was changed twice, the first image is how it was.
_FIRST = f"{_OF_RUN} AND changes.id IN (SELECT MIN(changes.id) FROM changes WHERE {_OF_RUN} GROUP BY changes.object_id)"


def find_columns(db: Unit, user_id: int, undone: int, runs: Iterable[ImageRun]) -> dict[str, Columns]:
    """Finds the columns that a change has changed and that have not returned to what they were, by table."""
    changed: dict[str, Columns] = {}
    for run in runs:
        before = changed.get(run.table, frozenset())
        if run.action != "changed" or before is None:
            changed[run.table] = None
        else:
            changed[run.table] = before | _find_differing(db, user_id, undone, run)
    return changed


def _find_differing(db: Unit, user_id: int, undone: int, run: ImageRun) -> frozenset[str]:
    """An image of the whole row does not say what was changed; where it matters for many rows, they are compared."""
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
    """The rows of a run as they were before that change, by a few statements, however many they are."""
    of = {"undone": undone, "first": run.first, "last": run.last}
    match run.action:
        case "created":
            _remove(db, user_id, run.table, f"IN ({_IDS})", of)
        case "changed":
            _update(db, user_id, run.table, run.columns, of)
        case _:
            _insert(db, user_id, run.table, of)


def _insert(db: Unit, user_id: int, table: str, of: dict[str, Any]) -> None:
    """Inserts rows with their old ids. Helper accounts come after the accounts they refer to."""
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
    """Columns that the images do not have stay as they are."""
    staying = ("id", "user_id", *_STAYING.get(table, ()))
    restored = tuple(column for column in columns if column not in staying)
    # As few columns as the image has: then the undo of this undo knows as well what it affects.
    only = restored if len(columns) < len(TABLES[table]) else ()
    changes.log_changing(db, table, f"id IN ({_IDS})", only=only, **of)
    db.run(
        f"""
        UPDATE {table} SET {", ".join(f"{column} = image.{column}" for column in restored)}
        FROM ({_read(db.dialect, table, restored, _FIRST)}) AS image
        WHERE {table}.user_id = :user_id AND {table}.id = image.object_id
        """,
        user_id=user_id,
        **of,
    )


def _read(dialect: Dialect, table: str, columns: tuple[str, ...], where: str) -> str:
    """SQL for images as rows of their table, with `object_id` beside them."""
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
    db: Unit, user_id: int, undone: int, table: str, *, besides: Mapping[str, list[int]], limit: int
) -> list[tuple[str, int]]:
    """Rows that refer to one of this table which the change created: table and id; for a part, those of its whole.

    Neither those that the change touched itself, or the part that refers, nor those in `besides`.
    """
    referring: dict[tuple[str, int], None] = {}
    of_change = f"SELECT changes.object_id FROM changes WHERE {_OF_CHANGE}"
    for other, column, named in _REFERENCES:
        whole, whole_id = WHOLES.get(other, (other, "id"))
        if named == table:
            rows = db.all(
                f"""
                SELECT {whole_id} FROM {other} WHERE user_id = :user_id
                    AND {column} IN ({of_change} AND changes.kind = '{table}' AND changes.action = 'created')
                    AND NOT {whole_id} IN ({of_change} AND changes.kind = '{whole}')
                    AND NOT id IN ({of_change} AND changes.kind = '{other}')
                    AND NOT {whole_id} IN :besides ORDER BY {whole_id} LIMIT :limit
                """,
                user_id=user_id,
                undone=undone,
                besides=besides.get(whole, []),
                limit=limit,
            )
            referring.update(((whole, int(row_id)), None) for (row_id,) in rows)
    return list(referring)


def find_wholes(db: Unit, user_id: int, undone: int, whole: str, runs: Sequence[ImageRun]) -> list[int]:
    """The ids of all objects of a kind that the change affected, themselves or through a part, now or before."""
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
    """The rows that the change created."""
    statement = f"SELECT object_id FROM changes WHERE {_OF_CHANGE} AND kind = :kind AND action = 'created'"
    return {row_id for (row_id,) in db.all(statement, user_id=user_id, undone=undone, kind=table)}


def read_former(db: Unit, user_id: int, undone: int, table: str, column: str) -> dict[int, Any]:
    """A column as it was before the change, by id, of the rows that it changed or removed."""
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
    """A column as of a revision, of rows that were changed or removed after it, by id."""
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
    """The rows of a table that later changes touched."""
    later = "user_id = :user_id AND kind = :kind AND revision > :revision"
    statement = f"SELECT DISTINCT object_id FROM changes WHERE {later}"
    return {row_id for (row_id,) in db.all(statement, user_id=user_id, kind=table, revision=revision)}


def find_used(db: Unit, user_id: int, table: str, ids: Sequence[int], *, besides: Collection[str]) -> set[int]:
    """Finds the rows that another row refers to, unless that is in a table in `besides`."""
    used: set[int] = set()
    for other, column, named in _REFERENCES:
        if named == table and other not in besides:
            statement = f"SELECT DISTINCT {column} FROM {other} WHERE user_id = :user_id AND {column} IN :ids"
            used |= {row_id for (row_id,) in db.all(statement, user_id=user_id, ids=list(ids))}
    return used


def remove(db: Unit, user_id: int, table: str, ids: Sequence[int]) -> None:
    """Deletes rows with their parts. Nothing else may refer to them."""
    _remove(db, user_id, table, "IN :ids", {"ids": list(ids)})


def _remove(db: Unit, user_id: int, table: str, which: str, parameters: dict[str, Any]) -> None:
    for part, column in (*PARTS.get(table, ()), (table, "id")):
        changes.delete(db, part, user_id, f"{column} {which}", **parameters)
