"""Reads one journal: money that goes from a source to a destination, and what is said about it."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.kernel.text import NO_DESCRIPTION
from farthing.ledger.entry import OTHER_DATES

from ...source_books import SourceAccount
from .accounts import Accounts
from .files.fields import ItemFields
from .files.notes import location
from .files.remarks import Remarks
from .files.source import JournalItem

# Values without a field here go into the notes, except hashes and ids of Firefly III.
_NOTED = {
    "external_id": "External id",
    "external_url": "External URL",
    "bunq_payment_id": "bunq payment",
    "sepa_cc": "SEPA clearing code",
    "sepa_ct_op": "SEPA other party",
    "sepa_ct_id": "SEPA end-to-end id",
    "sepa_db": "SEPA mandate",
    "sepa_country": "SEPA country",
    "sepa_ep": "SEPA purpose",
    "sepa_ci": "SEPA creditor id",
    "sepa_batch_id": "SEPA batch",
}


class Journal(Struct, frozen=True, kw_only=True):
    id: str
    row: int
    type_word: str
    on: date
    source: SourceAccount
    destination: SourceAccount
    amount: Decimal
    currency: str
    foreign_amount: Decimal | None
    foreign_currency: str | None
    description: str
    position: tuple[int, int]
    category: str | None
    budget: str | None
    bill_id: str | None
    bill_name: str | None
    reconciled: bool
    refund: bool
    notes: str | None
    noted: tuple[str, ...]
    tags: tuple[str, ...]
    internal_reference: str | None
    dates: Mapping[str, date]
    recurrence_id: str | None


def read_journal(item: JournalItem, accounts: Accounts, remarks: Remarks) -> Journal | None:
    """Returns None, with a finding, if the day, amount, currency or accounts cannot be read."""
    journal_id = str(item.values.get("transaction_journal_id") or "")
    fields = ItemFields(item.values, what=f"the journal {journal_id}", remarks=remarks, row=item.row)
    type_word = (fields.text("type") or "").lower()
    on, amount, currency = fields.day("date"), fields.amount("amount"), fields.text("currency_code")
    source = accounts.find(fields, "source", type_word)
    destination = accounts.find(fields, "destination", type_word)
    needed = {"date": on, "amount": amount, "currency_code": currency, "source": source, "destination": destination}
    if on is None or amount is None or currency is None or source is None or destination is None:
        missing = ", ".join(name for name, value in needed.items() if value is None)
        message = f"The journal {journal_id} cannot be imported: {missing} is missing or cannot be read."
        remarks.add(message, row=item.row, field=missing, rejects=True)
        return None
    foreign_amount, foreign_currency = _foreign(fields)
    return Journal(
        id=journal_id,
        row=item.row,
        type_word=type_word,
        on=on,
        source=source,
        destination=destination,
        # Source and destination say the direction; the CSV export makes every amount negative.
        amount=abs(amount),
        currency=currency,
        foreign_amount=foreign_amount,
        foreign_currency=foreign_currency,
        description=fields.text("description") or NO_DESCRIPTION,
        position=_position(fields, journal_id),
        category=fields.text("category_name"),
        budget=fields.text("budget_name"),
        bill_id=fields.text("bill_id") or fields.text("subscription_id"),
        bill_name=fields.text("bill_name") or fields.text("subscription_name"),
        reconciled=fields.flag("reconciled", default=False),
        refund=fields.flag("refund", default=False),  # only our own export has it
        notes=fields.text("notes"),
        noted=tuple(_noted(fields)),
        tags=fields.texts("tags"),
        internal_reference=fields.text("internal_reference"),
        dates=dict(_dates(fields)),
        recurrence_id=fields.text("recurrence_id"),
    )


def _foreign(fields: ItemFields) -> tuple[Decimal | None, str | None]:
    amount, currency = fields.amount("foreign_amount"), fields.text("foreign_currency_code")
    if not amount or not currency:
        return None, None
    return abs(amount), currency


def _position(fields: ItemFields, journal_id: str) -> tuple[int, int]:
    """Firefly III lists the newest journal of a group first; people entered the oldest first."""
    order = fields.whole("order", default=0, most=10**9)
    return order, int(journal_id) if journal_id.isdecimal() and len(journal_id) < 20 else 0


def _noted(fields: ItemFields) -> Iterator[str]:
    for name, words in _NOTED.items():
        if value := fields.text(name):
            yield f"{words}: {value}"
    yield from location(fields)


def _dates(fields: ItemFields) -> Iterator[tuple[str, date]]:
    """Returns the dates by the names that our transactions use: `interest`, `book` and so on."""
    for name in OTHER_DATES:
        if day := fields.day(f"{name}_date"):
            yield name, day
