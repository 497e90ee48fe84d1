"""Defines transactions in two forms: drafts, before they are booked, and lines, as they are shown, one per split."""

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from farthing.kernel.money import Currency, Money
from farthing.kernel.text import fold
from farthing.ledger.details import EntryDetails
from farthing.ledger.entry import NO_DATES, Party
from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind, Type

# The user's own accounts: the source of a withdrawal, the destination of a deposit, both sides of a transfer.
OWN = ASSETS | LIABILITIES
PAYEES = frozenset({Kind.EXPENSE, Kind.BENEFICIARY})
PAYERS = frozenset({Kind.REVENUE})

TAGS_MAX = 1000
TAG_CHARACTERS_MAX = 255
# A larger bulk request would delay other users.
SPLITS_MAX = 500
TYPES = {"withdrawal": Type.WITHDRAWAL, "deposit": Type.DEPOSIT, "transfer": Type.TRANSFER}

_DEFAULT = frozenset(TYPES.values())
_SPECIAL = frozenset({Type.OPENING_BALANCE, Type.RECONCILIATION})
_WORDS: dict[str, frozenset[Type]] = {
    "all": frozenset(Type),
    **{
        word: frozenset({kind})
        for kind, words in {
            Type.WITHDRAWAL: ("withdrawal", "withdrawals", "expense"),
            Type.DEPOSIT: ("deposit", "deposits", "income"),
            Type.TRANSFER: ("transfer", "transfers"),
            Type.OPENING_BALANCE: ("opening_balance",),
            Type.RECONCILIATION: ("reconciliation", "reconciliations"),
        }.items()
        for word in words
    },
    "special": _SPECIAL,
    "specials": _SPECIAL,
    "default": _DEFAULT,
}


def types_named(word: str) -> frozenset[Type]:
    """Returns the types that a word means. An unknown word means withdrawals, deposits and transfers."""
    return _WORDS.get(word, _DEFAULT)


class KnownAccount(Struct, frozen=True):
    id: int
    kind: Kind
    name: str
    active: bool
    currency: Currency
    iban: str | None = None

    @property
    def party(self) -> Party:
        return Party(id=self.id, currency=self.currency, name=self.name, may_count=self.kind in OWN)


_NONE: Mapping[Any, Any] = MappingProxyType({})


class Lookup(Struct, frozen=True):
    """The objects that the transactions of one request refer to.

    Names are keyed in case-folded form. Accounts with the same name are listed oldest first. `piggy_banks` maps the id
    of each piggy bank to the ids of its accounts.
    """

    accounts: Mapping[int, KnownAccount]
    accounts_named: Mapping[str, Sequence[KnownAccount]]
    cash: KnownAccount | None
    currencies: Mapping[int, Currency]
    currencies_coded: Mapping[str, Currency]
    categories: Mapping[int, str] = _NONE
    categories_named: Mapping[str, int] = _NONE
    budgets: Mapping[int, str] = _NONE
    budgets_named: Mapping[str, int] = _NONE
    bills: Mapping[int, str] = _NONE
    bills_named: Mapping[str, int] = _NONE
    piggy_banks: Mapping[int, Set[int]] = _NONE
    piggy_banks_named: Mapping[str, int] = _NONE
    tags: Mapping[int, str] = _NONE
    tags_named: Mapping[str, int] = _NONE


def account_named(name: str, kinds: Set[Kind], lookup: Lookup) -> KnownAccount | None:
    """Finds the oldest active account with that name and one of the kinds. Prefers one with the exact spelling."""
    fitting = [
        account for account in lookup.accounts_named.get(fold(name), ()) if account.kind in kinds and account.active
    ]
    return next((account for account in fitting if account.name == name), fitting[0] if fitting else None)


