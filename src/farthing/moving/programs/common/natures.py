"""Derives the nature of an account from the root of its path and the words in it."""

from farthing.kernel.limits import NAME_MAX
from farthing.ledger.kinds import Kind

from .raw import Nature, RawAccount

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
    path: str,
    nature: Nature,
    *,
    commodity: str | None = None,
    active: bool = True,
    notes: str | None = None,
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
