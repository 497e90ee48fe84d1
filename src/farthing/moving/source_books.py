"""Represents the books of another program, as its files or its API describe them, before they are taken over.

Objects refer to each other by `key`, which is unique within a kind of object. Amounts are exact decimals as in the
source; whether our currencies can represent them is checked when they are booked. Readers report anything that these
records cannot express as a finding, and never drop it silently.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec import Struct

from farthing.books.budgets.model import AutoPeriod, Carry
from farthing.ledger.details import EntryDetails
from farthing.ledger.kinds import Kind, Type

from .findings import Finding


class SourceCurrency(Struct, frozen=True, kw_only=True):
    code: str
    name: str
    symbol: str
    places: int
    enabled: bool = False


class SourceAccount(Struct, frozen=True, kw_only=True):
    """`kind` is asset, cash, expense, revenue or a liability. If the source has accounts for opening balances and
    reconciliations, they are included; our own accounts of these kinds are created as needed.
    """

    key: str
    name: str
    kind: Kind
    currency: str | None = None
    active: bool = True
    include_net_worth: bool = True
    role: str | None = None
    iban: str | None = None
    bic: str | None = None
    number: str | None = None
    virtual_balance: Decimal | None = None
    notes: str | None = None
    # Further fields of POST /accounts (of credit cards, of liabilities, and the place), by the contract's names, and
    # the `direction` of a liability.
    details: Mapping[str, Any] = {}


class SourceSplit(Struct, frozen=True, kw_only=True):
    """Moves money between two accounts. `source` and `destination` are account keys; `amount` is above zero."""

    source: str
    destination: str
    amount: Decimal
    currency: str
    foreign_amount: Decimal | None = None
    foreign_currency: str | None = None
    description: str | None = None
    category: str | None = None
    budget: str | None = None
    reconciled: bool = False
    refund: bool = False


class SourceTransaction(Struct, frozen=True, kw_only=True):
    """Represents a transaction. If `type` is None, it follows from the kinds of the accounts. `row` is the position in
    the source, to be shown in findings. `tags`, and the `category` and `budget` of splits, are names; `bill` and
    `piggy_bank` are keys.
    """

    key: str
    on: date
    description: str
    splits: tuple[SourceSplit, ...]
    type: Type | None = None
    row: int | None = None
    notes: str | None = None
    internal_reference: str | None = None
    dates: Mapping[str, date] = {}
    tags: tuple[str, ...] = ()
    bill: str | None = None
    piggy_bank: str | None = None
    details: EntryDetails | None = None


class SourceTag(Struct, frozen=True, kw_only=True):
    """Holds the details of a tag other than its name."""

    name: str
    on: date | None = None
    description: str | None = None
    latitude: Decimal | None = None
    longitude: Decimal | None = None
    zoom_level: int | None = None


class SourceAutoBudget(Struct, frozen=True, kw_only=True):
    """Describes the limit that a budget gets in each period."""

    carry: Carry
    amount: Decimal
    currency: str | None
    period: AutoPeriod


class SourceBudget(Struct, frozen=True, kw_only=True):
    key: str
    name: str
    active: bool = True
    notes: str | None = None
    auto: SourceAutoBudget | None = None


class SourceAvailableBudget(Struct, frozen=True, kw_only=True):
    amount: Decimal
    currency: str
    start_on: date
    end_on: date


class SourceBudgetLimit(SourceAvailableBudget, frozen=True, kw_only=True):
    """`budget` is the key of a budget."""

    budget: str
    notes: str | None = None


class SourceBill(Struct, frozen=True, kw_only=True):
    """A transaction's text must contain all `words` to pay the bill. Without words, no transactions are matched.

    `group` is the title of its group.
    """

    key: str
    name: str
    lowest: Decimal
    highest: Decimal
    currency: str
    first_on: date
    frequency: str
    words: tuple[str, ...] = ()
    skip: int = 0
    active: bool = True
    notes: str | None = None
    end_on: date | None = None
    extension_on: date | None = None
    group: str | None = None


class SourcePiggyBankEvent(Struct, frozen=True, kw_only=True):
    """`transaction` is the key of a transaction. `amount` is negative if money was taken out."""

    on: date
    amount: Decimal
    transaction: str | None = None


class SourceShare(Struct, frozen=True, kw_only=True):
    """Says how much of a piggy bank an account holds."""

    account: str
    current: Decimal


class SourcePiggyBank(Struct, frozen=True, kw_only=True):
    """Describes a piggy bank with one or more accounts. If their shares do not add up to `current`, the first account
    gets the difference.
    """

    key: str
    name: str
    shares: tuple[SourceShare, ...]
    target: Decimal
    current: Decimal
    start_on: date | None = None
    target_on: date | None = None
    notes: str | None = None
    events: tuple[SourcePiggyBankEvent, ...] = ()
    group: str | None = None


class SourceRuleGroup(Struct, frozen=True, kw_only=True):
    key: str
    title: str
    description: str | None = None
    active: bool = True


class SourceRulePart(Struct, frozen=True, kw_only=True):
    """Represents a trigger or an action, with the names that our own rules use."""

    name: str
    value: str | None = None
    stops: bool = False
    prohibited: bool = False
    active: bool = True


class SourceRule(Struct, frozen=True, kw_only=True):
    """`on_create` is True for rules that run when a transaction is created, False when one is changed.

    Rules that are `manual` run only when they are applied.
    """

    key: str
    group: str
    title: str
    triggers: tuple[SourceRulePart, ...]
    actions: tuple[SourceRulePart, ...]
    description: str | None = None
    on_create: bool = True
    strict: bool = True
    stops: bool = False
    active: bool = True
    manual: bool = False


class SourceRepetition(Struct, frozen=True, kw_only=True):
    """`type`, `moment`, `skip` and `weekend` have the same meaning as in the API's recurrences."""

    type: str
    moment: str
    skip: int = 0
    weekend: int = 1
    holidays: bool = False


