"""Defines suggestions, the transactions to make them for, and the evidence on which they are based."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property

from msgspec import Struct

from farthing.books.transactions.index.words import words_in
from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type

from .payees import clean

# Each suggestion names up to this many earlier transactions as its reasons.
BECAUSE_MAX = 3


class SuggestionSubject(Struct, frozen=True, kw_only=True, dict=True):
    """A transaction to make suggestions for: a draft, or a stored split with its present labels.

    `payee` is the name of the account on the other side, or None for cash. `deposited_on` is the day of a stored
    deposit that is not marked as a refund, but may be one, and `currency_id` is its currency.
    """

    type: int
    description: str
    payee: str | None = None
    amount: Decimal | None = None
    split_id: int | None = None
    entry_id: int | None = None
    category_id: int | None = None
    budget_id: int | None = None
    takes_budget: bool = True
    tag_ids: frozenset[int] = frozenset()
    deposited_on: str | None = None
    currency_id: int | None = None

    @cached_property
    def words(self) -> frozenset[str]:
        return words_in(self.description)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """Returns the words that may contain the payee's name."""
        return frozenset(fold(self.payee or self.description).split())

    @cached_property
    def clean_name(self) -> str:
        return fold(clean(self.payee or self.description))

    def units(self, places: int) -> int | None:
        return None if self.amount is None else int(self.amount.scaleb(places))


class EarlierSplit(Struct, frozen=True, kw_only=True, dict=True):
    """A split of an earlier transaction, with the account on its other side as the payee."""

    id: int
    entry_id: int
    type: int
    on: str
    description: str
    part: str | None
    refund: bool
    units: int
    currency: Currency
    payee_id: int
    payee: str
    payee_kind: str
    category_id: int | None
    budget_id: int | None
    updated_at: str
    created_at: str

    @cached_property
    def words(self) -> frozenset[str]:
        return words_in(self.description, self.part)

    @cached_property
    def lettered(self) -> frozenset[str]:
        """Returns the words that are not numbers."""
        return frozenset([word for word in self.words if not word.isdigit()])

    @property
    def amount(self) -> Decimal:
        return Decimal(self.units).scaleb(-self.currency.places)

    @property
    def takes_budget(self) -> bool:
        return self.type == Type.WITHDRAWAL or self.refund


class LabelSuggestion(Struct, frozen=True):
    """A label or a payee. A payee that does not exist yet has no id."""

    id: int | None
    name: str
    confidence: float
    because: Sequence[EarlierSplit]


class RefundSuggestion(Struct, frozen=True):
    """The purchase that a deposit probably refunds. `purchase.units` is the amount of the whole purchase."""

    purchase: EarlierSplit
    confidence: float


class RuleOffer(Struct, frozen=True):
    """A rule that would make the corrections that the user has made by hand several times."""

    title: str
    group_title: str | None
    trigger: tuple[str, str]
    actions: Sequence[tuple[str, str]]


class Suggestion(Struct, frozen=True, kw_only=True):
    subject: SuggestionSubject
    category: LabelSuggestion | None = None
    budget: LabelSuggestion | None = None
    tags: Sequence[LabelSuggestion] = ()
    payee: LabelSuggestion | None = None
    refund: RefundSuggestion | None = None
    rule: RuleOffer | None = None


class Evidence(Struct, frozen=True):
    """Holds the earlier transactions that may support a suggestion. `frequencies` says how many entries have each word.

    `by_word` and `by_payee` list ids of entries; `splits` and `tags` are grouped by these ids.
    """

    frequencies: Mapping[str, int]
    splits: Mapping[int, Sequence[EarlierSplit]]
    tags: Mapping[int, frozenset[int]]
    by_word: Mapping[str, Sequence[int]]
    by_payee: Mapping[int, Sequence[int]]
    payees: Mapping[int, "Payee"]


class Payee(Struct, frozen=True, dict=True):
    """An expense or revenue account that a subject may name as its payee."""

    id: int
    name: str
    name_fold: str

    @cached_property
    def clean_name(self) -> str:
        return fold(clean(self.name))
