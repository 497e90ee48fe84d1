"""Defines the kinds of accounts and the types of transactions, and names them."""

from enum import IntEnum, StrEnum


class Kind(StrEnum):
    """An account's kind; the value is the label that the API shows."""

    DEFAULT = "Default account"
    CASH = "Cash account"
    ASSET = "Asset account"
    EXPENSE = "Expense account"
    REVENUE = "Revenue account"
    INITIAL_BALANCE = "Initial balance account"
    BENEFICIARY = "Beneficiary account"
    IMPORT = "Import account"
    LOAN = "Loan"
    RECONCILIATION = "Reconciliation account"
    DEBT = "Debt"
    MORTGAGE = "Mortgage"
    CREDIT_CARD = "Credit card"
    EXCHANGE = "Exchange account"


# A lookup in a dictionary is thirty times faster than one in the enum.
KIND_OF = {kind.value: kind for kind in Kind}


class Type(IntEnum):
    """A transaction's type; the value is the id that the API shows."""

    WITHDRAWAL = 1
    DEPOSIT = 2
    TRANSFER = 3
    OPENING_BALANCE = 4
    RECONCILIATION = 5

    @property
    def label(self) -> str:
        return _LABELS[self]


# The types of spending and income.
FLOWING = (Type.WITHDRAWAL, Type.DEPOSIT)
_LABELS: dict[int, str] = {type_: type_.name.replace("_", " ").capitalize() for type_ in Type}


# The exchange account is internal: no list, filter or id gives access to it.
SHOWN = frozenset(Kind) - {Kind.EXCHANGE}
ASSETS = frozenset({Kind.ASSET, Kind.DEFAULT})
LIABILITIES = frozenset({Kind.LOAN, Kind.DEBT, Kind.MORTGAGE, Kind.CREDIT_CARD})
HIDDEN = frozenset({Kind.INITIAL_BALANCE, Kind.IMPORT, Kind.RECONCILIATION})
SPECIAL = HIDDEN | {Kind.CASH}

# The accounts on the other side of spending and income.
COUNTERPARTIES = SHOWN - ASSETS - LIABILITIES - HIDDEN

LIABILITY_WORDS = {
    "loan": Kind.LOAN,
    "debt": Kind.DEBT,
    "mortgage": Kind.MORTGAGE,
    "credit card": Kind.CREDIT_CARD,
}

_WORDS: dict[str, frozenset[Kind]] = {
    "all": SHOWN,
    "asset": ASSETS,
    "cash": frozenset({Kind.CASH}),
    "expense": frozenset({Kind.EXPENSE, Kind.BENEFICIARY}),
    "revenue": frozenset({Kind.REVENUE}),
    "special": SPECIAL,
    "hidden": HIDDEN,
    "liability": LIABILITIES,
    "liabilities": LIABILITIES,
    "credit_card": frozenset({Kind.CREDIT_CARD}),
    "creditcard": frozenset({Kind.CREDIT_CARD}),
    "cc": frozenset({Kind.CREDIT_CARD}),
    **{word: frozenset({kind}) for word, kind in LIABILITY_WORDS.items()},
    **{kind.value: frozenset({kind}) for kind in SHOWN},
}


def kinds_named(word: str) -> frozenset[Kind]:
    """Returns the kinds that a word means. An unknown word means every kind, because the API must not refuse it."""
    return _WORDS.get(word, SHOWN)
