"""Finds out what kind of values a column holds by its cells alone, without its header."""

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct

from ..values import has_check_digits
from .amounts import NotAnAmount, find_marks, is_amount, parse_with_comma, parse_with_point
from .cells import find_iban, parse_currency
from .dates import is_day
from .words import sign_of

_PLAIN_NUMBER = re.compile(r"[0-9]{1,40}")
# The share of cells that decides what a column holds; a few cells may be wrong.
_MOST = 0.9
# The share that is enough if the header says what the column holds; the remaining cells are then errors.
_HALF = 0.5


class ColumnProfile(Struct, frozen=True, kw_only=True):
    """Describes one column. `cells` has a trimmed cell for each row of the sample, `filled` only the non-empty ones."""

    index: int
    cells: tuple[str, ...]
    filled: tuple[str, ...]
    is_date: bool
    is_amount: bool
    holds_amounts: bool
    is_plain_number: bool
    is_sign: bool
    is_currency: bool
    is_iban: bool
    distinct: int

    @property
    def is_text(self) -> bool:
        is_other = self.is_date or self.is_amount or self.is_sign or self.is_currency or self.is_iban
        return bool(self.filled) and not is_other

    @property
    def length(self) -> int:
        return sum(map(len, self.filled))


def profile_columns(rows: Sequence[Sequence[str]], width: int) -> list[ColumnProfile]:
    return [_profile(index, [row[index].strip() if index < len(row) else "" for row in rows]) for index in range(width)]


def _profile(index: int, cells: list[str]) -> ColumnProfile:
    filled = [cell for cell in cells if cell]
    values = list(dict.fromkeys(filled))
    are_days = _are(values, is_day)
    are_amounts = not are_days and _are(values, is_amount)
    return ColumnProfile(
        index=index,
        cells=tuple(cells),
        filled=tuple(filled),
        is_date=are_days,
        is_amount=are_amounts,
        holds_amounts=not are_days and _are(values, is_amount, most=_HALF),
        is_plain_number=are_amounts and _are(values, lambda cell: bool(_PLAIN_NUMBER.fullmatch(cell))),
        is_sign=0 < len(values) <= 6 and all(sign_of(value) for value in values),
        is_currency=0 < len(values) <= 40 and all(parse_currency(value) for value in values),
        is_iban=_are(values, lambda cell: (iban := find_iban(cell)) is not None and has_check_digits(iban)),
        distinct=len(values),
    )


def _are(values: Sequence[str], test: object, *, most: float = _MOST) -> bool:
    assert callable(test)
    return bool(values) and sum(bool(test(value)) for value in values) >= most * len(values)


def numbers_of(column: ColumnProfile) -> list[Decimal | None]:
    """Reads each cell as a number, with the marks that fit the column. Returns None for cells that are not numbers."""
    marks, _ = find_marks(column.filled)
    parse = parse_with_point if marks.decimal == "." else parse_with_comma
    numbers: list[Decimal | None] = []
    for cell in column.cells:
        try:
            numbers.append(parse(cell) if cell else None)
        except NotAnAmount:
            numbers.append(None)
    return numbers


def count_steps(amounts: Sequence[Decimal | None], balances: Sequence[Decimal | None]) -> int:
    """Counts the balances that equal the previous balance plus the amount, with the oldest or the newest row first."""
    forward = backward = 0
    for index in range(1, len(amounts)):
        before, after, first, second = balances[index - 1], balances[index], amounts[index - 1], amounts[index]
        if before is not None and after is not None:
            forward += second is not None and second != 0 and after - before == second
            backward += first is not None and first != 0 and before - after == first
    return max(forward, backward)


def count_steps_from(amounts: Sequence[Decimal | None], balances: Sequence[Decimal | None]) -> int:
    """Counts like `count_steps`, but for tables of some Dutch banks, in which the balance of a row does not include the
    row's amount yet.
    """
    return max(count_steps([None, *amounts][:-1], balances), count_steps([*amounts, None][1:], balances))
