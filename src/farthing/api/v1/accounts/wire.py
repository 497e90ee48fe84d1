"""Reads the bodies of accounts."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from msgspec import Struct
from pydantic import AliasChoices, ConfigDict, Field

from farthing.books.accounts import bank_codes
from farthing.books.accounts.model import (
    CARD_TYPES,
    CREDIT_CARD_ROLE,
    INTEREST_PERIODS,
    ROLES,
    TYPE_WORDS,
    WORD_OF_LIABILITY,
    Account,
    AccountDraft,
    Direction,
    Opening,
    kind_meant,
    type_word,
)
from farthing.books.currencies.choose import read_units
from farthing.kernel.errors import Problem
from farthing.kernel.fields import (
    Amount,
    Day,
    FieldParser,
    Flag,
    Id,
    Latitude,
    Longitude,
    Name,
    Notes,
    Percentage,
    PositiveAmount,
    RequestBody,
    ZoomLevel,
    choice,
    described,
    parse,
    text,
)
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure
from farthing.ledger.kinds import ASSETS, LIABILITIES, LIABILITY_WORDS, Kind


class ReconcileBody(RequestBody):
    """Describes a bank statement, and the transactions on it."""

    date: Day | None = described("The day of the statement.")
    statement_balance: Amount | None = described(
        "The balance on the statement, in the account's currency. A debt is negative."
    )
    transactions: list[Id] | None = described(
        "The ids of the transactions to mark as reconciled, as a list or comma-separated."
    )
    book_difference: Flag | None = described("If true, books the difference to the account's reconciliation account.")


class ValuationBody(RequestBody):
    """Describes what an account is worth."""

    date: Day | None = described("The day of the value. It applies from the end of this day.")
    amount: Amount | None = described("The value, in the account's currency.")


class ValuationQuery(RequestBody):
    date: Day | None = None


_as_text = text(255).read
_IBAN = FieldParser(
    lambda value: bank_codes.iban(str(_as_text(value))), {"type": "string", "description": "Must be a valid IBAN."}
)
_BIC = FieldParser(
    lambda value: bank_codes.bic(str(_as_text(value))),
    {"type": "string", "description": "Must have 8 or 11 letters and digits."},
)
NUMBER_SPELLINGS = ("account_number", "account number")
# For other kinds, the virtual balance is set to zero on create, but stored as sent on update (facts.md 7.6).
_BEGIN_WITH_VIRTUAL = ASSETS | LIABILITIES
_FOR_CARDS = "Required if `account_role` is `ccAsset`."
_FOR_LIABILITIES = "Required if `type` is `liability`."
_KEPT_IF_OMITTED = "If omitted, a change keeps it."
_EXAMPLE: dict[str, Any] = {
    "name": "Checking",
    "type": "asset",
    "account_role": "defaultAsset",
    "currency_code": "EUR",
    "active": True,
    "include_net_worth": True,
    "opening_balance": "1500.25",
    "opening_balance_date": "2024-01-01",
}


class TransactionsQuery(RequestBody):
    """Holds the query parameters that only the list of an account's transactions has."""

    balances: Flag | None = None


