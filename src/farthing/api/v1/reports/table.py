"""Writes a report as CSV."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from msgspec import Raw, Struct

from farthing.http.request.call import Answer
from farthing.moving.formulas import mark_formula

MEDIA_TYPE = "text/csv"

# Numbers are written as in JSON. Texts are written so that no spreadsheet mistakes them for formulas.
Cell = str | int | Raw | None


class Table(Struct, frozen=True):
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]

    def with_columns(self, **cells: Cell) -> "Table":
        """Adds the same cells to every row."""
        return Table((*self.columns, *cells), ((*row, *cells.values()) for row in self.rows))


def answer_table(name: str, table: Table) -> Answer:
    """Answers with the table as a CSV file. `name` is the name of the file without its extension."""
    buffer = StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(table.columns)
    writer.writerows([_write(cell) for cell in row] for row in table.rows)
    headers = (("content-disposition", f'attachment; filename="{name}.csv"'),)
    return Answer(Raw(buffer.getvalue().encode()), media_type=f"{MEDIA_TYPE}; charset=utf-8", headers=headers)


def _write(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Raw):
        return bytes(cell).decode()
    return str(cell) if isinstance(cell, int) else mark_formula(cell)
