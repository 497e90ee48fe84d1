"""Reads the account from the lines above a table."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from ...statements import NO_ACCOUNT, BankAccount
from .cells import account_of, find_iban, has_check_digits, parse_currency
from .layout import CsvLayout, find_column
from .table import COLUMNS_MAX, records
from .words import ACCOUNT_LABELS, CURRENCY_LABELS, plain

_IBAN_INSIDE = re.compile(r"\b[A-Z]{2}[0-9]{2}[A-Z0-9 ]{10,40}")
_CODE_IN_HEADER = re.compile(r"(?:[(\[]\s*([A-Z]{3})\s*[)\]]|\bin ([A-Z]{3}))\s*$|\b(EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK)$")
_SIGN_IN_HEADER = {"€": "EUR", "£": "GBP"}


def account_in(lines: Sequence[str], delimiter: str, quote: str) -> BankAccount:
    """Reads only clear labels: `IBAN;DE…`, `Konto: 123456`, or the only IBAN in these lines."""
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
    return (
        replace(account, number=account_of(labels["number"]).number) if account.iban and "number" in labels else account
    )


def _begins_with_iban(text: str) -> str | None:
    """Joins the words of the text until the check digits are right, because others may follow."""
    words = text.split()
    beginnings = (find_iban("".join(words[: count + 1])) for count in range(len(words)))
    return next((iban for iban in beginnings if iban and has_check_digits(iban)), None)


def _labelled(lines: Sequence[str], delimiter: str, quote: str) -> Iterator[tuple[str, str]]:
    """Yields each cell with the next one that is filled, or the two sides of a colon."""
    for _, cells in records(enumerate(lines), delimiter=delimiter, quote=quote):
        filled = [cell.strip() for cell in (cells or [])[:50] if cell.strip()]
        for cell in filled:
            label, colon, value = cell.partition(":")
            if colon and value.strip():
                yield plain(label), value.strip()
        yield from ((plain(cell), value) for cell, value in pairwise(filled))


def currency_of_column(layout: CsvLayout, header: Sequence[str] | None) -> str | None:
    """Finds the currency in the name of the amount column: `Betrag (EUR)`."""
    for role in ("amount", "credit", "debit"):
        for column in layout.of(role):
            index = find_column(column, header, COLUMNS_MAX)
            if header and index is not None and index < len(header):
                match = _CODE_IN_HEADER.search(header[index].strip()[:200])
                if match:
                    return match[1] or match[2] or match[3]
                return next((code for sign, code in _SIGN_IN_HEADER.items() if sign in header[index]), None)
    return None
