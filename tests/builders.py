"""Builders: one per noun, with good defaults; a test states only what matters to it.

Money stories are told as text. Accounts appear when they are first named, of the kind that the type of the transaction
suggests, in the currency of the amount; a line `account` says otherwise. A line that begins with `and` is one more
split of the transaction above it; a foreign amount stands in brackets:

    account Dollars asset USD
    2024-05-01 deposit    Employer -> Checking  1000.00 EUR
    2024-05-02 withdrawal Checking -> Groceries   12.50 EUR
               and        Checking -> Bakery       2.00 EUR
    2024-05-03 transfer   Checking -> Dollars     10.00 EUR (11.00 USD)
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import AccountDraft, Opening
from farthing.books.bookkeeping import record
from farthing.books.currencies import store as currencies
from farthing.books.labels import store as labels
from farthing.books.labels.store import Label
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.care.doctor import DoctorFinding, examine
from farthing.identity import users
from farthing.kernel.money import Currency, Money, as_text, to_units
from farthing.ledger.balance import Effect
from farthing.ledger.entry import Entry, Party, Split, book_splits
from farthing.ledger.kinds import LIABILITY_WORDS, Kind, Type
from farthing.storage.unit import Database, Unit

AT = "2024-05-15T12:00:00+00:00"

KINDS = {"asset": Kind.ASSET, "expense": Kind.EXPENSE, "revenue": Kind.REVENUE, **LIABILITY_WORDS}
TYPES = {"withdrawal": Type.WITHDRAWAL, "deposit": Type.DEPOSIT, "transfer": Type.TRANSFER}
_SIDES = {
    Type.WITHDRAWAL: (Kind.ASSET, Kind.EXPENSE),
    Type.DEPOSIT: (Kind.REVENUE, Kind.ASSET),
    Type.TRANSFER: (Kind.ASSET, Kind.ASSET),
}

_MONEY = r"([0-9.]+) ([A-Z]{3})"
_SPLIT = re.compile(rf"(.+?) +-> (.+?) +{_MONEY}(?: \({_MONEY}\))?")
_ENTRY = re.compile(r"(\d{4}-\d\d-\d\d) +(\w+) +(.+)")
_ACCOUNT = re.compile(r"account (.+?) (asset|expense|revenue|loan|debt|mortgage|credit card) ([A-Z]{3})")

EUR = Currency(1, "EUR", "Euro", "€", 2)
USD = Currency(7, "USD", "US Dollar", "$", 2)
JPY = Currency(16, "JPY", "Japanese Yen", "¥", 0)


def day(text: str) -> date:
    return date.fromisoformat(text)


def money(text: str, currency: Currency = EUR) -> Money:
    return Money(to_units(Decimal(text), currency), currency)


def balance_on(units: Mapping[tuple[int, int, str], int], account_id: int, currency_id: int, on: date) -> int:
    """Everything dated up to the end of the day, from sums by account, currency and day."""
    last = on.isoformat()
    return sum(
        value
        for (account, currency, dated), value in units.items()
        if account == account_id and currency == currency_id and dated <= last
    )


def a_party(account_id: int = 1, currency: Currency = EUR) -> Party:
    return Party(account_id, currency)


def a_split(**fields: Any) -> Split:
    return Split(**{"source": a_party(1), "destination": a_party(2), "amount": money("12.50"), **fields})


def an_entry(*splits: Split, type: Type = Type.WITHDRAWAL, on: str = "2024-05-01") -> Entry:  # noqa: A002
    return Entry(type, day(on), "a transaction", splits or (a_split(),))


def an_account_draft(**fields: Any) -> AccountDraft:
    usual = {"kind": Kind.ASSET, "name": "Checking", "active": True, "include_net_worth": True, "currency": EUR}
    return AccountDraft(**{**usual, **fields})


@dataclass
class Books:
    """One user's books on a real database, and beside them the plain reference of what they should hold."""

    database: Database
    user_id: int
    ids: dict[str, Party] = field(default_factory=dict)
    entries: dict[int, Entry] = field(default_factory=dict)

    def account(self, name: str, kind: Kind = Kind.ASSET, currency: str = "EUR", **fields: Any) -> int:
        """A new account, made as the API makes it."""
        with self.writing() as db:
            return self._account(db, name, kind, currency, **fields).id

    def opened(self, name: str, amount: str, on: str, kind: Kind = Kind.ASSET) -> int:
        return self.account(name, kind, opening=Opening(day(on), to_units(Decimal(amount), EUR)))

    def keep(self, story: str) -> list[int]:
        """Writes the story into the books; each transaction is a unit of work. The ids of the entries."""
        return [self.record(text) for text in self._transactions(story)]

    def record(self, told: str | Entry, *, category: str | None = None, tags: Sequence[str] = ()) -> int:
        with self.writing() as db:
            entry = self._labelled(db, self._entry(db, told), category, tags)
            entry_id = record.record(db, self.user_id, entry, AT, amount_field="amount")
        self.entries[entry_id] = entry
        return entry_id

    def rewrite(self, entry_id: int, told: str | Entry) -> None:
        with self.writing() as db:
            entry = self._entry(db, told)
            record.rewrite(db, self.user_id, entry_id, entry, AT, amount_field="amount")
        self.entries[entry_id] = entry

    def erase(self, *entry_ids: int) -> None:
        with self.writing() as db:
            record.erase(db, self.user_id, list(entry_ids))
        for entry_id in entry_ids:
            del self.entries[entry_id]

    def change_currency(self, name: str, code: str) -> None:
        """As the API does it; entries that are remembered here see the account in its new currency too."""
        with self.writing() as db:
            account, currency = accounts.get(db, self.user_id, self.ids[name].id), currencies.by_code(db, code)
            assert account is not None
            assert currency is not None
            draft = an_account_draft(kind=account.kind, name=name, currency=currency)
            lifecycle.change(db, self.user_id, account, draft, AT)
        self.ids[name] = party = Party(account.id, currency)
        for entry_id, entry in self.entries.items():
            splits = tuple(_seen_again(split, party) for split in entry.splits)
            self.entries[entry_id] = replace(entry, splits=splits)

    def reconcile(self, entry_id: int) -> None:
        """Marks every split of the entry as found on a statement."""
        with self.writing() as db:
            rows = db.all(
                "SELECT id FROM splits WHERE user_id = :user AND entry_id = :id", user=self.user_id, id=entry_id
            )
            split_ids = [split_id for (split_id,) in rows]
            record.mark_reconciled(db, self.user_id, split_ids, AT, amount_field="transactions")
        splits = tuple(replace(split, reconciled=True) for split in self.entries[entry_id].splits)
        self.entries[entry_id] = replace(self.entries[entry_id], splits=splits)

    @contextmanager
    def writing(self) -> Iterator[Unit]:
        """A unit of work of this user."""
        with self.database.writing() as db:
            users.take(db, self.user_id, token_id=None, now=AT, doing="test")
            yield db

    def balance(self, name: str, on: str = "9998-12-31") -> str:
        """What the account holds at the end of the day in its own currency, as the API reckons it."""
        with self.database.reading() as db:
            account = accounts.get(db, self.user_id, self.ids[name].id)
            assert account is not None
            later = accounts.sum_booked_after(db, self.user_id, [account.id], day(on))[account.id]
        return f"{as_text(account.total_units - later, account.currency.places)} {account.currency.code}"

    def reference(self) -> Effect:
        """What all entries together must have made of the kept sums; openings aside."""
        effect = Effect()
        for entry in self.entries.values():
            effect.add(book_splits(entry), self.exchange_id())
        return effect

    def counting(self) -> set[int]:
        """The accounts that count in the net worth."""
        with self.database.reading() as db:
            kinds = ("Asset account", "Default account", "Loan", "Debt", "Mortgage", "Credit card")
            rows = db.all("SELECT id, kind, include_net_worth FROM accounts WHERE user_id = :id", id=self.user_id)
        return {account_id for account_id, kind, counts in rows if counts and kind in kinds}

    def reference_balance(self, name: str, on: date) -> int:
        party = self.ids[name]
        return balance_on(self.reference().units, party.id, party.currency.id, on)

    def exchange_id(self) -> int:
        with self.database.reading() as db:
            return int(
                db.value(
                    "SELECT id FROM accounts WHERE user_id = :id AND kind = :kind",
                    id=self.user_id,
                    kind=Kind.EXCHANGE.value,
                )
            )

    def findings(self) -> list[DoctorFinding]:
        """What doctor says of this user, and of nobody in particular."""
        return [one for one in examine(self.database) if one.user_id in (None, self.user_id)]

    def tamper(self, sql: str, **parameters: Any) -> int:
        """Raw SQL, as no honest program writes it."""
        with self.database.writing() as db:
            return db.run_and_count(sql, user_id=self.user_id, **parameters)

    def _account(self, db: Unit, name: str, kind: Kind, code: str, **fields: Any) -> Party:
        currency = currencies.by_code(db, code)
        assert currency is not None, code
        draft = an_account_draft(kind=kind, name=name, currency=currency, **fields)
        self.ids[name] = Party(lifecycle.add(db, self.user_id, draft, AT), currency)
        return self.ids[name]

    def _transactions(self, story: str) -> Iterator[str]:
        """Lines that belong together; accounts are made on the way."""
        pending = ""
        for line in (line.strip() for line in story.strip().splitlines()):
            if line.startswith("and "):
                pending += f"\n{line.removeprefix('and ').strip()}"
                continue
            if pending:
                yield pending
            pending = line
            if declared := _ACCOUNT.fullmatch(line):
                self.account(declared[1], KINDS[declared[2]], declared[3])
                pending = ""
        if pending:
            yield pending

    def _entry(self, db: Unit, told: str | Entry) -> Entry:
        if isinstance(told, Entry):
            return told
        first, *more = told.splitlines()
        found = _ENTRY.fullmatch(first)
        assert found, f"not a transaction: {first}"
        type_ = TYPES[found[2]]
        splits = tuple(self._split(db, type_, line) for line in (found[3], *more))
        return Entry(type_, day(found[1]), f"{found[2]} of {found[1]}", splits)

    def _labelled(self, db: Unit, entry: Entry, category: str | None, tags: Sequence[str]) -> Entry:
        tag_ids = entry.tag_ids + tuple(labels.ids_of(db, self.user_id, "tags", tags, AT))
        if category:
            [category_id] = labels.ids_of(db, self.user_id, "categories", [category], AT)
            entry = replace(entry, splits=tuple(replace(split, category_id=category_id) for split in entry.splits))
        return replace(entry, tag_ids=tag_ids)

    def label(self, kind: Label, name: str) -> int:
        """The id of a category, budget or tag; made if there is none."""
        with self.writing() as db:
            return labels.ids_of(db, self.user_id, kind, [name], AT)[0]

    def _split(self, db: Unit, type_: Type, text: str) -> Split:
        found = _SPLIT.fullmatch(text)
        assert found, f"not a split: {text}"
        source, destination, amount, code, foreign, foreign_code = found.groups()
        sides = zip((source, destination), _SIDES[type_], strict=True)
        parties = [self.ids.get(name) or self._account(db, name, kind, code) for name, kind in sides]
        return Split(*parties, _money(db, amount, code), _money(db, foreign, foreign_code) if foreign else None)


def _seen_again(split: Split, party: Party) -> Split:
    sides = {side: party for side in ("source", "destination") if getattr(split, side).id == party.id}
    return replace(split, **sides)


def _money(db: Unit, text: str, code: str) -> Money:
    currency = currencies.by_code(db, code)
    assert currency is not None, code
    return money(text, currency)


@contextmanager
def somebodys_books(database: Database, email: str = "ann@farthing.example") -> Iterator[Books]:
    """Empty books; the user leaves with everything afterwards."""
    with database.writing() as db:
        user = user_lifecycle.add(db, email, "no password", "UTC", AT)
    yield Books(database, user.id)
    with database.writing() as db:
        users.remove(db, user.id)
