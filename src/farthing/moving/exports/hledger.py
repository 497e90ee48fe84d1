"""Writes a journal for hledger, which ends with the balances that all accounts must have."""

import re
from collections.abc import Iterator

from farthing.kernel.money import Currency

from . import ledger_text
from .snapshot import ExportedEntry, Snapshot, load_used_currencies, rates

_TYPES = dict(zip(ledger_text.ROOTS, "ALERX", strict=True))
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
# In comments of postings, hledger reads these as dates.
_DATES = re.compile(r"(date2?)\s*:")


def write(snapshot: Snapshot) -> Iterator[str]:
    return ledger_text.write_ledger(
        snapshot,
        ledger_text.LedgerSyntax(
            clean=clean_name,
            declare=_declare,
            carry=lambda books: f"{books.snapshot.request.start} (opening) Balances carried forward",
            begin=_begin,
            money=_money,
            tell=lambda name, text: f"; {_tag(name, text)}",
            end=_assert_balances,
            indent="    ",
        ),
    )


def clean_name(name: str) -> str:
    """Replaces characters that end a name (two blanks), divide it (a colon) or begin a comment (a semicolon)."""
    return _one_line(name).replace(":", "-").replace(";", ",") or "Unnamed"


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _declare(books: ledger_text.LedgerBooks) -> Iterator[str]:
    yield "; Made by Farthing.\n\n"
    for currency in load_used_currencies(books.snapshot):
        digits = f"1000.{'0' * currency.places}"
        yield f"commodity {digits} {_symbol(currency)}\n"
    yield f"\naccount {books.equity}  ; type: E\n"
    for account_id, account in books.accounts.items():
        yield f"account {books.names[account_id]}  ; type: {_TYPES[ledger_text.root_of(account)]}\n"
        for name, text in ledger_text.describe_account(account):
            if name not in ("name", "kind") or _one_line(text) != books.names[account_id].rpartition(":")[2]:
                yield f"    ; {_tag(name, text)}\n"
    yield "\n"
    for kind, label, details in ledger_text.describe_labels(books.snapshot):
        yield f"; {kind} {_one_line(label)}: {', '.join(_tag(name, text) for name, text in details)}\n"
    for rate in rates(books.snapshot):
        yield f"P {rate.on} {_symbol(rate.sold)} {rate.rate} {_symbol(rate.bought)}\n"
    yield "\n"


def _symbol(currency: Currency) -> str:
    return currency.code if currency.code.isalpha() else f'"{currency.code}"'


def _money(amount: ledger_text.LedgerAmount) -> str:
    return f"{amount.number} {_symbol(amount.currency)}"


def _tag(name: str, text: str) -> str:
    """Writes a tag. Replaces commas in its value, because hledger ends the value at a comma."""
    return f"{name}: {_comment(text).replace(',', ';')}"


def _comment(text: str) -> str:
    return _DATES.sub(r"\1 -", _one_line(text)).replace("[", "(").replace("]", ")")


def _begin(snapshot: Snapshot, entry: ExportedEntry) -> Iterator[str]:
    # The code in parentheses prevents hledger from misreading a description that begins with a bracket or a star.
    yield f"{entry.on} ({entry.id}) {_one_line(entry.head.description).replace(';', ',')}"
    for name, text in ledger_text.describe_entry(snapshot, entry):
        if name == "notes":
            yield from (f"    ; {_comment(line)}" for line in text.splitlines())
        else:
            yield f"    ; {_tag(name, text)}"
    yield from (f"    ; {_tag('tag', tag)}" for tag in entry.tags)


def _assert_balances(books: ledger_text.LedgerBooks) -> Iterator[str]:
    """Writes postings of zero, each with the balance that the account must have after all other postings."""
    if books.expected:
        yield f"{books.closed_on} (closing) Balances as Farthing keeps them\n"
    for account_id, amount in books.amounts(books.expected):
        nothing = _money(ledger_text.LedgerAmount(0, amount.currency))
        yield f"    {books.names[account_id]}  {nothing} = {_money(amount)}\n"
