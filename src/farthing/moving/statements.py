"""Represents the contents of bank files of any format, in the order of the file.

A reader yields parts: the start of a statement, its rows, and its end. A file without statements (CSV, QIF) yields one
statement. Amounts are negative if money left the account.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from msgspec import Struct

from .findings import Finding


class BankAccount(Struct, frozen=True, kw_only=True):
    """Identifies an account as a file names it; missing details are None."""

    iban: str | None = None
    number: str | None = None
    bank: str | None = None
    name: str | None = None
    currency: str | None = None


NO_ACCOUNT = BankAccount()


class BalanceOn(Struct, frozen=True, kw_only=True):
    amount: Decimal
    on: date | None = None


class StatementStart(Struct, frozen=True, kw_only=True):
    """`currency` is an ISO code. If the file names none, it is None, and the account's currency applies."""

    account: BankAccount = NO_ACCOUNT
    currency: str | None = None
    opening: BalanceOn | None = None


class StatementSplit(Struct, frozen=True, kw_only=True):
    """Represents one part of a row that is split in the file. The amounts of all parts add up to the row's amount."""

    amount: Decimal
    description: str | None = None
    category: str | None = None
    transfer_account: str | None = None
    tags: tuple[str, ...] = ()


class StatementRow(Struct, frozen=True, kw_only=True):
    """`amount` is never zero; it is in `currency` or, if that is None, in the currency of the statement. `bank_id` is
    the bank's own id of the row (OFX FITID, CAMT AcctSvcrRef …). `payee` is the other side's name, `payee_account` its
    IBAN or account number, as far as the file names them. `transfer_account` is the name of another account of the same
    owner (QIF). `account` is given only in files where each row names its account (CSV).
    """

    row: int
    on: date
    amount: Decimal
    description: str = ""
    currency: str | None = None
    foreign_amount: Decimal | None = None
    foreign_currency: str | None = None
    payee: str | None = None
    payee_account: str | None = None
    transfer_account: str | None = None
    bank_id: str | None = None
    reference: str | None = None
    value_on: date | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    notes: str | None = None
    balance: Decimal | None = None
    reconciled: bool = False
    splits: tuple[StatementSplit, ...] = ()
    account: BankAccount | None = None


class StatementEnd(Struct, frozen=True, kw_only=True):
    closing: BalanceOn | None = None


class FileStart(Struct, frozen=True):
    """Marks the beginning of a file if a job has several files. Readers do not yield it themselves."""

    name: str


StatementPart = StatementStart | StatementRow | StatementEnd | Finding
StatementParts = Iterator[StatementPart]
