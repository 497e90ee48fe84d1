"""Parses the values that bank formats share: amounts, dates and account numbers. Invalid values become None."""

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from ..findings import Finding, shorten
from ..statements import BankAccount

# Sums of a million such numbers are still exact in Decimal's 28 digits.
_DIGITS_MAX = 20
_NUMBER_CHARS_MAX = 30
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_NOT_PROVIDED = {"NOTPROVIDED", "NOT PROVIDED", "NONREF", "NOTAVAILABLE"}
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")


def quote(value: str) -> str:
    return f"“{shorten(value)}”"


def parse_decimal(text: str, mark: str = ".") -> Decimal | None:
    """Parses a number whose decimal mark is known, without thousands marks or exponent."""
    text = text.strip()
    plain = text.replace(mark, ".") if mark != "." else text
    if len(text) > _NUMBER_CHARS_MAX or not plain.isascii() or not _PLAIN.fullmatch(plain):
        return None
    return Decimal(plain) if sum(map(str.isdigit, plain)) <= _DIGITS_MAX else None


def parse_amount(text: str, mark: str | None = None) -> Decimal | None:
    """Parses a number, with thousands marks or not. If `mark` is omitted, it is detected."""
    text = text.strip(" \t\xa0\u202f").replace("−", "-")
    if len(text) > _NUMBER_CHARS_MAX:
        return None
    text = text.translate(_SPACES)
    mark = mark or find_mark(text)
    whole, _, fraction = text.partition(mark)
    other = "," if mark == "." else "."
    if other in whole and not _is_grouped(whole, other):
        return None
    return parse_decimal(f"{whole.replace(other, '')}.{fraction}" if fraction else whole.replace(other, ""))


_SPACES = str.maketrans("", "", " \xa0\u202f'’")


def find_mark(text: str) -> str:
    """Finds the decimal mark of one number: the last mark, or the other one if the last mark occurs several times."""
    last = max(".,", key=text.rfind)
    if text.count(last) > 1:
        return "," if last == "." else "."
    return last


def _is_grouped(whole: str, mark: str) -> bool:
    first, *groups = whole.lstrip("+-").split(mark)
    return 1 <= len(first) <= 3 and all(len(group) == 3 for group in groups)


def make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1000 <= year <= 9998 else None
    except ValueError:
        return None


def full_year(two_digits: int) -> int:
    """Completes a year of two digits. Years from 70 on are in the 1900s, as no bank file is older than 1970."""
    return two_digits + (1900 if two_digits >= 70 else 2000)


def clean(text: str | None) -> str | None:
    """Puts a text on one line without surplus white space; an empty text becomes None."""
    return " ".join(text.split()) or None if text else None


def join(parts: Iterable[str | None], between: str = " ") -> str | None:
    """Joins the texts that are not empty, without repeating equal ones."""
    return between.join(dict.fromkeys(part for part in parts if part)) or None


def is_iban(text: str) -> bool:
    return bool(_IBAN.fullmatch(text)) and has_check_digits(text)


def has_check_digits(iban: str) -> bool:
    """Tells whether the check digits of an IBAN are right. Creditor ids have the same shape, but fail this test."""
    return int("".join(str(int(letter, 36)) for letter in iban[4:] + iban[:4])) % 97 == 1


def name_account(text: str | None, **details: str | None) -> BankAccount:
    """Returns an account with the text as its IBAN or, if it is not an IBAN, as its number."""
    compact = (text or "").replace(" ", "").upper()
    if is_iban(compact):
        return BankAccount(iban=compact, **details)
    return BankAccount(number=clean(text), **details)


def provided(text: str | None) -> str | None:
    """Cleans a text. Returns None for words such as NOTPROVIDED, which banks write if there is no value."""
    return None if text is None or text.strip().upper() in _NOT_PROVIDED else clean(text)


def leave_out(row: int | None, sentence: str) -> Finding:
    return Finding(row=row, message=f"{sentence} It is skipped.")


def reject(row: int, field: str, value: str, right: str) -> Finding:
    if not value.strip():
        return Finding(row=row, field=field, message=f"{field} is missing; {right}.", rejects=True)
    return Finding(row=row, field=field, message=f"{field} is {quote(value)}; {right}.", rejects=True)
