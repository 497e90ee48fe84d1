"""Writes a file for Beancount, which ends with the balances that all accounts must have."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

from farthing.kernel.money import Currency

from .ledger_text import (
    Amount,
    LedgerBooks,
    day_after,
    describe_account,
    describe_entry,
    describe_split,
    postings,
    prepare,
)
from .snapshot import ExportedEntry, Snapshot, entries, load_used_currencies

_NOT_IN_TAGS = re.compile(r"[^A-Za-z0-9_/.-]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def write(snapshot: Snapshot) -> Iterator[str]:
    books = prepare(snapshot, clean_name)
    yield from _declarations(books)
    if books.carried:
        yield "\n".join(_carried(books))
    for entry in entries(snapshot):
        yield "\n".join(_transaction(books, entry))
    yield from _end(books)


def clean_name(name: str) -> str:
    """Letters, digits and dashes; the first is a capital letter or a digit."""
    letters = (letter if _is_allowed(letter) else "-" for letter in unicodedata.normalize("NFC", name))
    cleaned = re.sub("-+", "-", "".join(letters)).strip("-")
    first = cleaned[:1].upper()
    if len(first) != 1 or not (unicodedata.category(first) == "Lu" or (first.isascii() and first.isdigit())):
        return f"X{cleaned}"
    return first + cleaned[1:]


def _is_allowed(letter: str) -> bool:
    return letter.isalpha() if not letter.isascii() else letter.isalnum()


def _declarations(books: LedgerBooks) -> Iterator[str]:
    yield 'option "title" "Farthing"\n'
    for currency in load_used_currencies(books.snapshot):
        # Beancount divides what was exchanged, and multiplies it again; amounts without decimals must allow for that.
        yield f'option "inferred_tolerance_default" "{_code(currency)}:{Decimal(1).scaleb(-currency.places - 3):f}"\n'
    yield f"\n{books.opened_on} open {books.equity}\n"
    for account_id, account in books.accounts.items():
        yield f"{books.opened_on} open {books.names[account_id]}\n"
        yield from (f"  {name}: {_quote(text)}\n" for name, text in describe_account(account))
    yield "\n"


def _code(currency: Currency) -> str:
    return currency.code if currency.code[0].isalpha() else f"X{currency.code}"


def _quote(text: str) -> str:
    escaped = _CONTROLS.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _money(amount: Amount) -> str:
    return f"{amount.number} {_code(amount.currency)}"


def _transaction(books: LedgerBooks, entry: ExportedEntry) -> Iterator[str]:
    snapshot = books.snapshot
    tags = dict.fromkeys(_NOT_IN_TAGS.sub("-", tag).strip("-") for tag in entry.tags)
    yield " ".join([f"{entry.on} * {_quote(entry.description)}", *(f"#{tag}" for tag in tags if tag)])
    yield f'  farthing-id: "{entry.id}"'
    yield from (f"  {name}: {_quote(text)}" for name, text in describe_entry(snapshot, entry))
    if entry.tags:
        yield f"  tags: {_quote(', '.join(entry.tags))}"
    for posting in postings(snapshot, entry):
        cost = f" @@ {_money(posting.cost)}" if posting.cost else ""
        yield f"  {books.names[posting.account_id]}  {_money(posting.amount)}{cost}"
        if posting.amount.units > 0:
            described = describe_split(snapshot, entry, posting.split)
            yield from (f"    {name}: {_quote(text)}" for name, text in described)
    yield "\n"


def _carried(books: LedgerBooks) -> Iterator[str]:
    yield f'{books.opened_on} * "Balances carried forward"'
    for account_id, amount in books.amounts(books.carried):
        yield f"  {books.names[account_id]}  {_money(amount)}"
        yield f"  {books.equity}  {_money(Amount(-amount.units, amount.currency))}"
    yield "\n"


def _end(books: LedgerBooks) -> Iterator[str]:
    """A balance is checked at the beginning of its day, so they stand on the day after the last."""
    day = day_after(books.closed_on)
    if day is None:
        return
    for account_id, amount in books.amounts(books.expected):
        yield f"{day} balance {books.names[account_id]}  {amount.number} ~ 0 {_code(amount.currency)}\n"
    for account_id, account in books.accounts.items():
        if not account.active:
            yield f"{day} close {books.names[account_id]}\n"
