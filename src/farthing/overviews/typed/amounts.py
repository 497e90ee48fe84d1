"""Reads amounts as people write them: `8,40`, `>20`, `4-10`, `€1.234,50`."""

import re
from decimal import Decimal

from msgspec import Struct

from .region import Region

_SIGNS = "$£€¥₹₽₩₺₪₫฿₴₦₱₡"
_NUMBER = rf"[{_SIGNS}]?\d[\d.,'’]*[{_SIGNS}]?"
_COMPARED = re.compile(rf"(>=|<=|[<>=≥≤])({_NUMBER})", re.ASCII)
_RANGE = re.compile(rf"({_NUMBER})(?:-|–|\.\.)({_NUMBER})", re.ASCII)
_ALONE = re.compile(rf"[+−-]?({_NUMBER})", re.ASCII)
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}([.,'’])\d{3}(?:\1\d{3})*(?:[.,]\d{1,2})?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?")
# The most digits that fit in a database column in any currency.
_DIGITS_MAX = 15
_CENT = Decimal("0.01")


class AmountRange(Struct, frozen=True):
    lowest: Decimal | None = None
    highest: Decimal | None = None


def read_amounts(word: str, region: Region, *, smallest: Decimal = _CENT) -> AmountRange | None:
    """Reads an amount or a range of amounts. `smallest` is the smallest unit of the person's currency.

    Returns None for a whole number alone, because it is more often part of a text.
    """
    if match := _COMPARED.fullmatch(word):
        amount = read_number(match[2], region)
        return None if amount is None else _compare(match[1], amount, smallest)
    if match := _RANGE.fullmatch(word):
        lowest, highest = (read_number(part, region) for part in match.groups())
        is_range = lowest is not None and highest is not None and lowest <= highest
        return AmountRange(lowest=lowest, highest=highest) if is_range else None
    match = _ALONE.fullmatch(word)
    amount = None if match is None or _WHOLE.fullmatch(word) else read_number(match[1], region)
    return None if amount is None else AmountRange(lowest=amount, highest=amount)


def read_whole(word: str) -> AmountRange | None:
    """Reads a whole number as a range that includes all cents: `42` is 42.00 to 42.99."""
    if not _WHOLE.fullmatch(word) or not int(word):
        return None
    return AmountRange(lowest=Decimal(word), highest=Decimal(word) + 1 - _CENT)


def _compare(sign: str, amount: Decimal, smallest: Decimal) -> AmountRange | None:
    step = min(smallest, _CENT, Decimal(1).scaleb(int(amount.as_tuple().exponent)))
    if sign in (">", ">=", "≥"):
        return AmountRange(lowest=amount + step if sign == ">" else amount)
    highest = amount - step if sign == "<" else amount
    if highest <= 0:
        return None
    return AmountRange(highest=highest, lowest=amount if sign == "=" else None)


def read_number(text: str, region: Region) -> Decimal | None:
    """Reads an amount above zero. The region decides whether a mark before three digits separates groups."""
    digits = text.strip(_SIGNS)
    marks = [mark for mark in digits if not mark.isdecimal()]
    if len(digits) - len(marks) > _DIGITS_MAX or not digits[-1].isdecimal():
        return None
    decimal_mark = marks[-1] if marks else ""
    if marks and _is_group(digits, marks, region):
        decimal_mark = ""
    elif marks and (decimal_mark not in ".," or marks.count(decimal_mark) > 1):
        return None
    if len(marks) > 1 and not _GROUPED.fullmatch(digits):
        return None
    whole, _, part = digits.rpartition(decimal_mark) if decimal_mark else (digits, "", "")
    amount = Decimal(f"{re.sub(r'[^0-9]', '', whole)}.{part}")
    return amount if amount > 0 else None


def _is_group(digits: str, marks: list[str], region: Region) -> bool:
    """Tells whether the last mark separates groups of digits."""
    mark, places = marks[-1], len(digits) - 1 - digits.rindex(marks[-1])
    if places != 3 or len(set(marks)) > 1 or digits.startswith("0") or not _GROUPED.fullmatch(digits):
        return False
    return len(marks) > 1 or mark not in ".," or mark != region.decimal_mark
