"""Represents a GnuCash book, whether it was read from SQLite or from XML."""

from collections import Counter
from datetime import date
from fractions import Fraction

from msgspec import Struct

from ...findings import Findings


class GncCommodity(Struct, frozen=True, kw_only=True):
    space: str
    mnemonic: str
    name: str = ""

    @property
    def word(self) -> str:
        """Returns the commodity's name. Three-letter names of shares get a suffix, to not look like currencies."""
        is_currency = self.space in ("CURRENCY", "ISO4217")
        return self.mnemonic if is_currency or len(self.mnemonic) != 3 else f"{self.mnemonic} ({self.space})"


class GncAccount(Struct, frozen=True, kw_only=True):
    guid: str
    name: str
    type: str
    commodity: GncCommodity | None
    parent: str | None
    code: str
    description: str
    notes: str
    placeholder: bool
    hidden: bool
    is_opening: bool


class GncSplit(Struct, frozen=True, kw_only=True):
    account: str
    value: Fraction
    quantity: Fraction
    memo: str
    action: str
    state: str


class GncTransaction(Struct, frozen=True, kw_only=True):
    number: int
    guid: str
    on: date
    currency: GncCommodity
    splits: tuple[GncSplit, ...]
    num: str
    description: str
    notes: str


class GncBudget(Struct, frozen=True, kw_only=True):
    """Holds a budget. `amounts` are by account and period; `start_on` is None unless the periods are single months."""

    name: str
    start_on: date | None
    amounts: dict[tuple[str, int], Fraction]


class GncBook:
    """Holds a book. `counts` has the numbers of objects that are not read, by kind."""

    def __init__(self) -> None:
        self.accounts: dict[str, GncAccount] = {}
        self.transactions: list[GncTransaction] = []
        self.budgets: list[GncBudget] = []
        self.scheduled: list[str] = []
        self.counts: Counter[str] = Counter()
        self.findings = Findings()

    def refuse_transaction(self, number: int, field: str, quoted: str = "") -> None:
        message = f"A transaction has a {field} {quoted}that cannot be read; it is skipped."
        self.findings.add(message, number, field, rejects=True)
