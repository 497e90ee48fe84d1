"""Stores what became of each row, and finds what a row may be: seen before, typed by hand, or half of a transfer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.bills import claim
from farthing.ledger.kinds import Type
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit

from .settle import SettledRow

# How far apart the days of a row and of its transaction may be: weekends, and banks that book later.
NEAR = timedelta(days=4)
# The same for two halves of a transfer if one names the account of the other.
NEAR_NAMED = timedelta(days=10)
_BOOKED = [int(Type.WITHDRAWAL), int(Type.DEPOSIT), int(Type.TRANSFER)]


class ImportedRow(Struct, frozen=True, kw_only=True):
    """Represents a row that was imported before. `is_there`: its transaction still exists."""

    on: date
    entry_id: int
    is_there: bool


class NearEntry(Struct, frozen=True, kw_only=True):
    """Represents a transaction with the amount of a row and near its day; several splits are added up, with the sides
    of the first.

    `imported_for` are the accounts whose files it came from: none if somebody typed it, or a recurrence made it.
    """

    entry_id: int
    split_id: int
    type: Type
    on: date
    units: int
    currency_id: int
    foreign_units: int | None = None
    foreign_currency_id: int | None = None
    reconciled: bool
    source_id: int
    destination_id: int
    text: str
    source_name: str
    destination_name: str
    imported_for: frozenset[int] = frozenset()
    is_split: bool = False


StoredOutcome = Literal["new", "linked", "paired"]


class ImportedRowDraft(Struct, frozen=True, kw_only=True):
    """`before` is what a transaction was before it became a transfer."""

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
    """Finds the rows that were imported before, by account and key, in one query."""
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


def find_keys(db: Unit, user_id: int, account_id: int, keys: list[str]) -> set[str]:
    """Finds the keys whose transactions still exist."""
    rows = db.all(
        """
        SELECT r.key FROM import_rows r JOIN entries e ON e.user_id = r.user_id AND e.id = r.entry_id
        WHERE r.user_id = :user_id AND r.account_id = :account_id AND r.key IN :keys
        """,
        user_id=user_id,
        account_id=account_id,
        keys=keys,
    )
    return {key for (key,) in rows}


def find_entry(db: Unit, user_id: int, key: str) -> int | None:
    """Finds the first transaction that a row without an account became."""
    entry_id: int | None = db.value(
        """
        SELECT r.entry_id FROM import_rows r JOIN entries e ON e.user_id = r.user_id AND e.id = r.entry_id
        WHERE r.user_id = :user_id AND r.account_id = 0 AND r.key = :key ORDER BY r.id LIMIT 1
        """,
        user_id=user_id,
        key=key,
    )
    return entry_id


_SIDES = """
    s.source_id, s.destination_id, e.description AS text, f.name AS source_name, t.name AS destination_name
"""
_JOINED = """
JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
JOIN accounts f ON f.user_id = s.user_id AND f.id = s.source_id
JOIN accounts t ON t.user_id = s.user_id AND t.id = s.destination_id
"""
_NEAR_ENTRIES = f"""
SELECT s.entry_id, s.id AS split_id, s.type, s.on_day AS "on", s.units, s.currency_id, s.foreign_units,
    s.foreign_currency_id, s.reconciled, {_SIDES}
FROM splits s {_JOINED}
WHERE s.user_id = :user_id AND s.{{units}} IN :units AND s.on_day BETWEEN :first AND :last AND s.type IN :types
    AND s.position = 0 AND NOT EXISTS (
        SELECT 1 FROM splits o WHERE o.user_id = s.user_id AND o.entry_id = s.entry_id AND o.position = 1
    )
ORDER BY s.entry_id
"""
_NEAR = {units: _NEAR_ENTRIES.format(units=units) for units in ("units", "foreign_units")}
# Whose splits add up: an account's file has one row for all of them. A split alone is no row's.
_NEAR_SUMS = f"""
SELECT s.entry_id, s.id AS split_id, s.type, s.on_day AS "on", total.units, s.currency_id,
    total.reconciled, 1 AS is_split, {_SIDES}
