"""Reads amounts as banks write them, and detects the decimal and thousands marks."""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import lru_cache

from msgspec import Struct

from .words import CREDIT_WORDS, DEBIT_WORDS

AMOUNT_CHARS_MAX = 60
CELLS_REMEMBERED = 10_000
_LOOKALIKES = str.maketrans("\u00a0\u202f\u2009\u2007\u2212\u2013\u2014’", "    ---'")
# Signs, a currency or a word such as CR may surround the digits. All lengths are bounded, which limits backtracking.
_AROUND = re.compile(r"([^0-9.,]{0,12})([0-9.,' ]*[0-9])([^0-9]{0,12})")
_TOKEN = re.compile(r"[-+()]|[^\s\-+()]+")
_ISO_CODE = re.compile(r"[A-Z]{3}")
_MARKED = re.compile(r"[0-9.\s][CD]R\.?\s{0,9}$", re.IGNORECASE)
_CODES = {"€": "EUR", "£": "GBP", "zł": "PLN", "Kč": "CZK", "₹": "INR", "₺": "TRY", "₪": "ILS", "₽": "RUB"}
# Words that several currencies share: they are accepted next to an amount, but do not determine its currency.
_VAGUE = {"$", "kr", "¥", "fr", "sfr", "rs", "ft", "lei", "лв", "r$", "us$", "a$", "c$", "euro"}


class NotAnAmount(ValueError):
    pass


class Marks(Struct, frozen=True, kw_only=True):
    decimal: str
    thousands: str


POINT = Marks(decimal=".", thousands=",")
COMMA = Marks(decimal=",", thousands=".")


def amount_parser(marks: Marks) -> Callable[[str], Decimal]:
    """Returns a parser. Thousands must be grouped: with a decimal comma, 12.34 is refused and not read as 1234."""
    decimal, thousands = marks.decimal, marks.thousands
    point, group = re.escape(decimal), re.escape(thousands)
    is_plain = re.compile(rf"[+-]?[0-9]+(?:{point}[0-9]+)?").fullmatch
    is_grouped = re.compile(rf"[+-]?[0-9]{{1,3}}(?:{group}[0-9]{{3}}){{1,10}}(?:{point}[0-9]+)?").fullmatch

    def parse(text: str) -> Decimal:
        if len(text) <= AMOUNT_CHARS_MAX:
            if is_plain(text):
                return Decimal(text if decimal == "." else text.replace(decimal, "."))
            if thousands and is_grouped(text):
                return Decimal(text.replace(thousands, "").replace(decimal, "."))
        return _parse_decorated(text, decimal, thousands)

    return parse


def _parse_decorated(text: str, decimal: str, thousands: str) -> Decimal:
    parts = _take_apart(text)
    if parts is None:
        raise NotAnAmount(text)
    before, digits, after = parts
    if re.fullmatch(r"[.,]-+ ?", after):  # 12,- means 12
        after = ""
    sign = _sign_of(_TOKEN.findall(f"{before} {after}"))
    plain = _plain_digits(digits, decimal, thousands)
    if sign is None or plain is None:
        raise NotAnAmount(text)
    return sign * Decimal(plain)


def _take_apart(text: str) -> tuple[str, str, str] | None:
    if len(text) > AMOUNT_CHARS_MAX:
        return None
    bare = text.translate(_LOOKALIKES).strip().removeprefix("'")
    if bare.startswith('="'):  # so that a spreadsheet takes it for text
        bare = bare[2:].removesuffix('"')
    match = _AROUND.fullmatch(bare)
    return (match[1], match[2].strip(), match[3].strip()) if match else None


