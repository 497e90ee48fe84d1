"""Writes transactions as CSV with the columns of Firefly III's own export: one row for each split.

An export of version 6 also has the columns of later versions, with amounts in the primary currency.
"""

import csv
from collections.abc import Iterator
from datetime import date, datetime
from io import StringIO
from itertools import islice, repeat

from farthing import __version__
from farthing.books.exchange_rates.convert import DatedAmount, convert
from farthing.kernel.money import as_number
from farthing.ledger.details import EntryDetails

from ..formulas import mark_formula
from .snapshot import BATCH, ExportedEntry, ExportedSplit, Snapshot, entries

COLUMNS = (
    "user_id", "group_id", "journal_id", "created_at", "updated_at", "group_title", "type", "amount", "foreign_amount",
    "currency_code", "foreign_currency_code", "description", "date", "source_name", "source_iban", "source_type",
    "destination_name", "destination_iban", "destination_type", "reconciled", "category", "budget", "bill", "tags",
    "notes", "sepa_cc", "sepa_ct_op", "sepa_ct_id", "sepa_db", "sepa_country", "sepa_ep", "sepa_ci", "sepa_batch_id",
    "external_url", "interest_date", "book_date", "process_date", "due_date", "payment_date", "invoice_date",
    "recurrence_id", "internal_reference", "bunq_payment_id", "import_hash", "import_hash_v2", "external_id",
    "original_source", "recurrence_total", "recurrence_count", "recurrence_date", "refund",
)  # fmt: skip
_IN_PRIMARY = ("primary_currency_code", "pc_amount", "pc_foreign_amount")
_DETAILS = tuple(name for name in EntryDetails.__struct_fields__ if name in COLUMNS and name != "import_hash")
_DATES = ("interest_date", "book_date", "process_date", "due_date", "payment_date", "invoice_date")


def write(snapshot: Snapshot) -> Iterator[str]:
    buffer = StringIO(newline="")
    is_later = snapshot.request.noun is not None
    writer = csv.DictWriter(buffer, (*COLUMNS, *_IN_PRIMARY) if is_later else COLUMNS, restval="")
    writer.writeheader()
    listed = entries(snapshot)
    while batch := list(islice(listed, BATCH)):
        converted = _convert(snapshot, batch) if is_later else repeat({})
        for entry in batch:
            for split in entry.splits:
                writer.writerow(_row(snapshot, entry, split) | next(converted))
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _convert(snapshot: Snapshot, batch: list[ExportedEntry]) -> Iterator[dict[str, str]]:
    """Yields the amounts of each split in the primary currency, with as many queries for any number of splits."""
    code, wants = snapshot.request.primary_code, snapshot.request.converts
    primary = next(currency for currency in snapshot.currencies.values() if currency.code == code)
    amounts = [
        DatedAmount(currency_id or primary.id, -(units or 0), entry.on)
        for entry in batch
        for split in entry.splits
        for currency_id, units in (
            (split.currency_id, split.units),
            (split.foreign_currency_id, split.foreign_units),
        )
    ]
    conversions = convert(snapshot.db, snapshot.request.user_id, amounts, primary.id) if wants else []
    shown = [
        as_number(each.units, primary.places) if each.units is not None and each.amount.units else ""
        for each in conversions
    ]
    for number in range(0, len(amounts), 2):
        yield dict(zip(_IN_PRIMARY, (code, *shown[number : number + 2]), strict=False))


def _row(snapshot: Snapshot, entry: ExportedEntry, split: ExportedSplit) -> dict[str, object]:
    """Builds a row. All amounts are negative, whatever the type, as in the export of Firefly III."""
    plain: dict[str, object] = {
        "user_id": snapshot.request.user_id,
        "group_id": entry.id,
        "journal_id": split.id,
        "created_at": entry.head.created_at,
        "updated_at": entry.head.updated_at,
        "type": entry.type.label,
        "date": _midnight(snapshot, entry.on),
        "reconciled": "1" if split.reconciled else "",
        "recurrence_id": entry.head.recurrence_id or "",
        "refund": "1" if split.refund else "",
        "original_source": f"farthing-{__version__}",
        **_amounts(snapshot, split),
        **{name: f"{day} 00:00:00" for name, day in zip(_DATES, entry.head.dates, strict=True) if day},
    }
    return plain | {name: mark_formula(text) for name, text in _texts(snapshot, entry, split).items() if text}


def _amounts(snapshot: Snapshot, split: ExportedSplit) -> dict[str, str]:
    currency = snapshot.currencies[split.currency_id]
    own = {"amount": f"-{as_number(split.units, currency.places)}", "currency_code": currency.code}
    if split.foreign_units is None or split.foreign_currency_id is None:
        return own
    foreign = snapshot.currencies[split.foreign_currency_id]
    amount = f"-{as_number(split.foreign_units, foreign.places)}"
    return own | {"foreign_amount": amount, "foreign_currency_code": foreign.code}


def _texts(snapshot: Snapshot, entry: ExportedEntry, split: ExportedSplit) -> dict[str, str | None]:
    source, destination = snapshot.accounts[split.source_id], snapshot.accounts[split.destination_id]
    return {
        "group_title": entry.head.description if len(entry.splits) > 1 else None,
        "description": split.description or entry.head.description,
        "source_name": source.name,
        "source_iban": source.iban,
        "source_type": source.kind.value,
        "destination_name": destination.name,
        "destination_iban": destination.iban,
        "destination_type": destination.kind.value,
        "category": snapshot.categories.get(split.category_id or 0),
        "budget": snapshot.budgets.get(split.budget_id or 0),
        "bill": snapshot.bills.get(entry.head.bill_id or 0),
        "tags": ",".join(entry.tags),
        "notes": entry.head.notes,
        "internal_reference": entry.head.internal_reference,
        "import_hash_v2": entry.details.import_hash,
        **{name: getattr(entry.details, name) for name in _DETAILS},
    }


def _midnight(snapshot: Snapshot, day: str) -> str:
    on = date.fromisoformat(day)
    offset = datetime(on.year, on.month, on.day, 12, tzinfo=snapshot.zone).strftime("%z")
    # Long ago, time zones had offsets with seconds, which few programs read.
    return f"{day}T00:00:00{offset[:3]}:{offset[3:]}" if len(offset) == 5 else f"{day}T00:00:00+00:00"
