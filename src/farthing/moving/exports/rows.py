"""Turns transactions into flat rows, one per split, for data analysis."""

from collections.abc import Iterator

from msgspec import Struct

from .snapshot import ExportedEntry, ExportedSplit, Snapshot, entries


class TransactionRow(Struct, frozen=True, kw_only=True):
    """Represents one split, which moves money from source to destination. Amounts are whole numbers of the currency's
    smallest unit; `places` is the number of its decimals.
    """

    split_id: int
    transaction_id: int
    date: str
    type: str
    description: str
    split_description: str | None
    units: int
    places: int
    currency: str
    foreign_units: int | None
    foreign_places: int | None
    foreign_currency: str | None
    source_id: int
    source: str
    source_type: str
    destination_id: int
    destination: str
    destination_type: str
    category: str | None
    parent_category: str | None
    budget: str | None
    bill: str | None
    tags: str | None
    reconciled: bool
    refund: bool
    notes: str | None
    internal_reference: str | None
    created_at: str
    updated_at: str


def transaction_rows(snapshot: Snapshot) -> Iterator[tuple[TransactionRow, ExportedEntry, ExportedSplit]]:
    for entry in entries(snapshot):
        for split in entry.splits:
            yield _row(snapshot, entry, split), entry, split


def _row(snapshot: Snapshot, entry: ExportedEntry, split: ExportedSplit) -> TransactionRow:
    source, destination = snapshot.accounts[split.source_id], snapshot.accounts[split.destination_id]
    currency = snapshot.currencies[split.currency_id]
    foreign = snapshot.currencies[split.foreign_currency_id] if split.foreign_currency_id else None
    return TransactionRow(
        split_id=split.id,
        transaction_id=entry.id,
        date=entry.on,
        type=entry.type.label.lower(),
        description=entry.head.description,
        split_description=split.description,
        units=split.units,
        places=currency.places,
        currency=currency.code,
        foreign_units=split.foreign_units,
        foreign_places=foreign.places if foreign else None,
        foreign_currency=foreign.code if foreign else None,
        source_id=source.id,
        source=source.name,
        source_type=source.kind.value,
        destination_id=destination.id,
        destination=destination.name,
        destination_type=destination.kind.value,
        category=snapshot.categories.get(split.category_id or 0),
        parent_category=snapshot.parents.get(split.category_id or 0),
        budget=snapshot.budgets.get(split.budget_id or 0),
        bill=snapshot.bills.get(entry.head.bill_id or 0),
        tags=", ".join(entry.tags) or None,
        reconciled=split.reconciled,
        refund=split.refund,
        notes=entry.head.notes,
        internal_reference=entry.head.internal_reference,
        created_at=entry.head.created_at,
        updated_at=entry.head.updated_at,
    )
