"""Decides which rows were imported before, and which repeat an earlier row of the same import. Has no side effects."""

from collections.abc import Mapping, Sequence

from .imported_rows import ImportedRow
from .options import DeletedRows, ImportOptions
from .settle import SAME_ID, SettledRow
from .verdicts import Duplicate, PlannedRow, Rows


def find_duplicates(
    settled: Sequence[SettledRow], imported: Mapping[tuple[int, str], Sequence[ImportedRow]], options: ImportOptions
) -> Rows:
    """Returns all rows. Those that were imported before, or that repeat an earlier row, are marked as duplicates."""
    first: dict[tuple[int, str], SettledRow] = {}
    rows = []
    for row in settled:
        key = row.account.id, row.key
        before = _find_same(row, imported.get(key, ()))
        earlier = first.get(key)
        if before and before.is_there:
            verdict = Duplicate(of=before.entry_id, why="It was imported before.")
            rows.append(PlannedRow(settled=row, verdict=verdict))
        elif before and options.deleted == DeletedRows.SKIP:
            rows.append(PlannedRow(settled=row, verdict=_DELETED, was_deleted=True))
        elif earlier and abs(earlier.row.on - row.row.on) <= SAME_ID:
            rows.append(PlannedRow(settled=row, verdict=Duplicate(why=_say_repeated(row, earlier))))
        else:
            rows.append(PlannedRow(settled=row, was_deleted=before is not None))
            first[key] = row
    return rows


_DELETED = Duplicate(
    why="It was imported before, and its transaction was deleted: import with deleted=again to get it back."
)


def _find_same(row: SettledRow, imported: Sequence[ImportedRow]) -> ImportedRow | None:
    """Finds the earlier import of a row. If there are several, prefers one whose transaction still exists."""
    near = [before for before in imported if not row.row.bank_id or abs(before.on - row.row.on) <= SAME_ID]
    return max(near, key=lambda before: before.is_there, default=None)


def _say_repeated(row: SettledRow, earlier: SettledRow) -> str:
    if row.row.bank_id:
        return f"It repeats row {earlier.row.row}: the bank's id and the amount are the same."
    return f"It repeats row {earlier.row.row}, which is in an earlier file of this import."
