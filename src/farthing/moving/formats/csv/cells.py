"""Reads single cells: texts, currencies and bank accounts."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from ...formulas import unmark_formula
from ...statements import BankAccount

_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}")
_CODE = re.compile(r"[A-Z]{3}")
_CURRENCY_SIGNS = {"€": "EUR", "£": "GBP", "ZŁ": "PLN", "KČ": "CZK", "EURO": "EUR", "EUROS": "EUR"}
_SPREADSHEET_TEXT = re.compile(r'="([^"]*)"')
_NUMBER_AND_MORE = re.compile(r"([0-9][0-9./]{5,30}[0-9]) - ")
_MARKS = "\ufeff\u200b\u200e\u200f\u00ad"
_ACCOUNTS_MAX = 10_000

Texts = Callable[[Sequence[str]], str]


def clean_text(cell: str) -> str:
    """Puts a text on one line, and removes invisible characters and the ' that exports put before formulas."""
    if not cell:
        return ""
    if cell[0] == "'":
        cell = unmark_formula(cell)
    elif cell[0] == "=" and (quoted := _SPREADSHEET_TEXT.fullmatch(cell)):
        cell = quoted[1]
    text = " ".join(cell.split())
    return text if text.isprintable() else _remove_invisible(text)


def _remove_invisible(text: str) -> str:
    """Removes control characters and zero-width marks. Zero-width joiners are kept, because emoji need them."""
    visible = (letter for letter in text if letter not in _MARKS)
    return "".join(letter for letter in visible if unicodedata.category(letter) not in ("Cc", "Cs", "Cn")).strip()


def _nothing(cells: Sequence[str]) -> str:  # noqa: ARG001 - it has the signature of cell readers
    return ""


def join_texts(indexes: Sequence[int]) -> Texts:
    """Returns a function that joins the cells of these columns with spaces, without repeating equal texts."""
    if not indexes:
        return _nothing
    if len(indexes) == 1:
        (only,) = indexes
        return lambda cells: clean_text(cells[only])

    def join(cells: Sequence[str]) -> str:
        texts = dict.fromkeys(clean_text(cells[index]) for index in indexes)
        return " ".join(text for text in texts if text)

    return join


def parse_currency(cell: str) -> str | None:
    code = cell.strip().upper()
    return _CURRENCY_SIGNS.get(code) or (code if _CODE.fullmatch(code) else None)


def find_iban(text: str) -> str | None:
    """Returns a text as an IBAN if it has the shape of one. Its check digits are not verified."""
    packed = "".join(text.split()).upper()
    return packed if len(packed) <= 34 and _IBAN.fullmatch(packed) else None


def account_of(text: str, currency: str | None = None) -> BankAccount:
    if iban := find_iban(text):
        return BankAccount(iban=iban, currency=currency)
    if number := _NUMBER_AND_MORE.match(text):
        return BankAccount(number=number[1], currency=currency)
    digits = sum(letter.isdigit() for letter in text)
    if digits >= 4 and digits * 2 >= len(text):
        return BankAccount(number=text, currency=currency)
    return BankAccount(name=text, currency=currency)


def account_parser() -> Callable[[str], BankAccount | None]:
    """Returns a parser that caches accounts, because a file names the same few accounts in all of its rows."""
    accounts: dict[str, BankAccount | None] = {"": None}

    def parse(cell: str) -> BankAccount | None:
        if cell not in accounts:
            if len(accounts) >= _ACCOUNTS_MAX:
                accounts.clear()
            text = clean_text(cell)
            accounts[cell] = account_of(text) if text else None
        return accounts[cell]

    return parse
