"""Declares the fields from which transactions are composed. Each API passes bodies of its own types."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Protocol

from farthing.ledger.details import EntryDetails


class SplitInput(Protocol):
    @property
    def model_fields_set(self) -> set[str]: ...

    amount: Decimal | None
    currency_id: int | None
    currency_code: str | None
    foreign_amount: Decimal | None
    foreign_currency_id: int | None
    foreign_currency_code: str | None
    budget_id: int | None
    budget_name: str | None
    category_id: int | None
    category_name: str | None
    source_id: int | None
    source_name: str | None
    destination_id: int | None
    destination_name: str | None
    description: str | None
    reconciled: bool | None


class RefundableSplitInput(SplitInput, Protocol):
    """Declares a split that may be a refund. Splits of recurrences cannot be refunds."""

    refund: bool | None


class ReferringInput(Protocol):
    """Declares a body that refers to accounts, currencies and labels: a transaction or a recurrence."""

    @property
    def model_fields_set(self) -> set[str]: ...
    @property
    def transactions(self) -> Sequence[SplitInput] | None: ...

    tags: list[str] | None


class TransactionInput(ReferringInput, Protocol):
    @property
    def transactions(self) -> Sequence[RefundableSplitInput] | None: ...

    type: str | None
    date: date | None
    description: str | None
    notes: str | None
    bill_id: int | None
    bill_name: str | None
    piggy_bank_id: int | None
    piggy_bank_name: str | None
    internal_reference: str | None

    @property
    def details(self) -> EntryDetails | None: ...
