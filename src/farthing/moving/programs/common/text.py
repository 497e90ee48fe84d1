"""Reads texts, numbers and dates as other programs write them. Every size is limited, and no pattern can backtrack."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import islice

from ...findings import Unreadable
from ...formats.values import make_date

TEXT_BYTES_MAX = 64 * 2**20
LINE_LETTERS_MAX = 100_000
DIGITS_MAX = 24


def decode(content: bytes, name: str) -> str:
    """Decodes by the byte-order mark, otherwise as strict UTF-8, otherwise as windows-1252."""
    if len(content) > TEXT_BYTES_MAX:
        raise Unreadable(f"{name} has more than {TEXT_BYTES_MAX >> 20} MiB, the most that is read.")
    try:
        text = _decoded(content)
    except UnicodeDecodeError as error:
        message = f"{name} is not text in UTF-8, UTF-16 or windows-1252; save it as UTF-8."
        raise Unreadable(message) from error
    if "\0" in text:
        raise Unreadable(f"{name} contains NUL characters, so it is not a text file.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("windows-1252")


def head_text(head: bytes) -> str:
    """Decodes the beginning of a file. Ignores a last character that is cut off."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = head[: len(head) // 2 * 2].decode("utf-16", "ignore")
    else:
        text = head.decode("utf-8-sig", "ignore")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def head_lines(head: bytes, number: int) -> list[str]:
    return list(islice((line for line in head_text(head).split("\n") if line.strip()), number))


def parse_number(text: str, *, decimal_mark: str | None = None) -> Decimal | None:
    """Parses a number with or without a sign, or returns None. If `decimal_mark` is None, it is detected. Of two
    different marks, the last one is the decimal mark. A mark that is the only kind is also the decimal mark, unless it
    occurs several times, or is a comma followed by three digits.
    """
    sign = -1 if text[:1] in ("-", "−") else 1
    body = text[1:] if text[:1] in ("-", "+", "−") else text
    for gap in (" ", "\u00a0", "\u202f", "'", "’", "_"):
        body = body.replace(gap, "")
    if not body or any(letter not in "0123456789.," for letter in body):
        return None
    mark = decimal_mark or _decimal_mark(body)
    other = "," if mark == "." else "."
    whole, _, fraction = body.replace(other, "").partition(mark)
    if mark in fraction or not (whole + fraction) or len(whole + fraction) > DIGITS_MAX:
        return None
    number = Decimal(f"{whole or '0'}.{fraction}" if fraction else whole or "0")
    return -number if sign < 0 else number


def _decimal_mark(body: str) -> str:
    last = max(body.rfind("."), body.rfind(","))
    if last < 0:
        return "."
    mark = body[last]
    both = "." in body and "," in body
    if not both and (body.count(mark) > 1 or (mark == "," and len(body) - last == 4 and last)):
        return "." if mark == "," else ","
    return mark


def weight_of(quantity: Decimal, price: Fraction, *, is_total: bool) -> Fraction:
    """Returns what a quantity is worth at a price above zero, with the sign of the quantity."""
    if is_total:
        return -price if quantity < 0 else price
    return Fraction(quantity) * price


def to_decimal(number: Fraction, places_max: int) -> Decimal:
    """Converts a fraction to a decimal number, rounded if it has more than `places_max` decimal places."""
    places = 0
    while (number * 10**places).denominator != 1 and places < places_max:
        places += 1
    return Decimal(round(number * 10**places)).scaleb(-places)


def date_numbers(text: str) -> tuple[int, ...] | None:
    """Returns the numbers of a date that is written with - / or . between them."""
    if len(text) > 20:
        return None
    parts = text.replace("/", "-").replace(".", "-").split("-")
    if not all(part.isascii() and part.isdigit() for part in parts):
        return None
    return tuple(int(part) for part in parts)


def parse_iso_date(text: str) -> date | None:
    numbers = date_numbers(text)
    return make_date(*numbers) if numbers and len(numbers) == 3 else None