FROM (
    SELECT p.entry_id, CAST(SUM(p.units) AS BIGINT) AS units, MAX(p.reconciled) AS reconciled FROM splits p
    WHERE p.user_id = :user_id AND p.type IN :types AND p.entry_id IN (
        SELECT o.entry_id FROM splits o
        WHERE o.user_id = :user_id AND o.position = 1 AND o.on_day BETWEEN :first AND :last
    )
    GROUP BY p.entry_id HAVING SUM(p.units) IN :units AND MIN(p.currency_id) = MAX(p.currency_id)
) total
JOIN splits s ON s.user_id = :user_id AND s.entry_id = total.entry_id AND s.position = 0 {_JOINED}
"""


def find_near(db: Unit, user_id: int, rows: Sequence[SettledRow]) -> list[NearEntry]:
    """Finds the transactions that these rows may match, by amount and day, in four queries."""
    if not rows:
        return []
    days = [settled.row.on for settled in rows]
    amounts = [money for settled in rows for money in (settled.money, settled.foreign) if money]
    values = {
        "user_id": user_id,
        "units": sorted({money.units for money in amounts}),
        "first": (min(days) - NEAR_NAMED).isoformat(),
        "last": (max(days) + NEAR_NAMED).isoformat(),
        "types": _BOOKED,
    }
    statements = (_NEAR["units"], _NEAR["foreign_units"], _NEAR_SUMS)
    near = {entry.entry_id: entry for sql in statements for entry in db.structs(NearEntry, sql, **values)}
    imported = _imported_for(db, user_id, near)
    return [
        replace(entry, imported_for=imported[entry.entry_id]) if entry.entry_id in imported else entry
        for _, entry in sorted(near.items())
    ]


def _imported_for(db: Unit, user_id: int, entry_ids: Collection[int]) -> dict[int, frozenset[int]]:
    if not entry_ids:
        return {}
    rows = db.all(
        """
        SELECT entry_id, account_id FROM import_rows
        WHERE user_id = :user_id AND entry_id IN :ids AND account_id <> 0
        """,
        user_id=user_id,
        ids=sorted(entry_ids),
    )
    by_entry: dict[int, set[int]] = defaultdict(set)
    for entry_id, account_id in rows:
        by_entry[entry_id].add(account_id)
    return {entry_id: frozenset(accounts) for entry_id, accounts in by_entry.items()}


def forget_gone(db: Unit, user_id: int, rows: Sequence[SettledRow]) -> None:
    """Forgets rows whose transactions were deleted, before they are imported again."""
    where = """
    account_id IN :account_ids AND key IN :keys AND NOT EXISTS (
        SELECT 1 FROM entries e WHERE e.user_id = import_rows.user_id AND e.id = import_rows.entry_id
    )
    """
    account_ids = sorted({row.account.id for row in rows})
    changes.delete(db, "import_rows", user_id, where, account_ids=account_ids, keys=[row.key for row in rows])


def of_job(db: Unit, user_id: int, job_id: int) -> list[tuple[int, str, str | None]]:
    """Lists entry, outcome and what the entry was before, in the order of the rows."""
    rows = db.all(
        """
        SELECT entry_id, outcome, before FROM import_rows
        WHERE user_id = :user_id AND job_id = :job_id AND entry_id IS NOT NULL ORDER BY id
        """,
        user_id=user_id,
        job_id=job_id,
    )
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
# Who changes a transaction without anybody having edited it: bills that find it, imports that pair it, what takes back.
_MACHINES = (claim.KIND, "import_jobs.undo", "changes.take_back")


def find_changed(db: Unit, user_id: int, job_id: int, finished_at: str, running: str) -> list[tuple[str, str]]:
    """Finds description and day of the job's transactions that somebody changed later, or that another job paired.

    Reads the log of changes; where it does not reach back far enough, compares the day of the last change.
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
    rows = db.all(
        """
        SELECT entry_id FROM import_rows
        WHERE user_id = :user_id AND job_id = :job_id AND outcome = 'new' AND entry_id IS NOT NULL
        ORDER BY id DESC LIMIT :most
        """,
        user_id=user_id,
        job_id=job_id,
        most=most,
    )
    return sorted({entry_id for (entry_id,) in rows})


def get_revision(db: Unit, user_id: int) -> int:
    return int(db.value("SELECT revision FROM users WHERE id = :user_id", user_id=user_id) or 0)


def remove_of_entries(db: Unit, user_id: int, job_id: int, entry_ids: list[int]) -> None:
    where = "job_id = :job_id AND entry_id IN :ids"
    changes.delete(db, "import_rows", user_id, where, job_id=job_id, ids=entry_ids)


def remove_of_job(db: Unit, user_id: int, job_id: int) -> None:
    changes.delete(db, "import_rows", user_id, "job_id = :job_id", job_id=job_id)