class SourceRecurrence(Struct, frozen=True, kw_only=True):
    """Planned days up to `fired_until` have fired in the source already and do not fire again."""

    key: str
    title: str
    type: Type
    first_on: date
    splits: tuple[SourceSplit, ...]
    repetitions: tuple[SourceRepetition, ...]
    description: str = ""
    repeat_until: date | None = None
    count_max: int | None = None
    fired_until: date | None = None
    apply_rules: bool = True
    active: bool = True
    tags: tuple[str, ...] = ()
    piggy_bank: str | None = None
    notes: str | None = None


class SourceAttachment(Struct, frozen=True, kw_only=True):
    """`content` names a file in the archive. `model` and `of` are type and key of the object with the attachment."""

    key: str
    model: str
    of: str
    filename: str
    content: str
    title: str | None = None
    notes: str | None = None


class SourceLinkType(Struct, frozen=True, kw_only=True):
    key: str
    name: str
    inward: str
    outward: str


class SourceLinkEnd(Struct, frozen=True, kw_only=True):
    """Identifies a split of a transaction: number `split` (starting at 0) of `splits`."""

    transaction: str
    split: int
    splits: int


class SourceLink(Struct, frozen=True, kw_only=True):
    """Links two transactions. `type` is the key of a type of links."""

    key: str
    type: str
    inward: SourceLinkEnd
    outward: SourceLinkEnd
    notes: str | None = None


class SourceExchangeRate(Struct, frozen=True, kw_only=True):
    from_currency: str
    to_currency: str
    on: date
    rate: Decimal


class SourcePreference(Struct, frozen=True, kw_only=True):
    """Holds a setting that another client has stored under a name of its own."""

    name: str
    data: Any


class SourceWebhook(Struct, frozen=True, kw_only=True):
    """Describes a webhook without its secret."""

    key: str
    title: str
    url: str
    triggers: tuple[str, ...]
    responses: tuple[str, ...]


class SourceBalance(Struct, frozen=True, kw_only=True):
    """Holds a balance at the end of a day, as the source states it or as computed from the source's own bookings."""

    account: str
    on: date
    amount: Decimal
    currency: str


class SourceBooks(Struct, frozen=True, kw_only=True):
    """`transactions` can be read only once and are in no particular order; everything else fits into memory. `balances`
    has the balance of every account at the end of every month. The reader computes it from the source's own data,
    independently of the other records here, so that it can reveal errors in them. `has_order` says whether the user has
    ordered the accounts, which are then listed in this order.
    """

    program: str
    accounts: tuple[SourceAccount, ...]
    transactions: Iterable[SourceTransaction]
    has_order: bool = False
    currencies: tuple[SourceCurrency, ...] = ()
    categories: tuple[str, ...] = ()
    category_notes: Mapping[str, str] = {}
    tags: tuple[str, ...] = ()
    tag_details: tuple[SourceTag, ...] = ()
    budgets: tuple[SourceBudget, ...] = ()
    budget_limits: tuple[SourceBudgetLimit, ...] = ()
    available_budgets: tuple[SourceAvailableBudget, ...] = ()
    exchange_rates: tuple[SourceExchangeRate, ...] = ()
    object_groups: tuple[str, ...] = ()
    bills: tuple[SourceBill, ...] = ()
    piggy_banks: tuple[SourcePiggyBank, ...] = ()
    rule_groups: tuple[SourceRuleGroup, ...] = ()
    rules: tuple[SourceRule, ...] = ()
    recurrences: tuple[SourceRecurrence, ...] = ()
    link_types: tuple[SourceLinkType, ...] = ()
    entry_links: tuple[SourceLink, ...] = ()
    attachments: tuple[SourceAttachment, ...] = ()
    preferences: tuple[SourcePreference, ...] = ()
    webhooks: tuple[SourceWebhook, ...] = ()
    balances: tuple[SourceBalance, ...] = ()
    findings: tuple[Finding, ...] = ()
