"""Amounts with currency symbols, as programs write them into CSV files."""

from collections.abc import Iterable
from decimal import Decimal

from .text import parse_number

_NUMBER = frozenset("0123456789.,'’ \u00a0\u202f")


def split_symbol(text: str) -> tuple[str, str]:
    """Splits off the currency's symbol; parentheses make the number negative."""
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
    """Finds the mark that all amounts of a file share; None if no amount shows it."""
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
    """Reads empty text as zero. Returns None if it is no amount."""
    if not text.strip():
        return Decimal(0)
    symbol, number = split_symbol(text)
    return parse_number(number, decimal_mark=decimal_mark) if len(symbol) <= 6 else None
