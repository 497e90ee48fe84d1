"""Represents a GnuCash book, whether it was read from SQLite or from XML."""

from collections import Counter
from datetime import date
from fractions import Fraction

from msgspec import Struct

from ...findings import Finding


class GncCommodity(Struct, frozen=True, kw_only=True):
    space: str
    mnemonic: str
    name: str = ""

    @property
    def word(self) -> str:
        """Shares with a name of three letters must not be taken for a currency."""
        is_currency = self.space in ("CURRENCY", "ISO4217")
        return self.mnemonic if is_currency or len(self.mnemonic) != 3 else f"{self.mnemonic} ({self.space})"


class GncAccount(Struct, frozen=True, kw_only=True):
    guid: str
    name: str
    type: str
    commodity: GncCommodity | None
    parent: str | None
    code: str = ""
    description: str = ""
    notes: str = ""
    placeholder: bool = False
    hidden: bool = False
    is_opening: bool = False


class GncSplit(Struct, frozen=True, kw_only=True):
    account: str
    value: Fraction
    quantity: Fraction
    memo: str = ""
    action: str = ""
    state: str = "n"


class GncTransaction(Struct, frozen=True, kw_only=True):
    number: int
    guid: str
    on: date
    currency: GncCommodity
    splits: tuple[GncSplit, ...]
    num: str = ""
    description: str = ""
    notes: str = ""


class GncBudget(Struct, frozen=True, kw_only=True):
    """`amounts` by account and period; `start_on` None unless the periods are single months."""

    name: str
    start_on: date | None
    amounts: dict[tuple[str, int], Fraction]


class GncBook(Struct, kw_only=True):
    """`counts` are things that are only counted, by the words that name them."""

    accounts: dict[str, GncAccount]
    transactions: list[GncTransaction]
    budgets: list[GncBudget]
    scheduled: list[str]
    counts: Counter[str]
    findings: list[Finding]


def new_book() -> GncBook:
    return GncBook(accounts={}, transactions=[], budgets=[], scheduled=[], counts=Counter(), findings=[])


def parse_fraction(text: str) -> Fraction | None:
    """`-1234/100`."""
    top, _, bottom = text.strip().partition("/")
    if len(top) > 30 or len(bottom) > 20:
        return None
    try:
        return Fraction(int(top), int(bottom or "1"))
    except (ValueError, ZeroDivisionError):
        return None
