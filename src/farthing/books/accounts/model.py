"""Defines accounts, their types, and the names of their helper accounts."""

from datetime import date
from decimal import Decimal
from enum import StrEnum

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.ledger.kinds import LIABILITIES, LIABILITY_WORDS, Kind

# Accounts with these roles are valued by hand.
VALUED_ROLES = ("propertyAsset", "vehicleAsset", "investmentAsset")
USUAL_ROLES = ("defaultAsset", "sharedAsset", "savingAsset", "ccAsset", "cashWalletAsset")
ROLES = (*USUAL_ROLES, *VALUED_ROLES)
CREDIT_CARD_ROLE = "ccAsset"
CARD_TYPES = ("monthlyFull",)
INTEREST_PERIODS = ("daily", "weekly", "monthly", "quarterly", "half-year", "yearly")
TYPE_WORDS = ("asset", "expense", "revenue", "liability")


class Direction(StrEnum):
    """Says who owes a liability: the user (debit), or somebody else to the user (credit)."""

    DEBIT = "debit"
    CREDIT = "credit"


_PLAIN_KINDS = {"asset": Kind.ASSET, "expense": Kind.EXPENSE, "revenue": Kind.REVENUE}


class AccountGroup(StrEnum):
    """The groups of a user's own accounts, in their default order."""

    EVERYDAY = "everyday"
    CASH = "cash"
    SAVINGS = "savings"
    INVESTMENTS = "investments"
    CARDS = "cards"
    PROPERTY = "property"
    DEBTS = "debts"


_GROUP_OF_ROLE = {
    "cashWalletAsset": AccountGroup.CASH,
    "savingAsset": AccountGroup.SAVINGS,
    "investmentAsset": AccountGroup.INVESTMENTS,
    CREDIT_CARD_ROLE: AccountGroup.CARDS,
    "propertyAsset": AccountGroup.PROPERTY,
    "vehicleAsset": AccountGroup.PROPERTY,
}
_GROUP_OF_KIND = {
    **dict.fromkeys(LIABILITIES, AccountGroup.DEBTS),
    Kind.CREDIT_CARD: AccountGroup.CARDS,
}


def group_of(kind: Kind, role: str | None) -> AccountGroup:
    return _GROUP_OF_KIND.get(kind) or _GROUP_OF_ROLE.get(role or "", AccountGroup.EVERYDAY)


WORD_OF_LIABILITY = {kind: word for word, kind in LIABILITY_WORDS.items()}


class Opening(Struct, frozen=True):
    """Describes an opening balance. `units` is negative for a debt of the user."""

    on: date
    units: int


class AccountDraft(Struct, frozen=True):
    kind: Kind
    name: str
    active: bool
    include_net_worth: bool
    currency: Currency
    virtual_units: int = 0
    role: str | None = None
    card_type: str | None = None
    card_payment_on: date | None = None
    interest: Decimal | None = None
    interest_period: str | None = None
    account_number: str | None = None
    iban: str | None = None
    bic: str | None = None
    notes: str | None = None
    opening: Opening | None = None
    helps_id: int | None = None
    direction: Direction | None = None
    latitude: Decimal | None = None
    longitude: Decimal | None = None
    zoom_level: int | None = None


class CodedAccount(Struct, frozen=True):
    """Describes an account that was found by its IBAN or account number."""

    id: int
    name: str
    kind: Kind
    active: bool
    iban: str | None
    account_number: str | None


class Account(Struct, frozen=True):
    """Describes a stored account.

    `total_units` is the sum of everything booked in the account's own currency, including transactions with a future
    date.
    """

    id: int
    kind: Kind
    name: str
    active: bool
    include_net_worth: bool
    currency: Currency
    virtual_units: int
    role: str | None
    card_type: str | None
    card_payment_on: str | None
    interest: str | None
    interest_period: str | None
    account_number: str | None
    iban: str | None
    bic: str | None
    notes: str | None
    direction: Direction | None
    latitude: str | None
    longitude: str | None
    zoom_level: int | None
    created_at: str
    updated_at: str
    total_units: int
    opening_on: str | None
    opening_units: int | None

    @property
    def liability_direction(self) -> Direction | None:
        """Returns who owes a liability. It is None for other accounts.

        If nobody has said who owes it, the user does, unless the opening balance shows otherwise.
        """
        if self.kind not in LIABILITIES:
            return None
        return self.direction or (Direction.CREDIT if (self.opening_units or 0) > 0 else Direction.DEBIT)


class Dependents(Struct, frozen=True):
    """Counts the objects that are deleted together with an account."""

    transactions: int
    attachments: int
    piggy_banks: int
    recurrences: int
    bill_payments: int


def kind_meant(type_word: str, liability_word: str | None) -> Kind:
    if type_word == "liability":
        assert liability_word is not None
        return LIABILITY_WORDS[liability_word]
    return _PLAIN_KINDS[type_word]


def type_word(kind: Kind) -> str:
    """Returns the word that requests use for the kind.

    Kinds that clients cannot create have no such word, so this returns their label.
    """
    if kind in LIABILITIES:
        return "liability"
    return next((word for word, plain in _PLAIN_KINDS.items() if plain == kind), kind.value)


def helper_name(kind: Kind, name: str) -> str:
    """Returns the name of an account's helper, such as “Checking (initial balance)”.

    Truncates the account's name if it is too long.
    """
    words = {Kind.INITIAL_BALANCE: "initial balance", Kind.RECONCILIATION: "reconciliation"}
    return f"{name[:230]} ({words[kind]})"
