"""How does the API name what an account is?"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from msgspec import Raw, Struct
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from ..currencies.wire import units
from ..errors import Problem
from ..fields import (
    Amount,
    Day,
    Flag,
    Id,
    Name,
    Notes,
    Parsed,
    Percentage,
    PositiveAmount,
    Reads,
    choice,
    parse,
    required,
    required_when,
    required_without,
    text,
)  # fmt: skip
from ..ledger.kinds import ASSETS, LIABILITY_WORDS, Kind
from ..money import Currency
from ..shown import Day as ShownDay
from ..shown import Instant, Number, number, rate
from . import bank
from .model import (
    CARD_TYPES,
    CREDIT_CARD_ROLE,
    INTEREST_PERIODS,
    ROLES,
    TYPE_WORDS,
    WORD_OF_LIABILITY,
    Account,
    Draft,
    Opening,
    kind_meant,
    type_word,
)  # fmt: skip

_as_text = text(255).read
_IBAN = Reads(lambda value: bank.iban(str(_as_text(value))), {"type": "string", "description": "A valid IBAN."})
_BIC = Reads(
    lambda value: bank.bic(str(_as_text(value))), {"type": "string", "description": "8 or 11 letters, digits."}
)
NUMBER_SPELLINGS = ("account_number", "account number")
_FOR_CARDS = "Needed for the role ccAsset."
_FOR_LIABILITIES = "Needed for a liability."
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


class AccountBody(BaseModel):
    """Which fields are needed depends on the type; fields of another type are ignored."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    name: Name | None = None
    type: Annotated[str, choice(*TYPE_WORDS)] | None = Field(None, description="It cannot be changed afterwards.")
    currency_id: Id | None = Field(None, description="This or `currency_code` is needed.")
    currency_code: Annotated[str, text(3)] | None = Field(None, description="This or `currency_id` is needed.")
    active: Flag | None = None
    include_net_worth: Flag | None = None
    account_role: Annotated[str, choice(*ROLES)] | None = Field(None, description="Needed for an asset.")
    cc_type: Annotated[str, choice(*CARD_TYPES)] | None = Field(None, description=_FOR_CARDS)
    cc_monthly_payment_date: Day | None = Field(None, description=f"{_FOR_CARDS} The card is paid on this day.")
    liability_type: Annotated[str, choice(*LIABILITY_WORDS)] | None = Field(None, description=_FOR_LIABILITIES)
    liability_amount: PositiveAmount | None = Field(None, description=f"{_FOR_LIABILITIES} What was owed at first.")
    liability_start_date: Day | None = Field(None, description=f"{_FOR_LIABILITIES} Not in the future.")
    interest: Percentage | None = Field(None, description=f"{_FOR_LIABILITIES} A percentage.")
    interest_period: Annotated[str, choice(*INTEREST_PERIODS)] | None = Field(None, description=_FOR_LIABILITIES)
    iban: Annotated[str, _IBAN] | None = Field(None, description="No two of your accounts may have the same.")
    bic: Annotated[str, _BIC] | None = None
    account_number: Name | None = Field(
        None,
        validation_alias=AliasChoices(*NUMBER_SPELLINGS),
        description="Not the IBAN. No two of your accounts may have the same. `account number` is the same field.",
    )
    opening_balance: Amount | None = Field(None, description="Of an asset only; needs its date.")
    opening_balance_date: Day | None = Field(None, description="Needed with an opening balance.")
    virtual_balance: Amount | None = None
    notes: Notes | None = None


_OF_CARDS = ("cc_type", "cc_monthly_payment_date")
_OF_LIABILITIES = ("liability_type", "liability_amount", "liability_start_date", "interest", "interest_period")
_OF_ASSETS = ("account_role", "opening_balance", "opening_balance_date")
_OF_ALL = tuple(name for name in AccountBody.model_fields if name not in (*_OF_CARDS, *_OF_LIABILITIES, *_OF_ASSETS))


def read(raw: Mapping[str, object], kept: Kind | None) -> Parsed[AccountBody]:
    """`kept` is the kind of an account that exists already: its type counts, whatever was sent.

    Fields of other types are dropped unread.
    """
    sent = {**raw, "type": type_word(kept)} if kept else raw
    word = sent.get("type")
    fields = _relevant(word.strip() if isinstance(word, str) else "", sent.get("account_role"))
    if kept and word not in TYPE_WORDS:
        fields.discard("type")  # the cash account and the helpers have a type that nobody can ask for
    return parse(AccountBody, {name: value for name, value in sent.items() if name in fields})


def _relevant(word: str, role: object) -> set[str]:
    fields = {*_OF_ALL, *NUMBER_SPELLINGS}
    if word == "asset":
        fields.update(_OF_ASSETS)
        if isinstance(role, str) and role.strip() == CREDIT_CARD_ROLE:
            fields.update(_OF_CARDS)
    if word == "liability":
        fields.update(_OF_LIABILITIES)
    return fields


def problems(parsed: Parsed[AccountBody], kept: Kind | None, today: date) -> list[Problem]:
    """The rules between fields; each runs whatever the others say."""
    values = parsed.values
    found = [
        *required(parsed, "name", "active", "include_net_worth"),
        *([] if kept else required(parsed, "type")),
        *required_without(parsed, "currency_id", "currency_code"),
    ]
    if values.type == "asset":
        found += required_when(parsed, ["account_role"], "type", "asset")
        found += _opening_problems(parsed)
    if values.account_role == CREDIT_CARD_ROLE:
        found += required_when(parsed, _OF_CARDS, "account_role", CREDIT_CARD_ROLE)
    if values.type == "liability":
        found += required_when(parsed, _OF_LIABILITIES, "type", "liability")
        found += _liability_problems(values, kept, today)
    return found


