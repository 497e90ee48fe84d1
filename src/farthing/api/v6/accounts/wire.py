"""Reads the bodies of accounts."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Struct

from farthing.books.accounts import bank_codes
from farthing.books.accounts.model import (
    CARD_TYPES,
    CREDIT_CARD_ROLE,
    INTEREST_PERIODS,
    ROLES,
    USUAL_ROLES,
    Account,
    AccountDraft,
    Direction,
    Opening,
)
from farthing.kernel.fields import (
    FieldParser,
    Flag,
    Id,
    Latitude,
    Longitude,
    Name,
    Notes,
    Percentage,
    RequestBody,
    ZoomLevel,
    choice,
    described,
    parse,
    text,
    whole,
)
from farthing.kernel.money import Currency, Money
from farthing.kernel.parsed import Parsed, ensure
from farthing.ledger.kinds import ASSETS, LIABILITIES, LIABILITY_WORDS, Kind

from ..objects.accounts import name_kind, name_liability, name_role
from ..parts.amounts import Amount
from ..parts.moments import Moment
from ..parts.partial import over, over_day, over_required, over_units
from ..parts.zeros import empty_zeros

_as_text = text(255).read
_IBAN = FieldParser(
    lambda value: bank_codes.iban(str(_as_text(value))), {"type": "string", "description": "Must be a valid IBAN."}
)
_BIC = FieldParser(
    lambda value: bank_codes.bic(str(_as_text(value))),
    {"type": "string", "description": "Must have 8 or 11 letters and digits."},
)
# The words for the types of accounts that clients can create. The type of a liability may follow in another field.
_KINDS = {
    "asset": Kind.ASSET,
    "expense": Kind.EXPENSE,
    "revenue": Kind.REVENUE,
    "liability": Kind.DEBT,
    "liabilities": Kind.DEBT,
    **{kind.value: kind for kind in (Kind.ASSET, Kind.EXPENSE, Kind.REVENUE, Kind.LOAN, Kind.DEBT, Kind.MORTGAGE)},
}
_LIABILITY_TYPES = {word: kind for word, kind in LIABILITY_WORDS.items() if word == name_liability(kind)}


class AccountBody(RequestBody):
    """Fields that belong to accounts of other types are ignored."""

    name: Name | None = None
    type: Annotated[str, choice(*_KINDS)] | None = described("Cannot be changed later.")
    iban: Annotated[str, _IBAN] | None = described("Must be unique among your accounts.")
    bic: Annotated[str, _BIC] | None = None
    account_number: Name | None = described("A number other than the IBAN, unique among your accounts.")
    opening_balance: Amount | None = described(
        "Only for assets and liabilities. Requires `opening_balance_date`. The sign of a liability's amount is ignored."
    )
    opening_balance_date: Moment | None = None
    virtual_balance: Amount | None = None
    currency_id: Id | None = None
    currency_code: Annotated[str, text(3)] | None = described(
        "If no currency is sent, a new account gets your primary currency."
    )
    active: Flag | None = None
    order: Annotated[int, whole(minimum=1, maximum=10_000)] | None = described(
        "The position among your assets or your liabilities, starting at 1. Other accounts have none."
    )
    include_net_worth: Flag | None = None
    account_role: Annotated[str, choice(*ROLES)] | None = described("Only for assets.")
    credit_card_type: Annotated[str, choice(*CARD_TYPES)] | None = described("Only for the role `ccAsset`.")
    monthly_payment_date: Moment | None = described("Only for the role `ccAsset`.")
    liability_type: Annotated[str, choice(*_LIABILITY_TYPES)] | None = described("Cannot be changed later.")
    liability_direction: Annotated[Direction, choice(*Direction)] | None = described(
        "`debit` if you owe the amount, `credit` if it is owed to you. If omitted, a new liability is a `debit`."
    )
    interest: Percentage | None = described("The interest rate of a liability in percent.")
    interest_period: Annotated[str, choice(*INTEREST_PERIODS)] | None = None
    notes: Notes | None = None
    latitude: Latitude | None = None
    longitude: Longitude | None = None
    zoom_level: ZoomLevel | None = None


class PlacedDraft(Struct, frozen=True):
    """Holds a draft, and the requested position among the accounts of its type, if any."""

    draft: AccountDraft
    order: int | None


def read(raw: Mapping[str, object], stored: Account | None) -> Parsed[AccountBody]:
    fields = empty_zeros(raw, "currency_id", "order")
    if stored and fields.get("type") in _list_words(stored.kind):
        del fields["type"]
    parsed = parse(AccountBody, fields)
    if stored is None:
        parsed.require("name", "type")
    elif parsed.values.type:
        parsed.report("type", f"The type cannot be changed: this account has the type {name_kind(stored.kind)}.")
    shown = name_liability(stored.kind) if stored else None
    if shown and parsed.values.liability_type not in (None, shown):
        parsed.report("liability_type", f"The liability type cannot be changed: this account is a {shown}.")
    return parsed


def _list_words(kind: Kind) -> tuple[str, ...]:
    """Lists the words that a client may send back for an account."""
    return name_kind(kind), kind.value, *(("liabilities", "Debt") if kind in LIABILITIES else ())


def find_kind(parsed: Parsed[AccountBody], stored: Account | None) -> Kind | None:
    """Returns the kind of the account, or None if the type of a new account is missing or wrong."""
    if stored:
        return stored.kind
    kind, liability = _KINDS.get(parsed.values.type or ""), parsed.values.liability_type
    return _LIABILITY_TYPES[liability] if kind in LIABILITIES and liability else kind


def draft(parsed: Parsed[AccountBody], stored: Account | None, currency: Currency | None, zone: str) -> PlacedDraft:
    """Builds the draft of the whole account from what was sent, and from what is stored."""
    kind, virtual = find_kind(parsed, stored), Money(stored.virtual_units, stored.currency) if stored else None
    virtual_units = over_units(parsed, "virtual_balance", virtual, currency) or 0
    name = over_required(parsed, "name", stored.name) if stored else parsed.values.name
    fields: dict[str, Any] = {}
    if kind in ASSETS:
        fields = _read_asset(parsed, stored, zone)
    elif kind in LIABILITIES:
        fields = _read_liability(parsed, stored)
    if fields:
        fields["opening"] = _read_opening(parsed, stored, fields.get("direction"), kind, currency, zone)
    fields |= {name: over(parsed, name, getattr(stored, name, None)) for name in _OF_ALL}
    fields |= {name: over_required(parsed, name, getattr(stored, name, True)) for name in _FLAGS}
    parsed.finish()
    account = AccountDraft(
        kind=ensure(kind),
        name=ensure(name),
        currency=ensure(currency),
        virtual_units=virtual_units,
        **fields,
    )
    return PlacedDraft(account, parsed.values.order)


_OF_ALL = ("account_number", "iban", "bic", "notes", "latitude", "longitude", "zoom_level")
_FLAGS = ("active", "include_net_worth")


def _read_asset(parsed: Parsed[AccountBody], stored: Account | None, zone: str) -> dict[str, Any]:
    role = parsed.values.account_role or (stored.role if stored else None) or USUAL_ROLES[0]
    if stored and role == name_role(stored):
        role = stored.role or role  # a client that sends back what it was shown does not change the role
    if role != CREDIT_CARD_ROLE:
        return {"role": role}
    return {
        "role": role,
        "card_type": over(parsed, "credit_card_type", stored.card_type if stored else None) or CARD_TYPES[0],
        "card_payment_on": over_day(parsed, "monthly_payment_date", stored.card_payment_on if stored else None, zone),
    }


def _read_liability(parsed: Parsed[AccountBody], stored: Account | None) -> dict[str, Any]:
    interest = Decimal(stored.interest) if stored and stored.interest else None
    return {
        "direction": over(parsed, "liability_direction", stored.liability_direction if stored else None),
        "interest": over(parsed, "interest", interest),
        "interest_period": over(parsed, "interest_period", stored.interest_period if stored else None),
    }


def _read_opening(
    parsed: Parsed[AccountBody],
    stored: Account | None,
    direction: Direction | None,
    kind: Kind | None,
    currency: Currency | None,
    zone: str,
) -> Opening | None:
    """Returns None if the opening balance is zero. A debt is negative, whichever sign was sent."""
    before = Money(stored.opening_units, stored.currency) if stored and stored.opening_units is not None else None
    units = over_units(parsed, "opening_balance", before, currency)
    on = over_day(parsed, "opening_balance_date", stored.opening_on if stored else None, zone)
    if not units:
        return None
    if on is None:
        if not parsed.wrong("opening_balance_date"):
            parsed.report("opening_balance_date", "The opening balance date field is required with an opening balance.")
        return None
    if kind in LIABILITIES:
        units = abs(units) if direction is Direction.CREDIT else -abs(units)
    return Opening(on=on, units=units)
