"""How does the API name what a transaction is? One object per split, seen from one side."""

from msgspec import Struct

from ..ledger.kinds import Type
from ..shown import Day, Instant, Number, number
from .model import Line


class TransactionAttributes(Struct):
    updated_at: Instant
    created_at: Instant
    description: str
    transaction_description: str | None
    date: Day
    type: str
    identifier: int
    journal_id: int
    reconciled: bool
    amount: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    foreign_amount: Number | None
    foreign_currency_id: int | None
    foreign_currency_code: str | None
    foreign_currency_symbol: str | None
    foreign_currency_dp: int | None
    bill_id: int | None
    bill_name: str | None
    category_id: int | None
    category_name: str | None
    budget_id: int | None
    budget_name: str | None
    notes: str | None
    source_id: int
    source_name: str
    source_iban: str | None
    source_type: str
    destination_id: int
    destination_name: str
    destination_iban: str | None
    destination_type: str


def show(line: Line, viewed_id: int | None = None) -> TransactionAttributes:
    """Amounts carry the sign of the viewed account; in the general list only withdrawals are negative."""
    sign = _sign(line, viewed_id)
    foreign, foreign_units = line.foreign_currency, line.foreign_units
    text = f"{line.description} ({line.entry_description})" if line.description else line.entry_description
    return TransactionAttributes(
        updated_at=line.updated_at,
        created_at=line.created_at,
        description=text,
        transaction_description=line.description,
        date=line.on,
        type=Type(line.type).label,
        identifier=line.position,
        journal_id=line.entry_id,
        reconciled=line.reconciled,
        amount=number(sign * line.units, line.currency.places),
        currency_id=line.currency.id,
        currency_code=line.currency.code,
        currency_symbol=line.currency.symbol,
        currency_dp=line.currency.places,
        foreign_amount=number(sign * foreign_units, foreign.places) if foreign and foreign_units else None,
        foreign_currency_id=foreign.id if foreign else None,
        foreign_currency_code=foreign.code if foreign else None,
        foreign_currency_symbol=foreign.symbol if foreign else None,
        foreign_currency_dp=foreign.places if foreign else None,
        bill_id=None,
        bill_name=None,
        category_id=None,
        category_name=None,
        budget_id=None,
        budget_name=None,
        notes=line.notes,
        source_id=line.source.id,
        source_name=line.source.name,
        source_iban=line.source.iban,
        source_type=line.source.kind,
        destination_id=line.destination.id,
        destination_name=line.destination.name,
        destination_iban=line.destination.iban,
        destination_type=line.destination.kind,
    )


def _sign(line: Line, viewed_id: int | None) -> int:
    if viewed_id is None:
        return -1 if line.type == Type.WITHDRAWAL else 1
    return -1 if line.source.id == viewed_id else 1