def _opening_problems(parsed: Parsed[AccountBody]) -> list[Problem]:
    pairs = (("opening_balance", "opening_balance_date"), ("opening_balance_date", "opening_balance"))
    return [
        Problem(name, f"The {name.replace('_', ' ')} field is required when {other.replace('_', ' ')} is present.")
        for name, other in pairs
        if parsed.absent(name) and not parsed.absent(other)
    ]


def _liability_problems(values: AccountBody, kept: Kind | None, today: date) -> list[Problem]:
    found = []
    if values.liability_start_date and values.liability_start_date > today:
        found.append(Problem("liability_start_date", f"The liability start date may not be after today, {today}."))
    if kept and values.liability_type and values.liability_type != WORD_OF_LIABILITY[kept]:
        sentence = f"The liability type cannot be changed: this one is a {WORD_OF_LIABILITY[kept]}."
        found.append(Problem("liability_type", sentence))
    return found


def type_problems(raw: Mapping[str, object], kept: Kind) -> list[Problem]:
    """On an update the type may be left out, or repeated; it cannot be changed."""
    sent = raw.get("type")
    words = {type_word(kept), kept.value, *(["cash"] if kept == Kind.CASH else [])}
    if sent is None or (isinstance(sent, str) and (not sent.strip() or sent.strip() in words)):
        return []
    return [Problem("type", f"The type cannot be changed: this one is {type_word(kept)}.")]


def draft(
    parsed: Parsed[AccountBody], kept: Kind | None, currency: Currency | None, found: list[Problem]
) -> Draft | None:
    """Amounts become units here, which only the currency can do; None as soon as anything is wrong."""
    values = parsed.values
    virtual = units(parsed, "virtual_balance", currency, found)
    opening = units(parsed, "opening_balance", currency, found)
    owed = units(parsed, "liability_amount", currency, found)
    if found or currency is None:
        return None
    assert values.name is not None
    assert values.active is not None
    assert values.include_net_worth is not None
    return Draft(
        kind=kept or kind_meant(values.type or "", values.liability_type),
        name=values.name,
        active=values.active,
        include_net_worth=values.include_net_worth,
        currency=currency,
        virtual_units=virtual or 0,
        role=values.account_role,
        card_type=values.cc_type,
        card_payment_on=values.cc_monthly_payment_date,
        interest=values.interest,
        interest_period=values.interest_period,
        account_number=values.account_number,
        iban=values.iban,
        bic=values.bic,
        notes=values.notes,
        opening=_opening(values, opening, owed),
    )


def _opening(values: AccountBody, opening: int | None, owed: int | None) -> Opening | None:
    """Zero makes no entry; what is owed is negative."""
    if owed and values.liability_start_date:
        return Opening(values.liability_start_date, -owed)
    if opening and values.opening_balance_date:
        return Opening(values.opening_balance_date, opening)
    return None


class AccountAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    active: bool
    type: str
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    current_balance: Number
    current_balance_date: ShownDay
    notes: str | None
    monthly_payment_date: ShownDay | None
    credit_card_type: str | None
    account_number: str | None
    iban: str | None
    bic: str | None
    virtual_balance: Number
    opening_balance: Number | None
    opening_balance_date: ShownDay | None
    role: str | None
    account_role: str | None
    include_net_worth: bool
    interest: Number | None
    interest_period: str | None
    liability_type: str | None
    liability_amount: Number | None
    liability_start_date: ShownDay | None


class DependentsShown(Struct, gc=False):
    """What goes when the account is deleted; a bill stays, but loses its payments."""

    transactions: int
    attachments: int
    piggy_banks: int
    recurrences: int
    bill_payments: int


def show(account: Account, later_units: int, day: date) -> AccountAttributes:
    """`later_units` is what is booked after the day: the balance is everything else, and the virtual balance."""
    currency, places = account.currency, account.currency.places
    balance = account.total_units - later_units + account.virtual_units
    opening, opening_on = _opening_shown(account)
    liability, owed, owed_on = _liability_shown(account)
    # By position, in the order of the attributes: by name it takes twice as long, and a page has fifty of these.
    return AccountAttributes(
        account.updated_at, account.created_at, account.name, account.active, str(account.kind),
        currency.id, currency.code, currency.symbol, places,
        number(balance, places), day.isoformat(), account.notes, account.card_payment_on, account.card_type,
        account.account_number, account.iban, account.bic, number(account.virtual_units, places),
        opening, opening_on, account.role, account.role, account.include_net_worth,
        Raw(account.interest.encode()) if account.interest else None, account.interest_period,
        liability, owed, owed_on,
    )  # fmt: skip


def _opening_shown(account: Account) -> tuple[Raw | None, str | None]:
    if account.opening_units is None or account.kind not in ASSETS:
        return None, None
    return number(account.opening_units, account.currency.places), account.opening_on


def _liability_shown(account: Account) -> tuple[str | None, Raw | None, str | None]:
    """What was owed at the start."""
    word, units = WORD_OF_LIABILITY.get(account.kind), account.opening_units
    if word is None:
        return None, None, None
    return word, number(-units, account.currency.places) if units is not None else None, account.opening_on


def stored_interest(draft: Draft) -> str | None:
    return rate(draft.interest) if draft.interest is not None else None
