"""Finds the table in the first lines of a file: its delimiter, its header, and the lines above and below it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct, structs

from ...statements import NO_ACCOUNT, BankAccount
from ..values import has_check_digits
from .amounts import is_amount
from .cells import account_of, find_iban, parse_currency
from .dates import is_day
from .layout import DELIMITERS, FOOTER_MAX, PREAMBLE_MAX, CsvLayout, find_column
from .table import COLUMNS_MAX, records
from .words import ACCOUNT_LABELS, CURRENCY_LABELS, SUMMARY_WORDS, is_balance, match_roles, plain

Lines = Sequence[tuple[int, str]]
Cells = list[str]
_ROWS_SCORED = 60
# The number of lines above a header that may look like rows.
_LIKE_DATA_MAX = 5
_MONEY = {"amount", "debit", "credit", "balance", "sign"}
_IBAN_INSIDE = re.compile(r"\b[A-Z]{2}[0-9]{2}[A-Z0-9 ]{10,40}")
_CODE_IN_HEADER = re.compile(r"(?:[(\[]\s*([A-Z]{3})\s*[)\]]|\bin ([A-Z]{3}))\s*$|\b(EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK)$")
_SIGN_IN_HEADER = {"€": "EUR", "£": "GBP"}


class Dialect(Struct, frozen=True, kw_only=True):
    delimiter: str
    quote: str


class Sample(Struct, frozen=True, kw_only=True):
    """Holds the sample's table: its `header`, if any, and the `rows` below it with their line numbers."""

    delimiter: str
    quote: str
    preamble: int
    header: Cells | None
    rows: list[tuple[int, Cells]]
    width: int


def choose_delimiter(lines: Lines, chosen: Mapping[str, Any]) -> Dialect:
    """Chooses the delimiter and quote with which most rows have a date and an amount in separate cells."""
    delimiters = [chosen["delimiter"]] if "delimiter" in chosen else list(DELIMITERS)
    if "delimiter" not in chosen and lines and lines[0][1][:4].lower() == "sep=" and lines[0][1][4:5] in DELIMITERS:
        delimiters = [lines[0][1][4:5]]
    quotes = [chosen["quote"]] if "quote" in chosen else _possible_quotes(lines)
    choices = [Dialect(delimiter=delimiter, quote=quote) for delimiter in delimiters for quote in quotes]
    return max(choices, key=lambda choice: _score(lines, choice))


def _possible_quotes(lines: Lines) -> list[str]:
    """Returns the double quote, the single quote if it occurs, and no quote if double quotes may be plain text."""
    letters = {mark for _, line in lines[: _ROWS_SCORED * 2] for mark in "\"'" if mark in line}
    return ['"', *(["'"] if "'" in letters else []), *([""] if '"' in letters else [])]


def _score(lines: Lines, choice: Dialect) -> tuple[int, int, int, int]:
    """Rates a delimiter and quote by rows of data, words of a header, leftover quotes, and rows of the same width."""
    rows = split(lines[: _ROWS_SCORED * 2], choice)
    data = sum(is_data(cells) for _, cells in rows)
    words = max((_count_words(cells) for _, cells in rows[:_ROWS_SCORED]), default=0)
    columns = Counter(len(cells) for _, cells in rows).most_common(1)
    agreeing = columns[0][1] if columns and columns[0][0] > 1 else 0
    quoted = (cell for _, row in rows for cell in row if cell.startswith(("'", '"')))
    leftover = sum(cell[0] == cell[-1] and len(cell) > 1 for cell in quoted)
    return data, words, -leftover, agreeing


def split(lines: Lines, choice: Dialect) -> list[tuple[int, Cells]]:
    rows = records((line for line in lines if line[1].strip()), delimiter=choice.delimiter, quote=choice.quote)
    return [(number, cells[: COLUMNS_MAX + 1]) for number, cells in rows if cells is not None]


def is_data(cells: Cells) -> bool:
    day = _place_of_day(cells)
    if day is None:
        return False
    others = (cell for index, cell in enumerate(cells[:60]) if index != day and cell)
    return any(is_amount(cell) and not is_day(cell.strip()) for cell in others)


def _place_of_day(cells: Cells) -> int | None:
    return next((index for index, cell in enumerate(cells[:60]) if cell and is_day(cell.strip())), None)


