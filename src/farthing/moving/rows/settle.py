"""Finds each row's account and amount, and the key by which a later import recognizes the row. Uses no database."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct, structs

from farthing.books.transactions.model import KnownAccount
from farthing.kernel.money import Currency, Money, NotRepresentable, to_units
from farthing.kernel.text import fold
from farthing.overviews.suggestions import payees

from ..findings import Finding
from ..statements import NO_ACCOUNT, BankAccount, FileStart, StatementPart, StatementRow, StatementStart
from .own_accounts import OwnAccounts

# Rows with the same bank id and the same amount are one row only if their days are at most this far apart.
SAME_ID = timedelta(days=10)
_NOT_WORD = re.compile(r"[\W_]+")
_YEARS = range(1000, 9999)
# Exchanges write BTC, but in ISO 4217 the codes of currencies that belong to no country begin with X.
_OTHER_CODES = {"BTC": "XBT"}
Numbered = TypeVar("Numbered", StatementRow, Finding)


class SettledRow(Struct, frozen=True, kw_only=True):
    """Represents a row with its account and amount. `money` is above zero; `outgoing` says that it leaves the account.
    `named_in_text` is the payee that the description names, if the file has no column for payees.
    """

    row: StatementRow
    account: KnownAccount
    money: Money
    foreign: Money | None
    outgoing: bool
    key: str
    named_in_text: str | None = None

    @property
    def payee(self) -> str | None:
        return self.row.payee or self.named_in_text

    @property
    def amount(self) -> tuple[int, int]:
        return self.money.currency.id, self.money.units


class Settler(Struct, kw_only=True):
    """Settles the rows of one or more files, one after the other, beginning with the first row of the first file. The
    keys of equal rows in one file contain a counter. So two equal purchases remain two rows, but a row that is in two
    files is imported only once. Row numbers continue from one file to the next. `own` and `currencies` may be replaced
    while a long file is read, because the user may change accounts in the meantime. `finds_payees` is set for files
    that have only a description: then payees are taken from it.
    """

    account_id: int | None
    own: OwnAccounts
    currencies: Mapping[str, Currency]
    finds_payees: bool = False
    adopted: BankAccount | None = None
    remarked: set[tuple[int, str]] = set()
    filename: str = ""
    rows_before: int = 0
    last_row: int = 0
    start: StatementStart = StatementStart()
    keys: set[tuple[int, bytes]] = set()
    repeated: dict[tuple[int, bytes], int] = {}
    first_texts: dict[tuple[int, bytes], tuple[date, bytes]] = {}

    def settle(self, part: StatementPart | FileStart) -> Iterator[SettledRow | Finding]:
        match part:
            case StatementRow():
                settled = self._settle(self._number(part))
                if isinstance(settled, SettledRow):
                    yield from map(self._name_file, self._remark_currencies(settled))
                yield self._name_file(settled)
            case StatementStart():
                self.start = part
            case Finding():
                yield self._name_file(self._number(part))
            case FileStart():
                self.filename, self.rows_before, self.start = part.name, self.last_row, StatementStart()
                self.keys, self.repeated, self.first_texts = set(), {}, {}

    def _number(self, part: Numbered) -> Numbered:
        if part.row is None:
            return part
        self.last_row = max(self.last_row, part.row + self.rows_before)
        return structs.replace(part, row=part.row + self.rows_before) if self.rows_before else part

    def _name_file(self, item: SettledRow | Finding) -> SettledRow | Finding:
        """Adds the filename, and the number of the row within that file, to a finding if the job has several files."""
        if isinstance(item, SettledRow) or not self.filename:
            return item
        position = f", row {item.row - self.rows_before}" if item.row else ""
        return structs.replace(item, message=f"{self.filename[:80]}{position}: {item.message}")

    def _remark_currencies(self, settled: SettledRow) -> Iterator[Finding]:
        """Reports currencies other than the account's (each once), and every foreign amount that cannot be stored."""
        row, own, code = settled.row, settled.account.currency, settled.money.currency.code
        is_own = own in (settled.money.currency, settled.foreign and settled.foreign.currency)
        if not is_own and (settled.account.id, code) not in self.remarked:
            self.remarked.add((settled.account.id, code))
            account_currency = f"“{settled.account.name[:80]}” is kept in {own.code}"
            sentence = f"It is in {code}, but {account_currency}, so the displayed balance does not change."
            yield Finding(row=row.row, field="currency", message=sentence)
        if row.foreign_amount and row.foreign_currency and settled.foreign is None:
            what = f"{row.foreign_amount} {row.foreign_currency[:20]} cannot be stored, so it was added to the notes."
            yield Finding(row=row.row, field="foreign_amount", message=what)

    def _settle(self, row: StatementRow) -> SettledRow | Finding:
        try:
            account = self._account(row)
            row = self._turn_to_what_is_known(row)
            currency = self._currency(row.currency or self.start.currency, account)
            foreign = self._foreign(row)
            units = _units(row.amount, currency, "amount")
            if row.on.year not in _YEARS:
                raise _Rejected("date", f"The year {row.on.year} is not possible: it must be between 1000 and 9998.")
            if row.splits and sum(split.amount for split in row.splits) != row.amount:
                raise _Rejected("splits", "The splits do not add up to the amount of the row.")
        except _Rejected as rejected:
            return Finding(row=row.row, field=rejected.field, message=str(rejected), rejects=True)
        return SettledRow(
            row=row if foreign else _note_foreign(row),
            account=account,
            money=Money(units=abs(units), currency=currency),
            foreign=foreign,
            outgoing=units < 0,
            key=self._key(row, account, units, currency),
            named_in_text=payees.find_name(row.description) if self.finds_payees and not row.payee else None,
        )

    def _account(self, row: StatementRow) -> KnownAccount:
        """Finds the account that the row or statement names. The first unknown account is taken for the chosen one."""
        bank_account = row.account or self.start.account
        if account := self.own.find(bank_account):
            return account
        chosen = self.own.by_id.get(self.account_id) if self.account_id else None
        if chosen and self.adopted in (None, bank_account):
            self.adopted = bank_account
            return chosen
        if chosen is None and bank_account == NO_ACCOUNT:
            raise _Rejected("account_id", "Choose the account that this file belongs to.")
        raise _Rejected("account", f"The file names “{describe(bank_account)}”, which is none of your accounts.")

    def _turn_to_what_is_known(self, row: StatementRow) -> StatementRow:
        """Swaps a row's amounts if only its foreign currency exists here; the original amount goes into the notes."""
        code = row.currency or self.start.currency
        is_known = code is None or self._known(code) is not None
        if is_known or row.splits or not row.foreign_amount or not self._known(row.foreign_currency):
            return row
        return structs.replace(
            row,
            amount=abs(row.foreign_amount).copy_sign(row.amount),
            currency=row.foreign_currency,
            foreign_amount=abs(row.amount),
            foreign_currency=code,
        )

    def _known(self, code: str | None) -> Currency | None:
        plain = (code or "").upper()
        return self.currencies.get(plain) or self.currencies.get(_OTHER_CODES.get(plain, plain))

    def _currency(self, code: str | None, account: KnownAccount) -> Currency:
        if code is None or code.upper() == account.currency.code:
            return account.currency
        currency = self._known(code)
        if currency is None:
            raise _Rejected("currency", f"There is no currency “{code[:20]}”. Add it, or correct the file.")
        return currency

    def _foreign(self, row: StatementRow) -> Money | None:
        """Returns the foreign amount, or None if it cannot be stored; the row's own amount is booked in any case."""
        currency = self._known(row.foreign_currency)
        if not row.foreign_amount or currency is None:
            return None
        try:
            return Money(units=abs(_units(row.foreign_amount, currency, "foreign_amount")), currency=currency)
        except _Rejected:
            return None

    def _key(self, row: StatementRow, account: KnownAccount, units: int, currency: Currency) -> str:
        """Builds the key by which later imports recognize the row: from the bank's id and the amount (because banks
        reuse ids), or from the contents if there is no id.
        """
        text = normalize(f"{row.payee or ''} {row.description}")
        if row.bank_id:
            return self._bank_key(_hash(row.bank_id, units, currency.code), row.on, account, text)
        plain = _hash(row.on.isoformat(), units, currency.code, text)
        counted = (account.id, plain)
        if counted not in self.keys:
            self.keys.add(counted)
            return f"f{plain.hex()}"
        self.repeated[counted] = self.repeated.get(counted, 1) + 1
        return f"f{_hash(plain.hex(), self.repeated[counted]).hex()}"

    def _bank_key(self, plain: bytes, on: date, account: KnownAccount, text: str) -> str:
        """Builds the key from the bank's id. Rows of a file with equal ids but different texts get different keys."""
        text_hash = _hash(on.isoformat(), text)
        first_on, first_said = self.first_texts.setdefault((account.id, plain), (on, text_hash))
        if text_hash != first_said and abs(on - first_on) <= SAME_ID:
            return f"b{_hash(plain.hex(), text_hash.hex()).hex()}"
        self.first_texts[account.id, plain] = (on, text_hash)
        return f"b{plain.hex()}"


class _Rejected(Exception):
    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def _note_foreign(row: StatementRow) -> StatementRow:
    if not row.foreign_amount or not row.foreign_currency:
        return row
    amount = f"{row.foreign_amount} {row.foreign_currency[:20]}"
    return structs.replace(row, notes=f"{row.notes}\n{amount}" if row.notes else amount)


def _units(amount: Decimal, currency: Currency, field: str) -> int:
    try:
        units = to_units(amount, currency)
    except NotRepresentable as error:
        raise _Rejected(field, f"The {field.replace('_', ' ')} {amount} {error}.") from error
    if not units:
        raise _Rejected(field, f"The {field.replace('_', ' ')} is zero, so there is nothing to book.")
    return units


def _hash(*parts: object) -> bytes:
    return blake2b("\0".join(map(str, parts)).encode(), digest_size=12).digest()


def normalize(text: str) -> str:
    """Returns only the letters and digits of a text, folded, because banks vary spaces and punctuation."""
    return _NOT_WORD.sub("", fold(text))


def describe(account: BankAccount) -> str:
    return (account.iban or account.number or account.name or "unknown")[:80]
