"""Stores what became of each imported row, and finds rows that were imported before."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from msgspec import Struct

from farthing.books.bills import claim
from farthing.books.entry_links.model import LinkEnd
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit

from .settle import SettledRow


class ImportedRow(Struct, frozen=True, kw_only=True):
    """Represents a row that was imported before. `is_there` says whether its transaction still exists."""

    on: date
    entry_id: int
    is_there: bool


StoredOutcome = Literal["new", "linked", "paired"]


class ImportedRowDraft(Struct, frozen=True, kw_only=True):
    """Describes an imported row to store, and the state of its transaction `before` that became a transfer."""

    account_id: int
    row: int
    on: date
    key: str
    outcome: StoredOutcome
    entry_id: int
    before: str | None = None


_ADD = """
INSERT INTO import_rows (user_id, job_id, account_id, row_number, on_day, key, outcome, entry_id, before)
VALUES (:user_id, :job_id, :account_id, :row_number, :on_day, :key, :outcome, :entry_id, :before)
"""


def add(db: Unit, user_id: int, job_id: int, rows: Iterable[ImportedRowDraft]) -> None:
    db.many(
        _ADD,
        [
            (user_id, job_id, row.account_id, row.row, row.on.isoformat(), row.key, row.outcome, row.entry_id,
             row.before)
            for row in rows
        ],
    )  # fmt: skip


class _KeyedRow(Struct, frozen=True):
    account_id: int
    key: str
    row: ImportedRow


def find_imported(db: Unit, user_id: int, rows: Sequence[SettledRow]) -> dict[tuple[int, str], list[ImportedRow]]:
    """Finds earlier imports of these rows, keyed by account and row key, with one query."""
    keyed_rows = db.structs(
        _KeyedRow,
        """
        SELECT r.account_id, r.key, r.on_day AS "on", r.entry_id, e.id IS NOT NULL AS is_there FROM import_rows r
        LEFT JOIN entries e ON e.user_id = r.user_id AND e.id = r.entry_id
        WHERE r.user_id = :user_id AND r.account_id IN :account_ids AND r.key IN :keys ORDER BY r.id
        """,
        user_id=user_id,
        account_ids=sorted({row.account.id for row in rows}),
        keys=[row.key for row in rows],
    )
    by_key: dict[tuple[int, str], list[ImportedRow]] = defaultdict(list)
    for keyed in keyed_rows:
        by_key[keyed.account_id, keyed.key].append(keyed.row)
    return by_key


def find_entries(db: Unit, user_id: int, account_id: int, keys: list[str]) -> dict[str, int]:
    """Finds, for each key, the first transaction that came from a row with this key and that still exists."""
    sql = """
    SELECT r.key, r.entry_id FROM import_rows r JOIN entries e ON e.user_id = r.user_id AND e.id = r.entry_id
    WHERE r.user_id = :user_id AND r.account_id = :account_id AND r.key IN :keys ORDER BY r.id DESC
    """
    return dict(db.all(sql, user_id=user_id, account_id=account_id, keys=keys))


class _KeyedEnd(Struct, frozen=True):
    key: str
    end: LinkEnd


def find_ends(db: Unit, user_id: int, account_id: int, keys: list[str]) -> dict[str, list[LinkEnd]]:
    """Finds, for each key, the splits of the transactions that came from rows with this key, in their order."""
    sql = """
    SELECT r.key, s.entry_id AS "end.entry_id", s.id AS "end.split_id" FROM import_rows r
    JOIN splits s ON s.user_id = r.user_id AND s.entry_id = r.entry_id
    WHERE r.user_id = :user_id AND r.account_id = :account_id AND r.key IN :keys ORDER BY s.entry_id, s.position
    """
    ends: dict[str, list[LinkEnd]] = defaultdict(list)
    for row in db.structs(_KeyedEnd, sql, user_id=user_id, account_id=account_id, keys=keys):
        ends[row.key].append(row.end)
    return ends


def forget_gone(db: Unit, user_id: int, rows: Sequence[SettledRow]) -> None:
    """Forgets rows whose transactions were deleted, so that the rows can be imported again."""
    where = """
    account_id IN :account_ids AND key IN :keys AND NOT EXISTS (
        SELECT 1 FROM entries e WHERE e.user_id = import_rows.user_id AND e.id = import_rows.entry_id
    )
    """
    account_ids = sorted({row.account.id for row in rows})
    changes.delete(db, "import_rows", user_id, where, account_ids=account_ids, keys=[row.key for row in rows])


def of_job(db: Unit, user_id: int, job_id: int) -> list[tuple[int, str, str | None]]:
    """Lists a job's entries in the order of its rows, with the outcome and the state before becoming a transfer."""
    sql = """
    SELECT entry_id, outcome, before FROM import_rows
    WHERE user_id = :user_id AND job_id = :job_id AND entry_id IS NOT NULL ORDER BY id
    """
    rows = db.all(sql, user_id=user_id, job_id=job_id)
    return [(entry_id, outcome, before) for entry_id, outcome, before in rows]