def _count_words(cells: Cells) -> int:
    """Counts the cells of a possible header that name roles; at most 1 unless both a date and an amount are named."""
    if len(cells) < 2 or any(cell.strip() and (is_day(cell.strip()) or is_amount(cell)) for cell in cells[:60]):
        return 0
    named = [matches for cell in cells[:60] if (matches := match_roles(cell.strip()))]
    roles = {role for matches in named for role in matches}
    return len(named) if "date" in roles and roles & _MONEY else min(len(named), 1)


def find_table(lines: Lines, dialect: Dialect, chosen: Mapping[str, Any]) -> Sample:
    rows = split(lines[chosen.get("preamble", 0) :], dialect)
    header_at = _find_header(rows, chosen)
    if header_at is not None:
        number, header = rows[header_at]
        below = rows[header_at + 1 :]
        width = max(_usual_width(below), len(_trimmed(header)))
        return _sample(dialect, chosen.get("preamble", number - 1), _trimmed(header), below, width)
    first = next((index for index, (_, cells) in enumerate(rows) if is_data(cells)), 0)
    below = rows if "preamble" in chosen else rows[first:]
    preamble = chosen.get("preamble", below[0][0] - 1 if below else 0)
    return _sample(dialect, min(preamble, PREAMBLE_MAX), None, below, _usual_width(below))


def _sample(dialect: Dialect, preamble: int, header: Cells | None, rows: list[tuple[int, Cells]], width: int) -> Sample:
    data = [row for row in rows if is_data(row[1]) and not any(map(is_balance, row[1]))]
    shapes = [(len(cells), _place_of_day(cells)) for _, cells in data]
    usual = Counter(shapes).most_common(1)
    data = [row for row, shape in zip(data, shapes, strict=True) if shape == usual[0][0]]
    return Sample(
        delimiter=dialect.delimiter,
        quote=dialect.quote,
        preamble=preamble,
        header=header,
        rows=data or [row for row in rows if any(cell.strip() for cell in row[1])],
        width=min(width, COLUMNS_MAX),
    )


def _trimmed(header: Cells) -> Cells:
    return header[: max((end for end, cell in enumerate(header, 1) if cell.strip()), default=0)]


def _usual_width(rows: list[tuple[int, Cells]]) -> int:
    data = [len(cells) for _, cells in rows if is_data(cells)] or [len(cells) for _, cells in rows]
    return Counter(data).most_common(1)[0][0] if data else 0


def _find_header(rows: list[tuple[int, Cells]], chosen: Mapping[str, Any]) -> int | None:
    """Finds the row above the data that names the most roles; otherwise a row of words directly above the data."""
    if chosen.get("header") is False or not rows:
        return None
    if chosen.get("header") and "preamble" in chosen:
        return 0
    # Rows of data have the usual number of cells.
    width = _usual_width(rows)
    above = next((index for index, (_, cells) in enumerate(rows) if len(cells) == width and is_data(cells)), 0)
    counts = [_count_words(cells) for _, cells in rows[: above or _ROWS_SCORED]]
    most = max(counts, default=0)
    if most >= 2:
        return max(index for index, count in enumerate(counts) if count == most)
    below = _find_below_preamble(rows)
    if below is not None:
        return below
    if above and (_is_wordy(rows[above - 1][1], len(rows[above][1])) or chosen.get("header")):
        return above - 1
    return 0 if chosen.get("header") else None


def _find_below_preamble(rows: list[tuple[int, Cells]]) -> int | None:
    """Finds a header that is above the data but below a few lines that only look like data, such as a balance."""
    indexes = (index for index, (_, cells) in enumerate(rows[:_ROWS_SCORED]) if _count_words(cells) >= 2)
    index = next(indexes, None)
    if index is None:
        return None
    above, below = (sum(is_data(cells) for _, cells in some) for some in (rows[:index], rows[index + 1 :]))
    return index if above <= min(below, _LIKE_DATA_MAX) else None


def _is_wordy(cells: Cells, width: int) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    without_digits = sum(not any(letter.isdigit() for letter in cell) for cell in filled)
    return abs(len(cells) - width) <= 1 and len(filled) >= 2 and without_digits * 10 >= len(filled) * 8


