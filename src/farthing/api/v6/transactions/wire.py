"""Reads the bodies of transactions, in which every split repeats what belongs to the whole transaction."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict

from farthing.books.transactions.model import TYPES
from farthing.kernel.fields import (
    Description,
    Flag,
    Id,
    Latitude,
    Longitude,
    Name,
    Notes,
    RequestBody,
    WordList,
    ZoomLevel,
    choice,
    described,
    line,
    parse,
    text,
)
from farthing.kernel.limits import DESCRIPTION_MAX
from farthing.kernel.parsed import Parsed
from farthing.ledger.details import EntryDetails

from ..parts.amounts import PositiveAmount
from ..parts.moments import Moment
from ..parts.zeros import empty_zeros

B = TypeVar("B", bound=BaseModel)
_Code = Annotated[str, text(3)]
_Detail = Annotated[str, line(DESCRIPTION_MAX)]
# Zero means none in these fields.
_ZEROS = (
    "transaction_journal_id", "currency_id", "foreign_amount", "foreign_currency_id", "budget_id", "category_id",
    "source_id", "destination_id", "bill_id", "subscription_id", "piggy_bank_id",
)  # fmt: skip


class SplitBody(RequestBody):
    """Describes one split. Type, date, bill, piggy bank, tags, notes, references, further dates and the place belong to
    the whole transaction, so splits may not differ in them. The tags of all splits are combined.
    """

    transaction_journal_id: Id | None = described("In a PUT, the split to change. If omitted, a split is added.")
    type: Annotated[str, choice(*TYPES)] | None = None
    date: Moment | None = None
    amount: PositiveAmount | None = None
    description: Description | None = None
    currency_id: Id | None = described("Defaults to the currency of the user's own account.")
    currency_code: _Code | None = None
    foreign_amount: PositiveAmount | None = None
    foreign_currency_id: Id | None = None
    foreign_currency_code: _Code | None = None
    budget_id: Id | None = None
    budget_name: Name | None = None
    category_id: Id | None = None
    category_name: Name | None = None
    source_id: Id | None = None
    source_name: Name | None = None
    source_iban: Name | None = described(
        "Finds an account that has this IBAN, if `source_id` is omitted. A new account gets it."
    )
    source_number: Name | None = described("Does the same as `source_iban`, with an account number.")
    source_bic: Name | None = described("The BIC of a new account.")
    destination_id: Id | None = None
    destination_name: Name | None = None
    destination_iban: Name | None = described(
        "Finds an account that has this IBAN, if `destination_id` is omitted. A new account gets it."
    )
    destination_number: Name | None = described("Does the same as `destination_iban`, with an account number.")
    destination_bic: Name | None = described("The BIC of a new account.")
    reconciled: Flag | None = None
    refund: Flag | None = described("Marks a deposit as a refund, which lowers the spending of its category.")
    bill_id: Id | None = None
    bill_name: Name | None = None
    piggy_bank_id: Id | None = None
    piggy_bank_name: Name | None = None
    tags: WordList | None = None
    notes: Notes | None = None
    internal_reference: Name | None = None
    external_id: _Detail | None = None
    external_url: _Detail | None = None
    sepa_cc: _Detail | None = None
    sepa_ct_op: _Detail | None = None
    sepa_ct_id: _Detail | None = None
    sepa_db: _Detail | None = None
    sepa_country: _Detail | None = None
    sepa_ep: _Detail | None = None
    sepa_ci: _Detail | None = None
    sepa_batch_id: _Detail | None = None
    interest_date: Moment | None = None
    book_date: Moment | None = None
    process_date: Moment | None = None
    due_date: Moment | None = None
    payment_date: Moment | None = None
    invoice_date: Moment | None = None
    latitude: Latitude | None = None
    longitude: Longitude | None = None
    zoom_level: ZoomLevel | None = None


class NewSplitBody(SplitBody):
    model_config = ConfigDict(json_schema_extra={"required": ["type", "date", "amount", "description"]})


class _WriteBody(RequestBody):
    group_title: Description | None = described("The description of a transaction with several splits.")
    apply_rules: Flag | None = described("Runs the user's rules. Defaults to true.")
    fire_webhooks: Flag | None = described("Sends webhooks. Defaults to true.")


class StoreBody(_WriteBody):
    error_if_duplicate_hash: Flag | None = described(
        "Refuses the transaction if the same request has created one that still exists. Defaults to false."
    )
    transactions: list[NewSplitBody] | None = None


class UpdateBody(_WriteBody):
    """Changes the fields that are sent. If `transactions` are sent, splits that are missing there are removed."""

    transactions: list[SplitBody] | None = None


class WholeBody(RequestBody):
    """Holds what the splits of a request say about the whole transaction, as `bookkeeping` reads it."""

    type: str | None = None
    date: datetime.date | None = None
    description: str | None = None
    notes: str | None = None
    tags: list[str] | None = None
    bill_id: int | None = None
    bill_name: str | None = None
    piggy_bank_id: int | None = None
    piggy_bank_name: str | None = None
    internal_reference: str | None = None
    interest_date: datetime.date | None = None
    book_date: datetime.date | None = None
    process_date: datetime.date | None = None
    due_date: datetime.date | None = None
    payment_date: datetime.date | None = None
    invoice_date: datetime.date | None = None
    details: Any = None
    transactions: list[SplitBody] | None = None


def read(model: type[B], raw: Mapping[str, object]) -> Parsed[B]:
    """Parses a body in which a zero means none, and a bill may be called a subscription."""
    sent = raw.get("transactions")
    if isinstance(sent, list):
        raw = {**raw, "transactions": [_tidy(split) for split in sent]}
    elif isinstance(sent, dict):
        raw = {**raw, "transactions": {index: _tidy(split) for index, split in sent.items()}}
    return parse(model, raw)


def _tidy(split: object) -> object:
    if not isinstance(split, dict):
        return split
    tidied = empty_zeros(split, *_ZEROS)
    for name in ("id", "name"):
        if f"subscription_{name}" in tidied:
            tidied.setdefault(f"bill_{name}", tidied[f"subscription_{name}"])
    return tidied


DETAILS = tuple(name for name in EntryDetails.__struct_fields__ if name in SplitBody.model_fields)
