"""Defines the layout of a table of transactions, which in the API is the `mapping` of an import."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from msgspec import Struct

from farthing.kernel.errors import Problem

from ...findings import Unreadable
from ..text import decode
from .dates import ORDERS
from .words import ROLES, plain

PREAMBLE_MAX = 200
FOOTER_MAX = 200
DELIMITERS = (",", ";", "\t", "|")
QUOTES = ('"', "'", "")
DECIMALS = (".", ",")
THOUSANDS = ("", ".", ",", " ", "'")
# Roles that may have several columns.
TEXT_ROLES = ("description", "payee", "payer", "notes", "tags")

# A column's name in the header, or its index from 0.
Column = str | int


class CsvLayout(Struct, frozen=True, kw_only=True):
    """Describes a table. `columns` maps roles to columns; only a role in `TEXT_ROLES` may have several. `preamble` is
    the number of lines above the header (or the first row), `footer` the number of non-blank lines below the last row.
    If `thousands` is a space, narrow and non-breaking spaces are read in the same way.
    """

    columns: Mapping[str, Column | tuple[Column, ...]]
    encoding: str = "UTF-8"
    delimiter: str = ","
    quote: str = '"'
    decimal: str = "."
    thousands: str = ","
    date_order: str = "ymd"
    header: bool = True
    preamble: int = 0
    footer: int = 0
    invert: bool = False

    def of(self, role: str) -> tuple[Column, ...]:
        columns = self.columns.get(role, ())
        return columns if isinstance(columns, tuple) else (columns,)


FIELDS = CsvLayout.__struct_fields__
_CHOICES = {
    "delimiter": (DELIMITERS, "a comma, a semicolon, a tab or |"),
    "quote": (QUOTES, "a double quote, a single quote or empty"),
    "decimal": (DECIMALS, "a point or a comma"),
    "thousands": (THOUSANDS, "empty, a point, a comma, a space or an apostrophe"),
    "date_order": (ORDERS, "dmy, mdy or ymd"),
}
_COUNTS = {"preamble": PREAMBLE_MAX, "footer": FOOTER_MAX}


def check_fields(data: object) -> tuple[dict[str, Any], list[Problem]]:
    """Returns the valid part of a mapping sent as JSON, and a problem for each invalid part. Fields may be absent."""
    if not isinstance(data, Mapping):
        return {}, [Problem("mapping", "The mapping must be an object.")]
    right: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value in data.items():
        sentence = _sentence_about(str(name), value)
        if sentence:
            problems.append(Problem(f"mapping.{str(name)[:80]}", sentence))
        elif name != "columns":
            right[name] = value
    if "columns" in data:
        right["columns"], wrong = _check_columns(data["columns"])
        problems += wrong
    return right, problems


def _sentence_about(name: str, value: object) -> str | None:
    if name in _CHOICES:
        choices, words = _CHOICES[name]
        return None if value in choices else f"The {name.replace('_', ' ')} must be {words}."
    if name in _COUNTS:
        fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _COUNTS[name]
        return None if fits else f"The {name} must be a number of lines from 0 to {_COUNTS[name]}."
    if name in ("header", "invert"):
        return None if isinstance(value, bool) else f"The {name} must be true or false."
    if name == "encoding":
        return _about_encoding(value)
    return None if name == "columns" else f"There is no such setting. The settings are {', '.join(FIELDS)}."


def _about_encoding(value: object) -> str | None:
    if not isinstance(value, str):
        return "The encoding must be a name, such as UTF-8."
    try:
        decode(BytesIO(), value)
    except Unreadable as error:
        return str(error)
    return None


def _check_columns(data: object) -> tuple[dict[str, Any], list[Problem]]:
    if not isinstance(data, Mapping):
        sentence = "The columns must be an object that maps each role to the name or number of its column."
        return {}, [Problem("mapping.columns", sentence)]
    right: dict[str, Any] = {}
    problems = []
    for role, column in data.items():
        several = tuple(column) if isinstance(column, list | tuple) else (column,)
        field = f"mapping.columns.{str(role)[:80]}"
        if role not in ROLES:
            problems.append(Problem(field, f"There is no such role. The roles are {', '.join(ROLES)}."))
        elif column is None:
            continue
        elif not several or not all(_is_column(column) for column in several):
            problems.append(Problem(field, "A column must be a name in the header, or a number from 0."))
        elif len(several) > 1 and role not in TEXT_ROLES:
            problems.append(Problem(field, f"Only {', '.join(TEXT_ROLES)} can take several columns."))
        else:
            right[str(role)] = several if len(several) > 1 else several[0]
    return right, problems


def _is_column(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def find_problems(layout: CsvLayout, header: Sequence[str] | None, width: int) -> list[Problem]:
    """Finds problems of a layout as a whole. `header` is None if there is none; `width` is the number of columns."""
    problems = [
        Problem(f"mapping.columns.{role}", _about_missing(column, header, width))
        for role in layout.columns
        for column in layout.of(role)
        if find_column(column, header, width) is None
    ]
    has = layout.columns.keys()
    has_amount, has_sides = "amount" in has, bool(has & {"debit", "credit"})
    both = "Choose either an amount column, or columns for debit and credit."
    neither = "Choose the column that holds the amount, or columns for debit and credit."
    only_sign = "A debit/credit marker column can only be used together with an amount column."
    rules = (
        ("columns.date", "date" not in has, "Choose the column that holds the date."),
        ("columns.amount", has_amount and has_sides, both),
        ("columns.amount", not has_amount and not has_sides, neither),
        ("columns.sign", "sign" in has and not has_amount, only_sign),
        ("thousands", layout.decimal == layout.thousands, "The thousands mark must differ from the decimal mark."),
    )
    return [*problems, *(Problem(f"mapping.{field}", sentence) for field, is_wrong, sentence in rules if is_wrong)]


def find_column(column: Column, header: Sequence[str] | None, width: int) -> int | None:
    """Finds the index of a column, or None. Case, accents and punctuation of names are ignored."""
    if isinstance(column, int):
        return column if column < width else None
    cells = [cell.strip() for cell in header or ()]
    if column.strip() in cells:
        return cells.index(column.strip())
    names = [plain(cell) for cell in cells]
    return names.index(plain(column)) if plain(column) in names else None


def _about_missing(column: Column, header: Sequence[str] | None, width: int) -> str:
    if isinstance(column, int):
        return f"There is no column {column}: the file has columns 0 to {width - 1}."
    if header is None:
        return "The file has no header, so columns must be given as numbers from 0."
    names = ", ".join(cell.strip() for cell in header if cell.strip())
    return f"There is no column “{column[:80]}”. The header has {names[:400]}."


def layout_key(header: Sequence[str] | None, width: int) -> str:
    """Returns the key of a saved mapping: the words of the header, otherwise the number of columns."""
    if header is None:
        return f"columns {width}"
    return "header " + "|".join(plain(cell) for cell in header).rstrip("|")