_CHANGED = """
SELECT e.description, e.on_day FROM entries e WHERE e.user_id = :user_id AND e.id IN (
    SELECT entry_id FROM import_rows
    WHERE user_id = :user_id AND job_id = :job_id AND (outcome = 'new' OR before IS NOT NULL)
) AND (EXISTS (
    SELECT 1 FROM import_rows i
    WHERE i.user_id = e.user_id AND i.entry_id = e.id AND i.job_id <> :job_id AND i.outcome = 'paired'
) OR EXISTS (
    SELECT 1 FROM changes c JOIN revisions r ON r.user_id = c.user_id AND r.revision = c.revision
    WHERE c.user_id = e.user_id AND c.kind = 'entries' AND c.object_id = e.id AND c.action = 'changed'
        AND NOT (r.doing IN :machines) AND c.revision > COALESCE((
            SELECT MAX(p.revision) FROM changes p JOIN revisions q ON q.user_id = p.user_id AND q.revision = p.revision
            WHERE p.user_id = e.user_id AND p.kind = 'entries' AND p.object_id = e.id AND q.doing = :running
                AND EXISTS (
                    SELECT 1 FROM import_rows i WHERE i.user_id = e.user_id AND i.entry_id = e.id
                        AND i.job_id = :job_id AND i.outcome = 'paired'
                )
        ), 0)
) OR e.updated_at > :finished_at AND NOT EXISTS (
    SELECT 1 FROM changes c
    WHERE c.user_id = e.user_id AND c.kind = 'entries' AND c.object_id = e.id AND c.action = 'changed'
)) ORDER BY e.id
"""
# Changes that nobody made by editing a transaction: linking it to a bill, and undoing imports or other changes.
_MACHINES = (claim.KIND, "import_jobs.undo", "changes.take_back")


def find_changed(db: Unit, user_id: int, job_id: int, finished_at: str, running: str) -> list[tuple[str, str]]:
    """Finds the descriptions and days of the job's transactions that somebody changed later, or that another job
    paired. Reads the change log. If the log has no changes to a transaction, compares the time of its last update
    instead.
    """
    rows = db.all(
        _CHANGED,
        user_id=user_id,
        job_id=job_id,
        finished_at=finished_at,
        running=running,
        machines=[*_MACHINES, running],
    )
    return [(description, on_day) for description, on_day in rows]


def last_of_job(db: Unit, user_id: int, job_id: int, most: int) -> list[int]:
    sql = """
    SELECT entry_id FROM import_rows
    WHERE user_id = :user_id AND job_id = :job_id AND outcome = 'new' AND entry_id IS NOT NULL
    ORDER BY id DESC LIMIT :most
    """
    return sorted({entry_id for (entry_id,) in db.all(sql, user_id=user_id, job_id=job_id, most=most)})


def get_revision(db: Unit, user_id: int) -> int:
    return int(db.value("SELECT revision FROM users WHERE id = :user_id", user_id=user_id) or 0)


def remove_of_entries(db: Unit, user_id: int, job_id: int, entry_ids: list[int]) -> None:
    where = "job_id = :job_id AND entry_id IN :ids"
    changes.delete(db, "import_rows", user_id, where, job_id=job_id, ids=entry_ids)


def remove_of_job(db: Unit, user_id: int, job_id: int) -> None:
    changes.delete(db, "import_rows", user_id, "job_id = :job_id", job_id=job_id)