def find_footer(tail: Lines, layout: CsvLayout, sample: Sample) -> int:
    """Counts the lines at the end that are not transactions, such as totals. A bad date alone is not enough."""
    if not layout.of("date"):
        return 0
    on = find_column(layout.of("date")[0], sample.header, COLUMNS_MAX)
    rows = split(tail, Dialect(delimiter=layout.delimiter, quote=layout.quote))
    first_row = sample.rows[0][0] if sample.rows else 0
    footer_rows = 0
    for number, cells in reversed(rows):
        is_below = _is_footer(cells, on or 0, sample.width) or (not footer_rows and _is_short(cells, rows, sample))
        if number < first_row or not is_below:
            break
        footer_rows += 1
    lines_below = [line for line in tail if line[1].strip()]
    start = rows[-footer_rows][0] if footer_rows else 0
    return min(sum(line[0] >= start for line in lines_below), FOOTER_MAX) if 0 < footer_rows < len(rows) else 0


def _is_short(cells: Cells, rows: list[tuple[int, Cells]], sample: Sample) -> bool:
    """Recognizes a balance below a table without a header: the only short row, at most half as wide as the table."""
    short_rows = sum(len(row_cells) < sample.width for _, row_cells in rows)
    return sample.header is None and len(cells) * 2 <= sample.width and short_rows == 1


def _is_footer(cells: Cells, on: int, width: int) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    day = cells[on].strip() if on < len(cells) else ""
    if day and (is_day(day) or day[0].isdigit()):
        return False
    words = {word for cell in filled for word in plain(cell).split()}
    says_so = bool(words & SUMMARY_WORDS) or any(map(is_balance, filled))
    return says_so or len(filled) <= 2 or len(cells) < width


def account_in(lines: Sequence[str], delimiter: str, quote: str) -> BankAccount:
    """Finds the account in the lines above a table by labels (`IBAN;DE…`, `Konto: 123456`) or by a single IBAN."""
    labels: dict[str, str] = {}
    for label, value in _labelled(lines, delimiter, quote):
        if label in CURRENCY_LABELS and (code := parse_currency(value)):
            labels.setdefault("currency", code)
        elif label in ACCOUNT_LABELS and any(letter.isdigit() for letter in value):
            labels.setdefault("iban" if find_iban(value) else "number", value)
    ibans = {iban for line in lines for text in _IBAN_INSIDE.findall(line[:1000]) if (iban := _begins_with_iban(text))}
    named = labels.get("iban") or (ibans.pop() if len(ibans) == 1 else labels.get("number"))
    if named is None:
        return BankAccount(currency=labels["currency"]) if "currency" in labels else NO_ACCOUNT
    account = account_of(named.strip(), labels.get("currency"))
    number = account_of(labels["number"]).number if account.iban and "number" in labels else account.number
    return structs.replace(account, number=number)


def _begins_with_iban(text: str) -> str | None:
    """Finds an IBAN at the start of a text: joins words until the check digits are right. Other words may follow."""
    words = text.split()
    beginnings = (find_iban("".join(words[: count + 1])) for count in range(len(words)))
    return next((iban for iban in beginnings if iban and has_check_digits(iban)), None)


def _labelled(lines: Sequence[str], delimiter: str, quote: str) -> Iterator[tuple[str, str]]:
    """Yields pairs of label and value: two neighbouring filled cells, or the two texts around a colon in a cell."""
    for _, cells in records(enumerate(lines), delimiter=delimiter, quote=quote):
        filled = [cell.strip() for cell in (cells or [])[:50] if cell.strip()]
        for cell in filled:
            label, colon, value = cell.partition(":")
            if colon and value.strip():
                yield plain(label), value.strip()
        yield from ((plain(cell), value) for cell, value in pairwise(filled))


def currency_of_column(layout: CsvLayout, header: Sequence[str] | None) -> str | None:
    for role in ("amount", "credit", "debit"):
        for column in layout.of(role):
            index = find_column(column, header, COLUMNS_MAX)
            if header and index is not None and index < len(header):
                match = _CODE_IN_HEADER.search(header[index].strip()[:200])
                if match:
                    return match[1] or match[2] or match[3]
                return next((code for sign, code in _SIGN_IN_HEADER.items() if sign in header[index]), None)
    return None
