"""Checks statements while they are read: the opening balance plus all rows must be the closing balance."""

from collections.abc import Iterator
from decimal import Decimal

from ..findings import Finding
from ..statements import NO_ACCOUNT, BankAccount, StatementEnd, StatementParts, StatementRow, StatementStart
from .values import quote

# Limits the findings if the running balances of a file are wrong throughout.
FINDINGS_MAX = 20
ACCOUNTS_MAX = 10_000


def check(parts: StatementParts) -> StatementParts:
    """Yields all parts unchanged, and adds findings where balances and rows disagree. Nothing is rejected."""
    ends: dict[BankAccount, tuple[Decimal, Decimal]] = {}
    current = StatementSum(StatementStart())
    for part in parts:
        if isinstance(part, StatementStart):
            current = StatementSum(part)
        elif isinstance(part, StatementRow):
            yield from current.add(part)
        elif isinstance(part, StatementEnd):
            yield from current.close(part)
            yield from _join(ends, current)
        yield part


class StatementSum:
    def __init__(self, start: StatementStart) -> None:
        self.start = start
        self.opening = start.opening.amount if start.opening else None
        self.closing: Decimal | None = None
        self.rows = Decimal(0)
        self.is_summable = True
        self.running: dict[tuple[BankAccount | None, str | None], RunningBalance] = {}
        self.mismatches = 0

    def add(self, row: StatementRow) -> Iterator[Finding]:
        # Rows in another currency or of another account say nothing about this statement's balance.
        if row.account is not None or not self._is_in_currency(row):
            self.is_summable = False
        self.rows += row.amount
        whose = (row.account, row.currency)
        if whose not in self.running:
            if len(self.running) >= ACCOUNTS_MAX:
                return
            starts = row.account is None and self._is_in_currency(row)
            self.running[whose] = RunningBalance(self.opening if starts else None)
        expected = self.running[whose].follow(row)
        if expected is not None:
            self.mismatches += 1
            if self.mismatches <= FINDINGS_MAX:
                message = f"The balance after this row should be {expected:f} but the file says {row.balance:f}."
                yield Finding(row=row.row, field="balance", message=message)

    def _is_in_currency(self, row: StatementRow) -> bool:
        return None in (row.currency, self.start.currency) or row.currency == self.start.currency

    def close(self, end: StatementEnd) -> Iterator[Finding]:
        if self.mismatches > FINDINGS_MAX:
            more = self.mismatches - FINDINGS_MAX
            yield Finding(field="balance", message=f"The running balance is wrong in {more} more rows.")
        if end.closing is None:
            return
        self.closing = end.closing.amount
        if self.opening is None or not self.is_summable or self.opening + self.rows == self.closing:
            return
        until = f" until {end.closing.on.isoformat()}" if end.closing.on else ""
        statement = f"The statement{say_account(self.start.account)}{until}"
        sums = f"the opening balance {self.opening:f} and the rows ({self.rows:+f}) make {self.opening + self.rows:f}"
        message = f"{statement} does not add up: {sums}, but the closing balance is {self.closing:f}."
        yield Finding(field="balance", message=message)


class RunningBalance:
    """Compares each row's balance with that of the row before, whether the oldest or the newest row comes first."""

    def __init__(self, opening: Decimal | None) -> None:
        self.last = opening
        self.after_last = Decimal(0)
        self.last_amount: Decimal | None = None
        self.is_newest_first: bool | None = None

    def follow(self, row: StatementRow) -> Decimal | None:
        """Returns the expected balance if the row has a different balance, otherwise None."""
        if row.balance is None:
            self.after_last += row.amount
            return None
        expected = None if self.last is None else self._compare(self.last, row.amount, row.balance)
        self.last, self.last_amount, self.after_last = row.balance, row.amount, Decimal(0)
        return expected

    def _compare(self, last: Decimal, amount: Decimal, balance: Decimal) -> Decimal | None:
        up = last + self.after_last + amount
        down = None if self.last_amount is None else last - self.last_amount - self.after_last
        if self.is_newest_first is None and (up == balance) != (down == balance):
            self.is_newest_first = down == balance
        fits = down == balance if self.is_newest_first else up == balance
        if self.is_newest_first is None and self.last_amount is None and not fits:
            return None  # if the newest row comes first, its balance does not follow from the opening balance
        return None if fits else down if self.is_newest_first else up


def _join(ends: dict[BankAccount, tuple[Decimal, Decimal]], current: StatementSum) -> Iterator[Finding]:
    """Checks that each statement opens with the balance with which the one before closed. Several reports of the same
    day may all open with the same balance.
    """
    account = current.start.account
    if account == NO_ACCOUNT or current.opening is None or current.closing is None:
        return
    if account in ends:
        opening, closing = ends[account]
        if current.opening not in (closing, opening) and current.closing != opening:
            ends_with = f"one ends with {closing:f}, the next one begins with {current.opening:f}"
            message = f"The statements{say_account(account)} do not join: {ends_with}. Is one missing?"
            yield Finding(field="balance", message=message)
    if account in ends or len(ends) < ACCOUNTS_MAX:
        ends[account] = current.opening, current.closing


def say_account(account: BankAccount) -> str:
    label = account.iban or account.number or account.name
    return f" of account {quote(label)}" if label else ""