def _plain_digits(digits: str, decimal: str, thousands: str) -> str | None:
    """Removes the thousands marks; None if they are misplaced. Spaces and apostrophes are always thousands marks. All
    thousands marks of a number must be the same. Indian grouping (`1,23,456`) is allowed.
    """
    whole, _, fraction = digits.partition(decimal)
    if (decimal in digits and not fraction.isdigit()) or not (whole or fraction):
        return None
    marks = [mark for mark in {thousands, " ", "'"} - {""} if mark in whole]
    if len(marks) > 1:
        return None
    if marks:
        first, *middle, last = whole.split(marks[0])
        if not (1 <= len(first) <= 3 and len(last) == 3 and all(len(group) in (2, 3) for group in middle)):
            return None
        whole = whole.replace(marks[0], "")
    if whole and not whole.isdigit():
        return None
    return f"{whole or 0}.{fraction or 0}" if fraction else whole


def _sign_of(tokens: list[str]) -> int | None:
    """Returns 1 or -1, or None if a token is neither a sign nor a currency."""
    minuses = 0
    for token in tokens:
        word = token.lower().rstrip(".")
        if token in ("-", "(") or word in DEBIT_WORDS:
            minuses += 1
        elif token not in ("+", ")") and word not in CREDIT_WORDS and not _is_currency(token):
            return None
    brackets_match = tokens.count("(") == tokens.count(")")
    return None if minuses > 1 or not brackets_match else -1 if minuses else 1


def _is_currency(token: str) -> bool:
    word = token.rstrip(".")
    return word in _CODES or word.lower() in _VAGUE or bool(_ISO_CODE.fullmatch(word))


def is_marked(text: str) -> bool:
    """Tells whether the cell is itself marked as a debit or a credit: `12.50 CR`."""
    return _MARKED.search(text) is not None


def currency_in(text: str) -> str | None:
    """Finds the currency code within an amount: `12,50 EUR`, `£3.20`."""
    parts = _take_apart(text)
    for token in _TOKEN.findall(f"{parts[0]} {parts[2]}") if parts else ():
        if token in _CODES:
            return _CODES[token]
        if _ISO_CODE.fullmatch(token) and token.lower() not in CREDIT_WORDS | DEBIT_WORDS:
            return str(token)
    return None


parse_with_point = amount_parser(POINT)
parse_with_comma = amount_parser(COMMA)


@lru_cache(maxsize=CELLS_REMEMBERED)
def is_amount(text: str) -> bool:
    return _parses(parse_with_point, text) or _parses(parse_with_comma, text)


def _parses(parse: Callable[[str], Decimal], text: str) -> bool:
    try:
        parse(text)
    except NotAnAmount:
        return False
    return True


def find_marks(cells: Iterable[str]) -> tuple[Marks, bool]:
    """Finds the decimal and thousands marks that fit most cells, and tells whether they are certain."""
    cells = list(cells)
    with_point = sum(_parses(parse_with_point, cell) for cell in cells)
    with_comma = sum(_parses(parse_with_comma, cell) for cell in cells)
    digits = [parts[1] for cell in cells if (parts := _take_apart(cell))]
    if with_point != with_comma:
        best, sure = POINT if with_point > with_comma else COMMA, True
    else:
        best, sure = _weigh(digits)
    grouping = next((mark for mark in "' " if any(mark in digit for digit in digits)), best.thousands)
    return Marks(decimal=best.decimal, thousands=grouping), sure


def _weigh(digits: list[str]) -> tuple[Marks, bool]:
    """Interprets ambiguous cells such as `1.234`. If other cells look like `1234`, the mark must be a decimal mark. If
    they look like `500`, it probably is a thousands mark.
    """
    marked = [digit for digit in digits if "." in digit or "," in digit]
    if not marked:
        return POINT, True
    points = sum("." in text for text in marked)
    as_decimal, as_thousands = (POINT, COMMA) if points * 2 >= len(marked) else (COMMA, POINT)
    unmarked = [digit for digit in digits if digit.isdigit()]
    if any(len(text) > 3 for text in unmarked) or any(text[0] == "0" for text in marked):
        return as_decimal, True
    return (as_thousands, False) if unmarked else (as_decimal, False)
