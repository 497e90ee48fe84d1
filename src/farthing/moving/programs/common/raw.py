"""Represents the books of another program as it wrote them: accounts and entries with signed postings."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from farthing.kernel.limits import NAME_MAX
from farthing.ledger.kinds import Kind

from ...findings import Finding
from ...source_books import SourceBudget, SourceBudgetLimit


class Nature(StrEnum):
    """Names what an account is for. A `PAYEE` is both expense and revenue; a `CONVERSION` only balances two
    commodities.
    """

    ASSET = "asset"
    LIABILITY = "liability"
    EXPENSE = "expense"
    REVENUE = "revenue"
    PAYEE = "payee"
    CASH = "cash"
    EQUITY = "equity"
    CONVERSION = "conversion"


OWN = frozenset({Nature.ASSET, Nature.LIABILITY})


class RawAccount(Struct, frozen=True, kw_only=True):
    """Describes an account. `commodity` is used if the account has no postings. `is_opening` marks the equity account
    of opening balances.
    """

    key: str
    name: str
    nature: Nature
    liability: Kind = Kind.DEBT
    commodity: str | None = None
    active: bool = True

    notes: str | None = None
    is_opening: bool = False


class RawPosting(Struct, frozen=True, kw_only=True):
    """Holds a posting. `quantity` is positive if the account receives it; `weight` is its cost in another commodity."""

    account: str
    quantity: Decimal
    commodity: str
    weight: Fraction | None = None
    weight_commodity: str | None = None
    category: str | None = None
    budget: str | None = None
    description: str | None = None
    reconciled: bool = False


class RawEntry(Struct, frozen=True, kw_only=True):
    """Holds an entry. `key` is the program's own id, by which a later import recognizes the entry; it may be empty.
    With `in_pairs`, every second posting is the counterpart of the posting before it, as in registers.
    """

    key: str = ""
    on: date
    description: str
    postings: tuple[RawPosting, ...]
    row: int | None = None
    notes: str | None = None
    reference: str | None = None
    tags: tuple[str, ...] = ()
    dates: dict[str, date] = {}
    in_pairs: bool = False


class RawBooks(Struct, frozen=True, kw_only=True):
    """Holds the books of a program. `names` are the full names of commodities whose codes say little. If postings were
    combined from several rows, `moves` has the original rows of the own accounts (account, commodity, day, amount). The
    balances are then verified by these rows.
    """

    program: str
    accounts: tuple[RawAccount, ...]
    entries: tuple[RawEntry, ...]
    categories: tuple[str, ...] = ()
    budgets: tuple[SourceBudget, ...] = ()
    limits: tuple[SourceBudgetLimit, ...] = ()
    default_commodity: str = "EUR"
    names: dict[str, str] = {}
    moves: tuple[tuple[str, str, date, Decimal], ...] | None = None
    findings: tuple[Finding, ...] = ()


_ROOTS = {
    Nature.ASSET: "asset assets aktiva activa vermögen actif actifs activo activos attività",
    Nature.LIABILITY: "liability liabilities debt debts passiva schulden verbindlichkeiten passifs pasivo pasivos",
    Nature.EXPENSE: "expense expenses aufwand aufwendungen ausgaben dépenses gastos uitgaven lasten kosten spese",
    Nature.REVENUE: "income incomes revenue revenues einnahmen ertrag erträge revenus ingresos inkomsten opbrengsten",
    Nature.EQUITY: "equity eigenkapital capital kapital vermogen",
}
NATURE_OF_ROOT = {word: nature for nature, words in _ROOTS.items() for word in words.split()}
_LIABILITY_WORDS = (
    (("credit card", "creditcard", "credit", "card", "visa", "mastercard", "amex", "kreditkarte"), Kind.CREDIT_CARD),
    (("mortgage", "hypothe"), Kind.MORTGAGE),
    (("loan", "kredit", "darlehen"), Kind.LOAN),
)
_OPENING_WORDS = ("opening", "starting", "initial", "anfang", "eröffnung")


def nature_of_path(path: str) -> Nature | None:
    return NATURE_OF_ROOT.get(path.split(":")[0].strip().lower())


def account_at(
    path: str, nature: Nature, *, commodity: str | None = None, active: bool = True, notes: str | None = None
) -> RawAccount:
    lower = path.lower()
    if nature is Nature.EQUITY and ("conversion" in lower or "trading" in lower):
        nature = Nature.CONVERSION
    kinds = (kind for words, kind in _LIABILITY_WORDS if any(word in lower for word in words))
    return RawAccount(
        key=path,
        name=path[:NAME_MAX],
        nature=nature,
        liability=next(kinds, Kind.DEBT),
        commodity=commodity,
        active=active,
        notes=notes,
        is_opening=any(word in lower for word in _OPENING_WORDS),
    )
