"""Reads GnuCash books from SQLite and from XML, gzipped or plain, into raw entries."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from io import BytesIO
from typing import BinaryIO

from farthing.kernel.limits import NAME_MAX
from farthing.ledger.kinds import Kind
from farthing.schedule.months import day_in_month, month_number
from farthing.schedule.repetition import LAST_DAY

from ...findings import Unreadable, shorten
from ...source_books import SourceBooks, SourceBudget, SourceBudgetLimit
from ..common.building import build
from ..common.raw import Nature, RawAccount, RawBooks, RawEntry, RawPosting
from ..common.text import DIGITS_MAX, head_text, to_decimal
from ..unpacking import gunzip, gunzip_head, is_gzip, open_files
from ..untrusted_sqlite.rows import is_sqlite
from .book import GncAccount, GncBook, GncBudget, GncSplit, GncTransaction
from .sqlite import SqliteBook
from .xml import read_xml

PROGRAM = "GnuCash"
DEPTH_MAX = 50
PLACES_MAX = 27
PERIODS_MAX = 600
_NATURES = {
    **dict.fromkeys(("BANK", "CASH", "ASSET", "STOCK", "MUTUAL", "RECEIVABLE", "CURRENCY"), Nature.ASSET),
    **dict.fromkeys(("CREDIT", "LIABILITY", "PAYABLE"), Nature.LIABILITY),
    "INCOME": Nature.REVENUE,
    "EXPENSE": Nature.EXPENSE,
    "EQUITY": Nature.EQUITY,
    "TRADING": Nature.CONVERSION,
}
_TABLES = (b"schedxactions", b"gnclock", b"root_template_guid")
_OPENING_WORDS = ("opening", "anfangs", "eröffnung", "initial", "apertura", "ouverture", "begin", "start", "saldo")


def looks_like(head: bytes, filename: str) -> bool:
    if is_sqlite(head):
        return filename.lower().endswith((".gnucash", ".gnc")) or any(word in head for word in _TABLES)
    return "<gnc-v2" in head_text(gunzip_head(head) if is_gzip(head) else head[:4096])


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    """Reads the books. `currency` is used for accounts without a commodity."""
    contents = open_files(files)
    if len(contents) != 1:
        raise Unreadable("A GnuCash book is one file.")
    name, content = next(iter(contents.items()))
    if is_gzip(content):
        content = gunzip(BytesIO(content), name)
    book = SqliteBook(content, name).book if is_sqlite(content) else read_xml(content, name)
    return build(_Translation(book, currency).books())


class _Translation:
    def __init__(self, book: GncBook, currency: str | None) -> None:
        self.book, self.findings, self.currency = book, book.findings, currency or "EUR"
        self.paths: dict[str, str] = {}
        for account in book.accounts.values():
            if path := self._path(account):
                self.paths[account.guid] = path
        # Accounts of scheduled transactions are not below the root.
        self.templates = book.accounts.keys() - self.paths.keys()
        self.budgets: dict[str, SourceBudget] = {}

    def books(self) -> RawBooks:
        limits = tuple(self._limits())
        entries = tuple(entry for transaction in self.book.transactions if (entry := self._entry(transaction)))
        used = {posting.account for entry in entries for posting in entry.postings}
        accounts = tuple(self._accounts(used))
        for name in self.book.scheduled:
            self.findings.add(f"The scheduled transaction “{shorten(name)}” is not imported; set up a recurrence here.")
        cleared = sum(split.state == "c" for transaction in self.book.transactions for split in transaction.splits)
        counts = [(number, f"{what} are not imported.") for what, number in sorted(self.book.counts.items())]
        counts.append((cleared, "splits are marked as cleared, but not reconciled; that mark is not kept."))
        self.findings.add_counts(counts)
        commodities = [account.commodity for account in self.book.accounts.values() if account.commodity]
        return RawBooks(
            program=PROGRAM,
            accounts=accounts,
            entries=entries,
            budgets=tuple(self.budgets.values()),
            limits=limits,
            default_commodity=self.currency,
            names={commodity.word: commodity.name for commodity in commodities if commodity.name},
            findings=tuple(self.findings),
        )

    def _path(self, account: GncAccount) -> str | None:
        """Returns the names from the root to the account; None for the root and for accounts that are not below it."""
        names: list[str] = []
        at: GncAccount | None = account
        while at and at.type != "ROOT":
            names.append(at.name)
            at = self.book.accounts.get(at.parent or "")
            if len(names) > DEPTH_MAX:
                raise Unreadable(f"The accounts are nested more than {DEPTH_MAX} levels deep, or in a circle.")
        return ":".join(reversed(names)) if at and names else None

    def _accounts(self, used: set[str]) -> Iterator[RawAccount]:
        placeholders = 0
        for guid, path in self.paths.items():
            account = self.book.accounts[guid]
            if guid not in used and account.placeholder:
                placeholders += 1
            else:
                yield self._account(account, path)
        only_names = "placeholder accounts only group other accounts, whose names still contain theirs."
        self.findings.add_counts([(placeholders, only_names)])

    def _account(self, account: GncAccount, path: str) -> RawAccount:
        nature = _NATURES.get(account.type)
        if nature is None:
            nature = Nature.ASSET
            what = f"The account “{shorten(path)}” has the unknown type “{shorten(account.type)}”"
            self.findings.add(f"{what}; it becomes an asset.", field="type")
        texts = [account.description, account.notes, f"Code: {account.code}" if account.code else ""]
        return RawAccount(
            key=account.guid,
            name=path[:NAME_MAX],
            nature=nature,
            liability=Kind.CREDIT_CARD if account.type == "CREDIT" else Kind.DEBT,
            commodity=account.commodity.word if account.commodity else None,
            active=not account.hidden,
            notes="\n".join(text for text in texts if text and text != account.name) or None,
            is_opening=account.is_opening or any(word in account.name.lower() for word in _OPENING_WORDS),
        )

    def _entry(self, transaction: GncTransaction) -> RawEntry | None:
        if transaction.splits and all(split.account in self.templates for split in transaction.splits):
            return None
        postings = [self._posting(transaction, split) for split in transaction.splits]
        good = tuple(posting for posting in postings if posting)
        if len(good) < len(postings):
            message = (
                f"The transaction “{shorten(transaction.description)}” of {transaction.on} is skipped: a split has "
                "an unknown account or a fraction that is not a decimal number."
            )
            self.findings.add(message, transaction.number, "splits", rejects=True)
            return None
        return RawEntry(
            key=transaction.guid,
            on=transaction.on,
            description=transaction.description,
            postings=good,
            row=transaction.number,
            notes=transaction.notes or None,
            reference=transaction.num[:NAME_MAX] or None,
        )

    def _posting(self, transaction: GncTransaction, split: GncSplit) -> RawPosting | None:
        account, path = self.book.accounts.get(split.account), self.paths.get(split.account)
        quantity = _decimal(split.quantity)
        if account is None or path is None or quantity is None:
            return None
        nature = _NATURES.get(account.type)
        category = path[:NAME_MAX] if nature in (Nature.EXPENSE, Nature.REVENUE) else None
        text = " ".join(word for word in (split.memo, f"[{split.action}]" if split.action else "") if word)
        return RawPosting(
            account=split.account,
            quantity=quantity,
            commodity=account.commodity.word if account.commodity else transaction.currency.word,
            weight=split.value,
            weight_commodity=transaction.currency.word,
            category=category,
            budget=path if split.account in self.budgets else None,
            description=text or None,
            reconciled=split.state in ("y", "f"),
        )

    def _limits(self) -> Iterator[SourceBudgetLimit]:
        budgets = self.book.budgets
        for number, budget in enumerate(budgets):
            if number or budget.start_on is None:
                why = "only one budget can be imported" if number else "its periods are not single months"
                self.findings.add(f"The budget “{shorten(budget.name)}” is skipped: {why}.")
            else:
                yield from self._limits_of(budget, budget.start_on)

    def _limits_of(self, budget: GncBudget, start_on: date) -> Iterator[SourceBudgetLimit]:
        others, last = 0, min(PERIODS_MAX - 1, month_number(LAST_DAY) - month_number(start_on))
        for (guid, period), fraction in sorted(budget.amounts.items()):
            account, path, amount = self.book.accounts.get(guid), self.paths.get(guid), _decimal(fraction)
            if period < 0:
                name = shorten(budget.name)
                raise Unreadable(f"The budget “{name}” has an amount in period {period}, but periods begin at 0.")
            is_expense = account is not None and account.type == "EXPENSE"
            if account is None or not is_expense or not path or not amount or amount < 0 or period > last:
                others += 1
                continue
            month = month_number(start_on) + period
            self.budgets.setdefault(guid, SourceBudget(key=guid, name=path[:NAME_MAX]))
            yield SourceBudgetLimit(
                budget=guid,
                amount=amount,
                currency=account.commodity.word if account.commodity else self.currency,
                start_on=day_in_month(month, 1),
                end_on=day_in_month(month, 31),
            )
        skipped = f"amounts of the budget “{shorten(budget.name)}” are not for expenses and were skipped."
        self.findings.add_counts([(others, skipped)])


def _decimal(number: Fraction) -> Decimal | None:
    """Converts a fraction to a decimal number. Returns None for endless ones, like 1/3, and for too many digits."""
    decimal = to_decimal(number, PLACES_MAX)
    return decimal if decimal == number and len(decimal.as_tuple().digits) <= DIGITS_MAX else None