class LookupRequest(Struct, frozen=True):
    """The ids and case-folded names to look up. `cash` requests the cash account in addition."""

    account_ids: Set[int] = frozenset()
    account_folds: Set[str] = frozenset()
    cash: bool = False
    currency_ids: Set[int] = frozenset()
    currency_codes: Set[str] = frozenset()
    category_ids: Set[int] = frozenset()
    category_folds: Set[str] = frozenset()
    budget_ids: Set[int] = frozenset()
    budget_folds: Set[str] = frozenset()
    tag_ids: Set[int] = frozenset()
    tag_folds: Set[str] = frozenset()
    bill_ids: Set[int] = frozenset()
    bill_folds: Set[str] = frozenset()
    piggy_bank_ids: Set[int] = frozenset()
    piggy_bank_folds: Set[str] = frozenset()


class NewAccount(Struct, frozen=True):
    """An account to create when the transaction is recorded, in the currency of the account on the other side."""

    kind: Kind
    name: str
    iban: str | None = None
    account_number: str | None = None
    bic: str | None = None


AccountRef = KnownAccount | NewAccount


class SplitDraft(Struct, frozen=True):
    """`category` and `budget` are the id of an existing label, or the name of a label to be created."""

    source: AccountRef
    destination: AccountRef
    amount: Money
    foreign: Money | None
    description: str | None
    reconciled: bool
    category: int | str | None
    budget: int | str | None
    refund: bool = False


def sides(splits: Iterable[SplitDraft]) -> set[int]:
    parties = (party for split in splits for party in (split.source, split.destination))
    return {party.id for party in parties if isinstance(party, KnownAccount)}


class TransactionDraft(Struct, frozen=True):
    """If `details` is None, a new transaction has no details, and a changed one keeps those that it has."""

    type: Type
    on: date
    description: str
    splits: tuple[SplitDraft, ...]
    notes: str | None = None
    internal_reference: str | None = None
    dates: tuple[date | None, ...] = NO_DATES
    tags: tuple[str, ...] = ()
    bill_id: int | None = None
    piggy_bank_id: int | None = None
    details: EntryDetails | None = None


class Relabelling(Struct, frozen=True):
    """Describes new labels: `labels` by column for the splits, and `tags` for some entries, by entry id and day.

    `tags` replaces all tags of an entry. `default_budget_id` is for withdrawals and refunds that have no budget.
    """

    entry_ids: list[int]
    split_ids: list[int]
    labels: Mapping[str, int | None]
    tags: Mapping[tuple[int, str], tuple[int, ...]]
    default_budget_id: int | None = None


class Side(Struct, frozen=True, gc=False):
    """An account as shown on a line."""

    id: int
    name: str
    iban: str | None
    kind: str


class LabelName(Struct, frozen=True, gc=False):
    """A bill, category or budget as shown on a line. Only categories have a colour and an icon."""

    id: int
    name: str
    colour: str | None = None
    icon: str | None = None


class LineDates(Struct, frozen=True, gc=False):
    """The other dates of a transaction, in ISO form."""

    interest_on: str | None
    book_on: str | None
    process_on: str | None
    due_on: str | None
    payment_on: str | None
    invoice_on: str | None


class LineEntry(Struct, frozen=True):
    """The fields that the lines of one transaction share."""

    id: int
    description: str
    notes: str | None
    internal_reference: str | None
    dates: LineDates | None
    bill: LabelName | None
    bill_by_hand: bool
    recurrence_id: int | None
    external_id: str | None
    external_url: str | None
    tags: tuple[str, ...]
    created_at: str
    updated_at: str


class Line(Struct, frozen=True):
    """One split with everything that is shown for it.

    The first two fields are passed by position, because a page needs fifty lines, and a call with more than fifteen
    keyword arguments takes ten times as long: Python passes them as a dictionary.
    """

    id: int
    position: int
    type: int
    on: str
    description: str | None
    reconciled: bool
    units: int
    currency: Currency
    foreign_units: int | None
    foreign_currency: Currency | None
    source: Side
    destination: Side
    category: LabelName | None
    budget: LabelName | None
    refund: bool
    entry: LineEntry

    @property
    def entry_id(self) -> int:
        return self.entry.id
