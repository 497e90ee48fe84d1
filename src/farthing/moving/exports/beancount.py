"""Writes a file for Beancount, which ends with the balances that all accounts must have."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

from farthing.kernel.money import Currency

from . import ledger_text
from .snapshot import ExportedEntry, Snapshot, load_used_currencies, rates

_NOT_IN_TAGS = re.compile(r"[^A-Za-z0-9_/.-]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def write(snapshot: Snapshot) -> Iterator[str]:
    return ledger_text.write_ledger(
        snapshot,
        ledger_text.LedgerSyntax(
            clean=clean_name,
            declare=_declare,
            carry=lambda books: f'{books.opened_on} * "Balances carried forward"',
            begin=_begin,
            money=lambda amount: f"{amount.number} {_code(amount.currency)}",
            tell=_tell,
            end=_end,
            indent="  ",
        ),
    )


def clean_name(name: str) -> str:
    """Keeps only letters, digits and dashes, and makes the name begin with a capital letter or a digit."""
    letters = (letter if _is_allowed(letter) else "-" for letter in unicodedata.normalize("NFC", name))
    cleaned = re.sub("-+", "-", "".join(letters)).strip("-")
    first = cleaned[:1].upper()
    if len(first) != 1 or not (unicodedata.category(first) == "Lu" or (first.isascii() and first.isdigit())):
        return f"X{cleaned}"
    return first + cleaned[1:]


def _is_allowed(letter: str) -> bool:
    return letter.isalpha() if not letter.isascii() else letter.isalnum()


def _declare(books: ledger_text.LedgerBooks) -> Iterator[str]:
    yield 'option "title" "Farthing"\n'
    for currency in load_used_currencies(books.snapshot):
        # Beancount divides exchanged amounts and multiplies them again, so it needs a tolerance for rounding.
        yield f'option "inferred_tolerance_default" "{_code(currency)}:{Decimal(1).scaleb(-currency.places - 3):f}"\n'
    yield f"\n{books.opened_on} open {books.equity}\n"
    for account_id, account in books.accounts.items():
        yield f"{books.opened_on} open {books.names[account_id]}\n"
        yield from (f"  {_tell(name, text)}\n" for name, text in ledger_text.describe_account(account))
    yield "\n"
    for kind, label, details in ledger_text.describe_labels(books.snapshot):
        yield f'{books.opened_on} custom "farthing-{kind}" {_quote(label)}\n'
        yield from (f"  {_tell(name, text)}\n" for name, text in details)
    for rate in rates(books.snapshot):
        yield f"{rate.on} price {_code(rate.sold)} {rate.rate} {_code(rate.bought)}\n"
    yield "\n"


def _code(currency: Currency) -> str:
    return currency.code if currency.code[0].isalpha() else f"X{currency.code}"


def _quote(text: str) -> str:
    escaped = _CONTROLS.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _tell(name: str, text: str) -> str:
    return f"{name}: {_quote(text)}"


def _begin(snapshot: Snapshot, entry: ExportedEntry) -> Iterator[str]:
    tags = dict.fromkeys(_NOT_IN_TAGS.sub("-", tag).strip("-") for tag in entry.tags)
    yield " ".join([f"{entry.on} * {_quote(entry.head.description)}", *(f"#{tag}" for tag in tags if tag)])
    yield f'  farthing-id: "{entry.id}"'
    yield from (f"  {_tell(name, text)}" for name, text in ledger_text.describe_entry(snapshot, entry))
    if entry.tags:
        yield f"  {_tell('tags', ', '.join(entry.tags))}"


def _end(books: ledger_text.LedgerBooks) -> Iterator[str]:
    """Writes balances dated the day after the last day, because Beancount checks balances at the beginning of a day."""
    day = ledger_text.day_after(books.closed_on)
    if day is None:
        return
    for account_id, amount in books.amounts(books.expected):
        yield f"{day} balance {books.names[account_id]}  {amount.number} ~ 0 {_code(amount.currency)}\n"
    for account_id, account in books.accounts.items():
        if not account.active:
            yield f"{day} close {books.names[account_id]}\n"
