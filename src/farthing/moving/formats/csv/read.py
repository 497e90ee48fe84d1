"""Reads a table of transactions by its layout: one statement, row by row, in constant memory."""

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from ...findings import Finding, Unreadable
from ...statements import StatementEnd, StatementParts, StatementRow, StatementStart
from ..text import decode, lines
from .cells import clean_text
from .layout import CsvLayout, find_problems
from .preamble import account_in, currency_of_column
from .rows import TableRowReader
from .table import COLUMNS_MAX, LINE_CHARS_MAX, Record, records, without_footer

REJECTED_MAX = 10_000
_BROKEN_QUOTE = "A quote is opened in this line and not closed in the right place."


def read(file: BinaryIO, layout: CsvLayout) -> StatementParts:
    """The file must be seekable; it is read twice, the first time to be sure of its encoding."""
    text, _ = decode(file, layout.encoding)
    numbered = lines(text, LINE_CHARS_MAX)
    preamble = [line for _, line in islice(numbered, layout.preamble)]
    footer: list[tuple[int, str]] = []
    body = without_footer(numbered, layout.footer, footer)
    table = records(body, delimiter=layout.delimiter, quote=layout.quote)
    header, rows = _take_header(table, layout)
    account = account_in(preamble, layout.delimiter, layout.quote)
    currency = currency_of_column(layout, header) or account.currency
    yield StatementStart(account=account, currency=currency)
    if rows:
        yield from _rows(rows, layout, header, currency)
    for number, line in footer:
        yield Finding(row=number, message=f"This line is below the table, and is skipped: “{clean_text(line)[:80]}”.")
    yield StatementEnd()


def _take_header(table: Iterator[Record], layout: CsvLayout) -> tuple[list[str] | None, Iterator[Record] | None]:
    """Returns the header, None without one, and the rows below, or None if the file ends before them."""
    first = next(table, None)
    if first is None:
        if layout.header:
            raise Unreadable("The file has no header: it ends before, or the preamble is too long.")
        return None, None
    row, cells = first
    if cells is None:
        raise Unreadable(f"In line {row} a quote is opened and never closed, and it should be the first of the table.")
    if len(cells) > COLUMNS_MAX:
        raise Unreadable(f"Line {row} has {len(cells)} columns; at most {COLUMNS_MAX} can be read.")
    header = cells if layout.header else None
    problems = find_problems(layout, header, len(cells))
    if problems:
        raise Unreadable(" ".join(dict.fromkeys(problem.message for problem in problems)))
    return header, table if layout.header else _chain(first, table)


def _chain(first: Record, rest: Iterator[Record]) -> Iterator[Record]:
    yield first
    yield from rest


def _rows(
    table: Iterator[Record], layout: CsvLayout, header: list[str] | None, currency: str | None
) -> Iterator[StatementRow | Finding]:
    reader = TableRowReader(layout, header, currency)
    read_row = reader.read
    rejected = 0
    for number, cells in table:
        row = None if cells is None else read_row(number, cells)
        if row is not None:
            yield row
        elif cells is None:
            reader.findings.append(Finding(row=number, message=_BROKEN_QUOTE, rejects=True))
        if reader.findings:
            rejected += reader.findings[-1].rejects
            yield from reader.findings
            reader.findings.clear()
            if rejected > REJECTED_MAX:
                raise Unreadable(f"More than {REJECTED_MAX} rows cannot be read. Is this the right file and mapping?")
