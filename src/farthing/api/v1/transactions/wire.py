"""Reads the bodies of transactions."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import structs
from msgspec.structs import replace
from pydantic import ConfigDict, Field

from farthing.books.bookkeeping.compose import type_problems
from farthing.books.transactions.model import TYPES
from farthing.kernel.fields import (
    Day,
    Description,
    Flag,
    Id,
    Name,
    Notes,
    PositiveAmount,
    RequestBody,
    WordList,
    choice,
    described,
    parse,
    text,
    whole,
)
from farthing.kernel.parsed import Indexed, Parsed
from farthing.ledger.details import NO_DETAILS, EntryDetails
from farthing.ledger.kinds import Type

BULK_MAX = 1000
# More transactions than anybody has.
_EXPECTED_MAX = 10**9
_EXAMPLE: dict[str, Any] = {
    "type": "withdrawal",
    "date": "2024-05-14",
    "description": "Groceries",
    "transactions": [
        {"amount": "23.95", "currency_code": "EUR", "source_name": "Checking", "destination_name": "Corner shop"}
    ],
}


class SplitBody(RequestBody):
    """Requires an amount, a currency and the user's own account. The other account defaults to the cash account."""

    model_config = ConfigDict(json_schema_extra={"required": ["amount"]})

    amount: PositiveAmount | None = None
    currency_id: Id | None = None
    currency_code: Annotated[str, text(3)] | None = None
    foreign_amount: PositiveAmount | None = None
    foreign_currency_id: Id | None = None
    foreign_currency_code: Annotated[str, text(3)] | None = None
    budget_id: Id | None = None
    budget_name: Name | None = None
    category_id: Id | None = None
    category_name: Name | None = None
    source_id: Id | None = None
    source_name: Name | None = None
    destination_id: Id | None = None
    destination_name: Name | None = None
    description: Description | None = None
    reconciled: Flag | None = None


class TransactionSplitBody(SplitBody):
    refund: Flag | None = described(
        "Marks a deposit as a refund, which lowers the spending of its category and budget. Kept if a PUT omits it."
    )


class TransactionBody(RequestBody):
    """Requires a description here or in each split. Unknown categories, budgets and tags are created."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    type: Annotated[str, choice(*TYPES)] | None = None
    date: Day | None = None
    description: Description | None = None
    notes: Notes | None = None
    tags: WordList | None = None
    bill_id: Id | None = described("The bill that a withdrawal pays. In a PUT, an empty value removes the link.")
    bill_name: Name | None = described("The name of the bill (case-insensitive). Ignored if `bill_id` is sent.")
    piggy_bank_id: Id | None = described(
        "The piggy bank that a transfer fills or empties. In a PUT, an empty value moves the money back."
    )
    piggy_bank_name: Name | None = described(
        "The name of the piggy bank (case-insensitive). Ignored if `piggy_bank_id` is sent."
    )
    internal_reference: Name | None = None
    external_id: Description | None = described("The id of the transaction elsewhere. Kept if a PUT omits it.")
    external_url: Description | None = described("An address to read more. Kept if a PUT omits it.")
    interest_date: Day | None = None
    book_date: Day | None = None
    process_date: Day | None = None
    due_date: Day | None = None
    payment_date: Day | None = None
    invoice_date: Day | None = None
    transactions: list[TransactionSplitBody] | None = None

    @property
    def details(self) -> EntryDetails | None:
        """Returns the details of a new transaction."""
        details = EntryDetails(external_id=self.external_id, external_url=self.external_url)
        return None if details == NO_DETAILS else details


class BulkFlags(RequestBody):
    """Holds flags, which can be sent in the body or in the query."""

    partial: Flag | None = described("Records the valid transactions and reports the errors of the others.")
    dry_run: Flag | None = described("Answers as usual, but records nothing.")


class BulkBody(BulkFlags):
    """Holds up to 1000 transactions, each in the form that `POST /transactions` accepts."""

    transactions: list[TransactionBody] | None = Field(None, json_schema_extra={"minItems": 1, "maxItems": BULK_MAX})


class RelabelLabels(RequestBody):
    """Changes the labels of many transactions. Omitted fields are kept, and an empty value removes a label."""

    category_id: Id | None = described("The new category of the splits. An empty value removes their category.")
    category_name: Name | None = described(
        "The name of the category, which is created if it does not exist. Ignored if `category_id` is sent."
    )
    budget_id: Id | None = described(
        "The new budget of the splits, which must be withdrawals or refunds. An empty value removes their budget."
    )
    budget_name: Name | None = described(
        "The name of the budget, which is created if it does not exist. Ignored if `budget_id` is sent."
    )
    tags: WordList | None = described("Replaces all tags of these transactions. An empty value removes them.")
    add_tags: WordList | None = described("Adds tags to these transactions.")
    remove_tags: WordList | None = described("Removes tags from these transactions.")


class ExpectedMatches(RequestBody):
    expected: Annotated[int, whole(minimum=0, maximum=_EXPECTED_MAX)] | None = None


class RelabelBody(RelabelLabels):
    """Changes the labels of the transactions in `ids`."""

    ids: list[Id] | None = described(
        "The ids of up to 1000 transactions, as shown in lists. Send a list or comma-separated text.",
        json_schema_extra={"minItems": 1, "maxItems": BULK_MAX},
    )


def read_change(raw: Mapping[str, object], kind: Type) -> Parsed[TransactionBody]:
    """Reads a changed transaction. Its type is not parsed, because it cannot change.

    An attempt to change the type is the first problem that is reported.
    """
    sent = {name: value for name, value in raw.items() if name != "type"}
    if "transactions" in sent:
        sent["transactions"] = _end_refunds(sent["transactions"])
    parsed = parse(TransactionBody, sent)
    return replace(parsed, problems=[*type_problems(raw, kind), *parsed.problems])


def _end_refunds(splits: object) -> object:
    """Turns an empty `refund` into false, because parsing cannot tell it from an omitted one."""
    if isinstance(splits, Indexed):
        return Indexed([_end_refund(split) for split in splits], splits.labels)
    if isinstance(splits, list):
        return [_end_refund(split) for split in splits]
    return {name: _end_refund(split) for name, split in splits.items()} if isinstance(splits, dict) else splits


def _end_refund(split: object) -> object:
    return {**split, "refund": False} if isinstance(split, dict) and _empty(split, "refund") else split


def change_details(parsed: Parsed[TransactionBody], stored: EntryDetails) -> EntryDetails:
    """Returns the details of a changed transaction. Omitted ones are kept."""
    sent = {name: getattr(parsed.values, name) for name in ("external_id", "external_url")}
    return structs.replace(
        stored, **{name: value for name, value in sent.items() if value is not None or name in parsed.emptied}
    )


def clears(raw: Mapping[str, object], label: str) -> bool:
    """Tells whether a label, such as a category, was sent empty."""
    return _empty(raw, f"{label}_id", f"{label}_name")


def unlinks(raw: Mapping[str, object]) -> bool:
    """Tells whether the bill was sent empty, which removes the link to it. An omitted bill is kept."""
    return _empty(raw, "bill_id", "bill_name")


def leaves_piggy_bank(raw: Mapping[str, object]) -> bool:
    return _empty(raw, "piggy_bank_id", "piggy_bank_name")


def _empty(raw: Mapping[str, object], *names: str) -> bool:
    sent = [raw[name] for name in names if name in raw]
    return bool(sent) and all(value is None or (isinstance(value, str) and not value.strip()) for value in sent)
