"""Writes a journal for hledger, which ends with the balances that all accounts must have."""

import re
from collections.abc import Iterator

from farthing.kernel.money import Currency

from .ledger_text import (
    ASSET,
    EQUITY,
    EXPENSE,
    INCOME,
    LIABILITY,
    Amount,
    LedgerBooks,
    describe_account,
    describe_entry,
    describe_split,
    postings,
    prepare,
    root_of,
)
from .snapshot import ExportedEntry, Snapshot, entries, load_used_currencies

_TYPES = {ASSET: "A", LIABILITY: "L", EQUITY: "E", INCOME: "R", EXPENSE: "X"}
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
# In comments of postings, hledger reads these as dates.
_DATES = re.compile(r"(date2?)\s*:")


def write(snapshot: Snapshot) -> Iterator[str]:
    books = prepare(snapshot, clean_name)
    yield from _declarations(books)
    if books.carried:
        yield "\n".join(_carried(books))
    for entry in entries(snapshot):
        yield "\n".join(_transaction(books, entry))
    if books.expected:
        yield "\n".join(_assertions(books))


def clean_name(name: str) -> str:
    """Two blanks would end the name, a colon would divide it, a semicolon begins a comment."""
    return _one_line(name).replace(":", "-").replace(";", ",") or "Unnamed"


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _declarations(books: LedgerBooks) -> Iterator[str]:
    yield "; Made by Farthing.\n\n"
    for currency in load_used_currencies(books.snapshot):
        digits = f"1000.{'0' * currency.places}"
        yield f"commodity {digits} {_symbol(currency)}\n"
    yield f"\naccount {books.equity}  ; type: E\n"
    for account_id, account in books.accounts.items():
        yield f"account {books.names[account_id]}  ; type: {_TYPES[root_of(account)]}\n"
        for name, text in describe_account(account):
            if name not in ("name", "kind") or _one_line(text) != books.names[account_id].rpartition(":")[2]:
                yield f"    ; {_tag(name, text)}\n"
    yield "\n"


def _symbol(currency: Currency) -> str:
    return currency.code if currency.code.isalpha() else f'"{currency.code}"'


def _money(amount: Amount) -> str:
    return f"{amount.number} {_symbol(amount.currency)}"


def _tag(name: str, text: str) -> str:
    """The value of a tag ends at a comma."""
    return f"{name}: {_comment(text).replace(',', ';')}"


def _comment(text: str) -> str:
    return _DATES.sub(r"\1 -", _one_line(text)).replace("[", "(").replace("]", ")")


def _transaction(books: LedgerBooks, entry: ExportedEntry) -> Iterator[str]:
    snapshot = books.snapshot
    # A code keeps a description that begins with a bracket or a star from being read as something else.
    yield f"{entry.on} ({entry.id}) {_one_line(entry.description).replace(';', ',')}"
    for name, text in describe_entry(snapshot, entry):
        if name == "notes":
            yield from (f"    ; {_comment(line)}" for line in text.splitlines())
        else:
            yield f"    ; {_tag(name, text)}"
    yield from (f"    ; {_tag('tag', tag)}" for tag in entry.tags)
    for posting in postings(snapshot, entry):
        cost = f" @@ {_money(posting.cost)}" if posting.cost else ""
        yield f"    {books.names[posting.account_id]}  {_money(posting.amount)}{cost}"
        if posting.amount.units > 0:
            described = describe_split(snapshot, entry, posting.split)
            yield from (f"    ; {_tag(name, text)}" for name, text in described)
    yield "\n"


def _carried(books: LedgerBooks) -> Iterator[str]:
    yield f"{books.snapshot.request.start} (opening) Balances carried forward"
    for account_id, amount in books.amounts(books.carried):
        yield f"    {books.names[account_id]}  {_money(amount)}"
        yield f"    {books.equity}  {_money(Amount(-amount.units, amount.currency))}"
    yield "\n"


def _assertions(books: LedgerBooks) -> Iterator[str]:
    """Postings of nothing, each with the balance that must be there after everything else."""
    yield f"{books.closed_on} (closing) Balances as Farthing keeps them"
    for account_id, amount in books.amounts(books.expected):
        yield f"    {books.names[account_id]}  {_money(Amount(0, amount.currency))} = {_money(amount)}"
    yield "\n"
