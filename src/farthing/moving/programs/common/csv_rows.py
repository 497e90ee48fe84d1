"""Reads CSV files of other programs: rows by column name, amounts, and the order of day and month in dates."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from io import StringIO

from msgspec import Struct

from farthing.kernel.limits import NAME_MAX

from ...findings import Findings, Unreadable, shorten
from ...formats.values import make_date
from .text import LINE_LETTERS_MAX, date_numbers, decode, head_lines, parse_number

ROWS_MAX = 500_000
COLUMNS_MAX = 200
_NUMBER = frozenset("0123456789.,'’ \u00a0\u202f")


class CsvRow(Struct, frozen=True):
    """Holds one record. `row` is the number of the line in which the record ends, as an editor shows it."""

    row: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


def first_header(head: bytes) -> list[str]:
    """Returns the column names of the first line, in lower case."""
    lines = head_lines(head, 1)
    if not lines or len(lines[0]) > LINE_LETTERS_MAX:
        return []
    return _names(next(csv.reader([lines[0]], delimiter=_delimiter(lines[0])), []))


def read_rows(content: bytes, name: str) -> tuple[list[str], Iterator[CsvRow]]:
    text = decode(content, name)
    header_line = text[: text.find("\n")] if "\n" in text else text
    reader = csv.reader(StringIO(text), delimiter=_delimiter(header_line[:LINE_LETTERS_MAX]), strict=False)
    header = _names(_next(reader, name) or [])
    if len(header) > COLUMNS_MAX:
        raise Unreadable(f"{name} has more than {COLUMNS_MAX} columns.")
    return header, _rows(reader, header, name)


def _rows(reader: "Iterator[list[str]]", header: list[str], name: str) -> Iterator[CsvRow]:
    number = 0
    while (cells := _next(reader, name)) is not None:
        number += 1
        if number > ROWS_MAX:
            raise Unreadable(f"{name} has more than {ROWS_MAX} rows.")
        if any(cell.strip() for cell in cells):
            row = reader.line_num  # type: ignore[attr-defined]
            extra = [cell for cell in cells[len(header) :] if cell.strip()]
            values = dict(zip(header, (cell.strip() for cell in cells), strict=False))
            yield CsvRow(row, {**values, "": " ".join(extra), "#": str(len(cells))})


def _next(reader: "Iterator[list[str]]", name: str) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        raise Unreadable(f"{name} cannot be read as CSV: {error}.") from error


def _names(cells: Sequence[str]) -> list[str]:
    return [cell.strip().strip("\ufeff").lower() for cell in cells]


def _delimiter(line: str) -> str:
    return max(",;\t", key=line.count)


def day_comes_first(values: Iterable[str]) -> bool | None:
    """Tells whether the dates of a column are written day before month; None if the dates do not reveal it."""
    firsts, seconds = False, False
    for value in values:
        numbers = date_numbers(value)
        if numbers and len(numbers) == 3 and numbers[0] < 1000:
            firsts = firsts or numbers[0] > 12
            seconds = seconds or numbers[1] > 12
    return None if firsts == seconds else firsts


def parse_day(value: str, *, day_first: bool) -> date | None:
    numbers = date_numbers(value)
    if not numbers or len(numbers) != 3:
        return None
    if numbers[0] >= 1000:
        return make_date(*numbers)
    first, second, year = numbers
    year = year + 2000 if year < 100 else year
    return make_date(year, second, first) if day_first else make_date(year, first, second)


def refuse_date(row: CsvRow, findings: Findings) -> None:
    message = f"“{shorten(row['date'])}” is not a date such as 2024-05-31 or 05/31/2024."
    findings.add(message, row.row, "date", rejects=True)


def refuse_value(row: CsvRow, field: str, right: str, findings: Findings) -> None:
    findings.add(f"“{shorten(row[field])}” is not a valid {field}; it must be {right}.", row.row, field, rejects=True)


def skip_zero(row: CsvRow, on: date, field: str, findings: Findings) -> None:
    findings.add(f"The row of {on} has an amount of zero and is not imported.", row.row, field)


def join_notes(row: CsvRow, payee: str, original: str) -> str | None:
    """Adds the bank's text to the notes, unless it is just the payee."""
    notes = [row["notes"], f"Bank's text: {original}" if original and original != payee else ""]
    return "\n".join(note for note in notes if note) or None


def split_tags(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag.strip()[:NAME_MAX] for tag in text.split(",") if tag.strip()))


def split_symbol(text: str) -> tuple[str, str]:
    """Splits an amount into currency symbol and number. Parentheses make the number negative."""
    inner = text.strip()
    negative = False
    if inner.startswith("(") and inner.endswith(")"):
        inner, negative = inner[1:-1].strip(), True
    symbol = "".join(letter for letter in inner if letter not in _NUMBER and letter not in "+-−")
    number = "".join(letter for letter in inner if letter in _NUMBER).strip(" \u00a0\u202f'’")
    number = number.strip(".") if symbol.endswith(".") else number
    negative ^= "-" in inner or "−" in inner
    return symbol, f"-{number}" if negative else number


def find_decimal_mark(values: Iterable[str]) -> str | None:
    """Returns the decimal mark of a file's amounts, or None if the amounts do not reveal it."""
    counts = {".": 0, ",": 0}
    for value in values:
        number = split_symbol(value)[1]
        last = max(number.rfind("."), number.rfind(","))
        if last >= 0 and ((set(number) >= {".", ","}) or len(number) - last in (2, 3)):
            counts[number[last]] += 1
    if not any(counts.values()):
        return None
    return "." if counts["."] >= counts[","] else ","


def parse_amount(text: str, decimal_mark: str | None) -> Decimal | None:
    """Parses an amount. Returns zero for an empty text, and None for an invalid one."""
    if not text.strip():
        return Decimal(0)
    symbol, number = split_symbol(text)
    return parse_number(number, decimal_mark=decimal_mark) if len(symbol) <= 6 else None
