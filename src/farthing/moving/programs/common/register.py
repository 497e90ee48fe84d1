"""Combines rows of registers into entries. Programs without double entry write registers into CSV files."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.kernel.limits import NAME_MAX
from farthing.schedule.periods import Period, last_day

from ...findings import Findings
from ...source_books import SourceBooks, SourceBudget, SourceBudgetLimit
from .building import build
from .raw import Nature, RawAccount, RawBooks, RawEntry, RawPosting

OPENING = "opening balances"
CASH = "cash"
_OPENING_PAYEES = frozenset({"starting balance", "starting balances", "opening balance", "saldo inicial", "startsaldo"})
ALL_ASSETS = "all become asset accounts, unless you specify their kinds (options.kinds)."


def is_starting_balance(payee: str) -> bool:
    return payee.strip().lower() in _OPENING_PAYEES


class Payees:
    """Creates the accounts of payees when they are first named. Payees of the same name share an account."""

    def __init__(self) -> None:
        self._accounts: dict[str, RawAccount] = {}

    def key(self, name: str) -> str:
        if not name:
            return self._add(RawAccount(key=CASH, name="Cash", nature=Nature.CASH))
        return self._add(RawAccount(key=f"payee {name.casefold()}", name=name[:NAME_MAX], nature=Nature.PAYEE))

    def opening(self) -> str:
        return self._add(RawAccount(key=OPENING, name="Opening balances", nature=Nature.EQUITY, is_opening=True))

    def _add(self, account: RawAccount) -> str:
        self._accounts.setdefault(account.key, account)
        return account.key

    def accounts(self) -> tuple[RawAccount, ...]:
        return tuple(self._accounts.values())


def limit_of_month(budget: str, amount: Decimal, currency: str, start: date) -> SourceBudgetLimit:
    end = last_day(Period.MONTH, start)
    return SourceBudgetLimit(budget=budget, amount=amount, currency=currency, start_on=start, end_on=end)


def budget_below_zero(amount: Decimal, name: str | None, start: date) -> str:
    return f"The budget of {amount} for “{name}” in {start:%Y-%m} is below zero and was skipped."


def cents(units: int) -> Decimal:
    return Decimal(units).scaleb(-2)


class RegisterRow(Struct, frozen=True, kw_only=True):
    """Holds a row. `amount` is what the account receives. `transfer` is the name of the other own account, or empty.
    Rows with the same `group` are the parts of one split. If `is_transfer` is set, but `transfer` is empty, a matching
    row is searched for.
    """

    row: int
    account: str
    on: date
    amount: Decimal
    commodity: str
    payee: str = ""
    category: str | None = None
    notes: str | None = None
    tags: tuple[str, ...] = ()
    reconciled: bool = False
    is_transfer: bool = False
    transfer: str = ""
    group: int | None = None
    reference: str | None = None


class Register(Struct, frozen=True, kw_only=True):
    program: str
    rows: Sequence[RegisterRow]
    currency: str
    findings: Findings
    budgets: dict[str, SourceBudget] = {}
    limits: tuple[SourceBudgetLimit, ...] = ()
    categories: tuple[str, ...] = ()


def build_books(register: Register) -> SourceBooks:
    return build(_Assembly(register).books())


class _Assembly:
    def __init__(self, register: Register) -> None:
        self.register, self.rows = register, register.rows
        self.payees = Payees()
        self.partners = _named_partners(self.rows) | _unnamed_partners(self.rows)

    def books(self) -> RawBooks:
        entries = tuple(self._entries())
        names = dict.fromkeys(row.account for row in self.rows)
        own = [RawAccount(key=name, name=name[:NAME_MAX] or "Account", nature=Nature.ASSET) for name in names]
        return RawBooks(
            program=self.register.program,
            accounts=(*own, *self.payees.accounts()),
            entries=entries,
            categories=self.register.categories,
            budgets=tuple(self.register.budgets.values()),
            limits=self.register.limits,
            default_commodity=self.register.currency,
            findings=tuple(self.register.findings),
            moves=tuple((row.account, row.commodity, row.on, row.amount) for row in self.rows),
        )

    def _entries(self) -> Iterator[RawEntry]:
        # The parts of each split, which share their account and day. Any other row is a group of its own.
        groups: dict[tuple[int, str, date], list[int]] = defaultdict(list)
        for index, row in enumerate(self.rows):
            groups[-1 - index if row.group is None else row.group, row.account, row.on].append(index)
        for group in groups.values():
            parts = [index for index in group if not self._is_second_half(index)]
            if parts:
                yield self._entry(parts)

    def _entry(self, parts: list[int]) -> RawEntry:
        rows = [self.rows[index] for index in parts]
        first = rows[0]
        postings = []
        for index, row in zip(parts, rows, strict=True):
            postings += [self._posting(row.account, row.amount, row), self._counterpart(index, row)]
        payees = [row.payee for row in rows if row.payee]
        return RawEntry(
            on=first.on,
            description=(payees or [row.notes or "" for row in rows])[0] or first.category or "",
            postings=tuple(postings),
            row=first.row,
            notes="\n".join(dict.fromkeys(row.notes for row in rows if row.notes)) or None,
            reference=first.reference,
            tags=tuple(dict.fromkeys(tag for row in rows for tag in row.tags)),
            in_pairs=True,
        )

    def _counterpart(self, index: int, row: RegisterRow) -> RawPosting:
        if index in self.partners:
            other = self.rows[self.partners[index]]
            both = row.reconciled and other.reconciled
            return self._posting(other.account, -row.amount, row, reconciled=both)
        if row.transfer:
            message = (
                f"The transfer of {row.amount} {row.commodity} on {row.on} between “{row.account[:60]}” and "
                f"“{row.transfer[:60]}” has no other half in the file; it is booked with its payee."
            )
            self.register.findings.add(message, row.row, "payee")
        if is_starting_balance(row.payee):
            return self._posting(self.payees.opening(), -row.amount, row)
        return self._posting(self.payees.key(row.payee), -row.amount, row)

    def _posting(self, account: str, amount: Decimal, row: RegisterRow, reconciled: bool | None = None) -> RawPosting:
        budget = self.register.budgets.get(row.category or "")
        return RawPosting(
            account=account,
            quantity=amount,
            commodity=row.commodity,
            category=row.category,
            budget=budget.name if budget else None,
            description=row.notes,
            reconciled=row.reconciled if reconciled is None else reconciled,
        )

    def _is_second_half(self, index: int) -> bool:
        other = self.partners.get(index)
        if other is None:
            return False
        row, partner = self.rows[index], self.rows[other]
        if (row.group is None) != (partner.group is None):
            return partner.group is not None
        return (row.amount, index) > (partner.amount, other)


def _named_partners(rows: Sequence[RegisterRow]) -> dict[int, int]:
    """Finds pairs of rows that name each other's account and have opposite amounts on the same day."""
    waiting: dict[tuple[str, str, date, Decimal, str], list[int]] = defaultdict(list)
    partners: dict[int, int] = {}
    for index, row in enumerate(rows):
        if not row.transfer or row.transfer == row.account:
            continue
        fitting = waiting.get((row.transfer, row.account, row.on, -row.amount, row.commodity))
        if fitting:
            other = fitting.pop(0)
            partners[index], partners[other] = other, index
        else:
            waiting[row.account, row.transfer, row.on, row.amount, row.commodity].append(index)
    return partners


def _unnamed_partners(rows: Sequence[RegisterRow]) -> dict[int, int]:
    """Pairs rows whose category means a transfer, if each has exactly one row with the opposite amount on that day."""
    by: dict[tuple[date, Decimal, str], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        if row.is_transfer and not row.transfer:
            by[row.on, row.amount, row.commodity].append(index)
    partners: dict[int, int] = {}
    for (on, amount, commodity), ones in by.items():
        others = by.get((on, -amount, commodity), []) if amount < 0 else []
        if len(ones) == len(others) == 1 and rows[ones[0]].account != rows[others[0]].account:
            partners[ones[0]], partners[others[0]] = others[0], ones[0]
    return partners
