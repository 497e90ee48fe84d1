"""Reads one journal, which moves money from a source to a destination account, with all its details."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec import Struct

from farthing.kernel.limits import DESCRIPTION_MAX
from farthing.kernel.shown import rate
from farthing.kernel.text import NO_DESCRIPTION, in_one_line
from farthing.ledger.details import EntryDetails
from farthing.ledger.entry import OTHER_DATES

from ...source_books import SourceAccount
from .accounts import Accounts
from .files.items import SourceItem

# What a second journal of a transaction says goes into the notes under these words.
_WORDS = {
    "external_id": "External id",
    "external_url": "External URL",
    "sepa_cc": "SEPA clearing code",
    "sepa_ct_op": "SEPA other party",
    "sepa_ct_id": "SEPA end-to-end id",
    "sepa_db": "SEPA mandate",
    "sepa_country": "SEPA country",
    "sepa_ep": "SEPA purpose",
    "sepa_ci": "SEPA creditor id",
    "sepa_batch_id": "SEPA batch",
}
_DETAILS = (*_WORDS, "original_source")


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
    details: EntryDetails
    tags: tuple[str, ...]
    internal_reference: str | None
    dates: Mapping[str, date]
    recurrence_id: str | None


def read_journal(item: SourceItem, accounts: Accounts) -> Journal | None:
    """Reads a journal. If its day, amount, currency or accounts are invalid, reports a finding and returns None."""
    type_word = (item.text("type") or "").lower()
    on, amount, currency = item.day("date"), item.amount("amount"), item.text("currency_code")
    source, destination = (accounts.find(item, side, type_word) for side in ("source", "destination"))
    if on is None or amount is None or currency is None or source is None or destination is None:
        needed = {"date": on, "amount": amount, "currency_code": currency, "source": source, "destination": destination}
        item.reject(", ".join(name for name, value in needed.items() if value is None))
        return None
    foreign_amount, foreign_currency = item.amount("foreign_amount"), item.text("foreign_currency_code")
    has_foreign = bool(foreign_amount and foreign_currency)
    place = item.place()
    number = int(item.id) if item.id.isdecimal() and len(item.id) < 20 else 0
    return Journal(
        id=item.id,
        row=item.row,
        type_word=type_word,
        on=on,
        source=source,
        destination=destination,
        # Source and destination determine the direction; the CSV export makes every amount negative.
        amount=abs(amount),
        currency=currency,
        foreign_amount=abs(foreign_amount) if foreign_amount and has_foreign else None,
        foreign_currency=foreign_currency if has_foreign else None,
        description=item.text("description") or NO_DESCRIPTION,
        # Sorts by the order of entry; Firefly III lists the newest journal of a group first.
        position=(item.whole("order", default=0, most=10**9), number),
        category=item.text("category_name"),
        budget=item.text("budget_name"),
        bill_id=item.text("bill_id") or item.text("subscription_id"),
        bill_name=item.text("bill_name") or item.text("subscription_name"),
        reconciled=item.flag("reconciled", default=False),
        refund=item.flag("refund", default=False),  # only our own export has it
        notes=item.text("notes"),
        noted=(
            *((f"bunq payment: {text}",) if (text := item.text("bunq_payment_id")) else ()),
            *(() if place else item.location()),
        ),
        details=_read_details(item, place),
        tags=item.texts("tags"),
        internal_reference=item.text("internal_reference"),
        dates={name: day for name in OTHER_DATES if (day := item.day(f"{name}_date"))},
        recurrence_id=item.text("recurrence_id"),
    )


def _read_details(item: SourceItem, place: Mapping[str, Any]) -> EntryDetails:
    texts: dict[str, Any] = {name: in_one_line(item.text(name), DESCRIPTION_MAX) or None for name in _DETAILS}
    shown: dict[str, Any] = {
        name: rate(value) if isinstance(value, Decimal) else value for name, value in place.items()
    }
    return EntryDetails(**texts, **shown)


def differing_details(details: EntryDetails, first: EntryDetails) -> Iterator[str]:
    """Yields lines for the notes, for the details that differ from those of the first journal."""
    for name, words in _WORDS.items():
        if (text := getattr(details, name)) and text != getattr(first, name):
            yield f"{words}: {text}"
    if details.latitude and (details.latitude, details.longitude) != (first.latitude, first.longitude):
        yield f"Location: {details.latitude}, {details.longitude}"
