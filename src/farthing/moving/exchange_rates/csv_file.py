"""Reads exchange rates from CSV with the columns date, from, to and rate; the header line is optional."""

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from io import StringIO

from farthing.books.exchange_rates.model import find_rate_problem
from farthing.kernel.errors import Problem

from .rows import PROBLEMS_MAX, ROWS_MAX, RateRow, row_problem

COLUMNS = ("date", "from", "to", "rate")
# The names that other programs give to the columns.
_NAMES = {
    "date": ("date", "day", "on", "time", "datum"),
    "from": ("from", "from_currency", "from_currency_code", "base", "source", "von"),
    "to": ("to", "to_currency", "to_currency_code", "currency", "quote", "target", "nach"),
    "rate": ("rate", "value", "price", "kurs"),
}
_DELIMITERS = ",;\t"
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CODE = re.compile("[A-Z0-9]{3}")
_NUMBER = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?")

Cells = dict[str, str]


def read_csv(text: str) -> tuple[list[RateRow], list[Problem]]:
    """Returns the rows and the problems with them. If there are problems, some rows may be missing."""
    lines = text.lstrip("\ufeff").splitlines()
    delimiter = max(_DELIMITERS, key=lines[0].count) if lines else ","
    rows: list[RateRow] = []
    problems: list[Problem] = []
    try:
        for number, cells in _split(text.lstrip("\ufeff"), delimiter, problems):
            row = _read_row(number, cells, problems, decimal_comma=delimiter != ",")
            if row:
                rows.append(row)
            if len(problems) >= PROBLEMS_MAX or len(rows) > ROWS_MAX:
                break
    except csv.Error as error:
        problems.append(Problem("file", f"The file cannot be read as CSV: {error}."))
    if len(rows) > ROWS_MAX:
        problems.append(Problem("file", f"The file has more than {ROWS_MAX} rows: import it in parts."))
    if not rows and not problems:
        problems.append(Problem("file", f"The file has no rows. Each row is {', '.join(COLUMNS)}."))
    return rows, problems[:PROBLEMS_MAX]


def _split(text: str, delimiter: str, problems: list[Problem]) -> Iterator[tuple[int, Cells]]:
    """Yields, for each row, the number of its line and its cells by column name."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    order: Sequence[int] | None = None
    for cells in reader:
        words = [cell.strip().lstrip("'") for cell in cells]
        if not any(words):
            continue
        if order is None:
            order = _find_columns(words)
            if order is None:
                names = ", ".join(COLUMNS)
                sentence = f"The first line must be a header with the columns {names}, or a row with a value for each."
                problems.append(Problem("file", sentence))
                return
            if not any(_DAY.match(word) for word in words):
                continue
        yield (
            reader.line_num,
            {name: words[at] if at < len(words) else "" for name, at in zip(COLUMNS, order, strict=True)},
        )


def _find_columns(words: list[str]) -> list[int] | None:
    """Finds the index of each column by its name in the first line. Returns None if a name is missing. If the first
    line already has values, the columns are in the order of `COLUMNS`.
    """
    if any(_DAY.match(word) for word in words):
        return list(range(len(COLUMNS)))
    named = [word.lower().replace(" ", "_") for word in words]
    places = [next((named.index(name) for name in _NAMES[column] if name in named), None) for column in COLUMNS]
    indexes = [index for index in places if index is not None]
    return indexes if len(indexes) == len(COLUMNS) else None


def _read_row(number: int, cells: Cells, problems: list[Problem], *, decimal_comma: bool) -> RateRow | None:
    on, text = _read_day(cells["date"]), cells["rate"]
    plain = text.replace(",", ".") if decimal_comma else text
    rate = Decimal(plain) if _NUMBER.fullmatch(plain) else None
    codes = {name: cells[name].upper() for name in ("from", "to")}
    wrong = {
        name: f"{name} must be the three letters of a currency, not '{cells[name][:20]}'."
        for name, code in codes.items()
        if not _CODE.fullmatch(code)
    }
    if on is None:
        wrong["date"] = f"the date must be written like 2024-05-31, not '{cells['date'][:20]}'."
    if rate is None:
        wrong["rate"] = f"the rate must be a number like 1.0834, not '{cells['rate'][:20]}'."
    elif sentence := find_rate_problem(rate):
        wrong["rate"] = f"the rate {sentence}."
    problems += [row_problem(number, name, sentence) for name, sentence in wrong.items()]
    if wrong or on is None or rate is None:
        return None
    return RateRow(number=number, on=on, from_code=codes["from"], to_code=codes["to"], rate=rate)


def _read_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None
    return day if day and day.year >= 1000 else None
