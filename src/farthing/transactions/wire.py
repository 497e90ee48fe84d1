"""How does the API name what a transaction is? One object per split, seen from one side."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Raw, Struct
from pydantic import BaseModel, ConfigDict, Field

from ..fields import Amount, Day, Description, Flag, Id, Name, Notes, PositiveAmount, WordList, choice, text
from ..ledger.kinds import Type
from ..money import Currency
from ..shown import Day as ShownDay
from ..shown import Instant, Number, number
from .model import TYPES, Line

BULK_MAX = 1000
_EXAMPLE: dict[str, Any] = {
    "type": "withdrawal",
    "date": "2024-05-14",
    "description": "Groceries",
    "transactions": [
        {"amount": "23.95", "currency_code": "EUR", "source_name": "Checking", "destination_name": "Corner shop"}
    ],
}


class SplitBody(BaseModel):
    """A currency is needed, and the user's own account; a missing other side is the cash account."""

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


class TransactionBody(BaseModel):
    """A description is needed here or in each split; names of categories, budgets and tags are made on demand."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    type: Annotated[str, choice(*TYPES)] | None = None
    date: Day | None = None
    description: Description | None = None
    notes: Notes | None = None
    tags: WordList | None = None
    bill_id: Id | None = Field(None, description="The bill that a withdrawal pays; on PUT an empty one unlinks it.")
    bill_name: Name | None = Field(None, description="The same by name, in any case; the id wins.")
    piggy_bank_id: Id | None = Field(
        None, description="The piggy bank that a transfer fills or empties; on PUT an empty one moves the money back."
    )
    piggy_bank_name: Name | None = Field(None, description="The same by name, in any case; the id wins.")
    internal_reference: Name | None = None
    interest_date: Day | None = None
    book_date: Day | None = None
    process_date: Day | None = None
    due_date: Day | None = None
    payment_date: Day | None = None
    invoice_date: Day | None = None
    transactions: list[SplitBody] | None = None


class BulkFlags(BaseModel):
    """They may stand in the body or in the query."""

    partial: Flag | None = Field(None, description="Record those that are right, and say what is wrong with the rest.")
    dry_run: Flag | None = Field(None, description="Check and do everything, then take it back.")


class BulkBody(BulkFlags):
    """Up to a thousand transactions, each as it would be sent alone."""

    transactions: list[TransactionBody] | None = Field(None, json_schema_extra={"minItems": 1, "maxItems": BULK_MAX})


class RelabelBody(BaseModel):
    """What many transactions get; what is left out stays as it is, and an empty label takes one away."""

    ids: list[Id] | None = Field(
        None,
        description="The ids of up to 1000 transactions, as lists show them; also as a comma list.",
        json_schema_extra={"minItems": 1, "maxItems": BULK_MAX},
    )
    category_id: Id | None = Field(None, description="The category of these splits; empty for none.")
    category_name: Name | None = Field(None, description="The same by name, made when it is new; the id wins.")
    budget_id: Id | None = Field(None, description="The budget of these splits, withdrawals only; empty for none.")
    budget_name: Name | None = Field(None, description="The same by name, made when it is new; the id wins.")
    tags: WordList | None = Field(None, description="All tags of these transactions; empty for none.")
    add_tags: WordList | None = Field(None, description="Tags that they get besides those they have.")
    remove_tags: WordList | None = Field(None, description="Tags that they lose.")


def clears(raw: Mapping[str, object], label: str) -> bool:
    """Was a category sent, say, but an empty one?"""
    return _empty(raw, f"{label}_id", f"{label}_name")


class ReconcileBody(BaseModel):
    """What the bank says, and which transactions are on its statement."""

    date: Day | None = Field(None, description="The day of the statement.")
    statement_balance: Amount | None = Field(None, description="In the account's currency; what is owed is negative.")
    transactions: list[Id] | None = Field(
        None, description="The ids of transactions of this account to mark as reconciled; also as a comma list."
    )
    book_difference: Flag | None = Field(None, description="Book what differs to the account's reconciliation account.")


def unlinks(raw: Mapping[str, object]) -> bool:
    """Was a bill sent, but an empty one? Left out says nothing about it."""
    return _empty(raw, "bill_id", "bill_name")


def leaves_piggy_bank(raw: Mapping[str, object]) -> bool:
    return _empty(raw, "piggy_bank_id", "piggy_bank_name")


def _empty(raw: Mapping[str, object], *names: str) -> bool:
    sent = [raw[name] for name in names if name in raw]
    return bool(sent) and all(one is None or (isinstance(one, str) and not one.strip()) for one in sent)


class TransactionAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    description: str
    transaction_description: str | None
    journal_description: str
    date: ShownDay
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
    tags: str | None
    notes: str | None
    internal_reference: str | None
    recurrence_id: int | None
    interest_date: ShownDay | None
    book_date: ShownDay | None
    process_date: ShownDay | None
    due_date: ShownDay | None
    payment_date: ShownDay | None
    invoice_date: ShownDay | None
    source_id: int
    source_name: str
    source_iban: str | None
    source_type: str
    destination_id: int
    destination_name: str
    destination_iban: str | None
    destination_type: str


def _from_to(first: str, last: str) -> slice:
    return slice(Line._fields.index(first), Line._fields.index(last) + 1)


# What lines and attributes have in the same order.
_STAMPS = _from_to("updated_at", "created_at")
_TEXTS_AND_DAY = _from_to("description", "on")
_PLACE = _from_to("position", "entry_id")
_NOTES_AND_DATES = _from_to("notes", "invoice_on")
_TYPES = {int(one): one.label for one in Type}


def show(line: Line, viewed_id: int | None = None) -> TransactionAttributes:
    """Withdrawals are negative, deposits positive; the rest carry the sign of the viewed account, if there is one."""
    return TransactionAttributes(*_in_order(line, line, _sign(line, viewed_id), line.currency))


def _in_order(line: Line, row: tuple[Any, ...], sign: int, currency: Currency) -> tuple[Any, ...]:
    """A line is a row as well, of which stretches are taken."""
    return (
        *row[_STAMPS],
        _description(line),
        *row[_TEXTS_AND_DAY],
        _TYPES[line.type],
        *row[_PLACE],
        line.reconciled == 1,
        number(sign * line.units, currency.places),
        currency.id,
        currency.code,
        currency.symbol,
        currency.places,
        *(_foreign(line, sign) if line.foreign_currency else _NOT_FOREIGN),
        line.bill_id,
        line.bill_name,
        line.category_id,
        line.category_name,
        line.budget_id,
        line.budget_name,
        ",".join(line.tags) or None,
        *row[_NOTES_AND_DATES],
        *line.source,
        *line.destination,
    )


_Foreign = tuple[Raw | None, int | None, str | None, str | None, int | None]
_NOT_FOREIGN: _Foreign = (None, None, None, None, None)


def _foreign(line: Line, sign: int) -> _Foreign:
    currency, units = line.foreign_currency, line.foreign_units
    assert currency is not None
    amount = number(sign * units, currency.places) if units else None
    return amount, currency.id, currency.code, currency.symbol, currency.places


def _description(line: Line) -> str:
    """A split with words of its own shows both."""
    if line.description and line.description != line.entry_description:
        return f"{line.description} ({line.entry_description})"
    return line.entry_description


def _sign(line: Line, viewed_id: int | None) -> int:
    if line.type == _WITHDRAWAL:
        return -1
    return -1 if line.type != _DEPOSIT and line.source_id == viewed_id else 1


# Plain numbers: to look a member up in its enum takes longer than the rest of the question.
_WITHDRAWAL, _DEPOSIT = int(Type.WITHDRAWAL), int(Type.DEPOSIT)