class AccountBody(RequestBody):
    """The required fields depend on `type`. Fields that belong to other types are ignored."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    name: Name | None = None
    type: Annotated[str, choice(*TYPE_WORDS)] | None = described("Cannot be changed later.")
    currency_id: Id | None = described("Either this or `currency_code` is required.")
    currency_code: Annotated[str, text(3)] | None = described("Either this or `currency_id` is required.")
    active: Flag | None = None
    include_net_worth: Flag | None = None
    account_role: Annotated[str, choice(*ROLES)] | None = described("Required if `type` is `asset`.")
    cc_type: Annotated[str, choice(*CARD_TYPES)] | None = described(_FOR_CARDS)
    cc_monthly_payment_date: Day | None = described(f"{_FOR_CARDS} The day on which the card's debt is paid.")
    liability_type: Annotated[str, choice(*LIABILITY_WORDS)] | None = described(_FOR_LIABILITIES)
    liability_amount: PositiveAmount | None = described(f"{_FOR_LIABILITIES} The debt on `liability_start_date`.")
    liability_direction: Annotated[Direction, choice(*Direction)] | None = described(
        "`debit` if you owe the amount, `credit` if it is owed to you. If omitted, a new liability is a `debit`, and a"
        " change keeps the direction."
    )
    liability_start_date: Day | None = described(f"{_FOR_LIABILITIES} May not be in the future.")
    interest: Percentage | None = described(f"{_FOR_LIABILITIES} The interest rate in percent.")
    interest_period: Annotated[str, choice(*INTEREST_PERIODS)] | None = described(_FOR_LIABILITIES)
    iban: Annotated[str, _IBAN] | None = described("Must be unique among your accounts.")
    bic: Annotated[str, _BIC] | None = None
    account_number: Name | None = Field(
        None,
        validation_alias=AliasChoices(*NUMBER_SPELLINGS),
        description="A number other than the IBAN, unique among your accounts. May also be sent as `account number`.",
    )
    opening_balance: Amount | None = described("Only for assets. Requires `opening_balance_date`.")
    opening_balance_date: Day | None = described("Required if `opening_balance` is sent.")
    virtual_balance: Amount | None = None
    notes: Notes | None = None
    latitude: Latitude | None = described(_KEPT_IF_OMITTED)
    longitude: Longitude | None = described(_KEPT_IF_OMITTED)
    zoom_level: ZoomLevel | None = described(_KEPT_IF_OMITTED)


_OF_CARDS = ("cc_type", "cc_monthly_payment_date")
_OF_LIABILITIES = ("liability_type", "liability_amount", "liability_start_date", "interest", "interest_period")
_PLACE = ("latitude", "longitude", "zoom_level")
_OF_ASSETS = ("account_role", "opening_balance", "opening_balance_date")
_OF_OTHERS = (*_OF_CARDS, *_OF_LIABILITIES, *_OF_ASSETS, "liability_direction")
_OF_ALL = tuple(name for name in AccountBody.model_fields if name not in _OF_OTHERS)


def read(raw: Mapping[str, object], current_kind: Kind | None) -> Parsed[AccountBody]:
    """Reads the fields that belong to the account's type, and ignores fields of other types.

    For an existing account, its kind overrides the type in the body.
    """
    sent = {**raw, "type": type_word(current_kind)} if current_kind else raw
    word = sent.get("type")
    fields = _relevant(word.strip() if isinstance(word, str) else "", sent.get("account_role"))
    if current_kind and word not in TYPE_WORDS:
        fields.discard("type")  # clients have no word for the types of the cash account and of helper accounts
    return parse(AccountBody, {name: value for name, value in sent.items() if name in fields})


def number_spelling(parsed: Parsed[AccountBody]) -> str:
    """Returns the name under which the account number was sent."""
    return next((name for name in NUMBER_SPELLINGS if name in parsed.raw), "account_number")


def _relevant(word: str, role: object) -> set[str]:
    fields = {*_OF_ALL, *NUMBER_SPELLINGS}
    if word == "asset":
        fields.update(_OF_ASSETS)
        if isinstance(role, str) and role.strip() == CREDIT_CARD_ROLE:
            fields.update(_OF_CARDS)
    if word == "liability":
        fields.update(_OF_LIABILITIES, ("liability_direction",))
    return fields


def check(parsed: Parsed[AccountBody], current_kind: Kind | None, today: date) -> None:
    """Checks the rules that involve several fields. All broken rules are reported, not only the first."""
    values = parsed.values
    parsed.require("name", "active", "include_net_worth")
    if not current_kind:
        parsed.require("type")
    parsed.require_either("currency_id", "currency_code")
    if values.type == "asset":
        parsed.require_when(["account_role"], "type", "asset")
        parsed.require_together("opening_balance", "opening_balance_date")
    if values.account_role == CREDIT_CARD_ROLE:
        parsed.require_when(_OF_CARDS, "account_role", CREDIT_CARD_ROLE)
    if values.type == "liability":
        parsed.require_when(_OF_LIABILITIES, "type", "liability")
        _check_liability(parsed, current_kind, today)


def _check_liability(parsed: Parsed[AccountBody], current_kind: Kind | None, today: date) -> None:
    values = parsed.values
    if values.liability_start_date and values.liability_start_date > today:
        parsed.report("liability_start_date", f"The liability start date may not be after today, {today}.")
    if current_kind and values.liability_type and values.liability_type != WORD_OF_LIABILITY[current_kind]:
        sentence = f"The liability type cannot be changed: this account is a {WORD_OF_LIABILITY[current_kind]}."
        parsed.report("liability_type", sentence)


def type_problems(raw: Mapping[str, object], current_kind: Kind) -> list[Problem]:
    """Allows an update to omit or repeat the type, but not to change it."""
    sent = raw.get("type")
    words = {type_word(current_kind), current_kind.value, *(["cash"] if current_kind == Kind.CASH else [])}
    if sent is None or (isinstance(sent, str) and (not sent.strip() or sent.strip() in words)):
        return []
    return [Problem("type", f"The type cannot be changed: this account has the type {type_word(current_kind)}.")]


def draft(parsed: Parsed[AccountBody], account: Account | None, currency: Currency | None) -> AccountDraft:
    """Builds the draft, with amounts converted into the smallest units of the currency."""
    values, current_kind = parsed.values, account.kind if account else None
    direction = values.liability_direction or (account.liability_direction if account else None)
    virtual = read_units(parsed, "virtual_balance", currency)
    opening = read_units(parsed, "opening_balance", currency)
    owed = read_units(parsed, "liability_amount", currency)
    parsed.finish()
    kind = current_kind or kind_meant(values.type or "", values.liability_type)
    return AccountDraft(
        kind=kind,
        name=ensure(values.name),
        active=ensure(values.active),
        include_net_worth=ensure(values.include_net_worth),
        currency=ensure(currency),
        virtual_units=(virtual or 0) if current_kind or kind in _BEGIN_WITH_VIRTUAL else 0,
        role=values.account_role,
        card_type=values.cc_type,
        card_payment_on=values.cc_monthly_payment_date,
        interest=values.interest,
        interest_period=values.interest_period,
        account_number=values.account_number,
        iban=values.iban,
        bic=values.bic,
        notes=values.notes,
        opening=_opening(values, opening, -owed if owed and direction != Direction.CREDIT else owed),
        direction=direction,
        **_read_place(parsed, account),
    )


def _read_place(parsed: Parsed[AccountBody], account: Account | None) -> dict[str, Any]:
    """Returns where the account is. A change keeps what it omits, because old clients do not know these fields."""
    named = parsed.raw.keys() | parsed.emptied
    kept = {name: getattr(account, name) for name in _PLACE if account and name not in named}
    return {name: getattr(parsed.values, name) for name in _PLACE} | kept


def _opening(values: AccountBody, opening: int | None, owed: int | None) -> Opening | None:
    """Returns None if the opening balance is zero or omitted. `owed` is negative if the user owes it."""
    if owed and values.liability_start_date:
        return Opening(on=values.liability_start_date, units=owed)
    if opening and values.opening_balance_date:
        return Opening(on=values.opening_balance_date, units=opening)
    return None


class DependentsShown(Struct, gc=False):
    """Counts what is deleted with the account. Bills are kept; `bill_payments` counts deleted payments of bills."""

    transactions: int
    attachments: int
    piggy_banks: int
    recurrences: int
    bill_payments: int
