"""Makes the books to measure, always the same: one user, ten years, as many transactions as asked."""

import gc
import inspect
import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from farthing.books.accounts.model import AccountDraft, Opening
from farthing.books.bills import store as bills
from farthing.books.bills.model import BillDraft
from farthing.books.bookkeeping import record
from farthing.books.currencies import store as currencies
from farthing.books.labels import store as labels
from farthing.books.labels.store import Label
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.care.doctor import examine
from farthing.identity import tokens, users
from farthing.kernel.money import Currency, Money
from farthing.ledger.details import EntryDetails
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Kind, Type
from farthing.schedule.frequency import Frequency
from farthing.storage import migrations
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.migrations import statistics
from farthing.storage.unit import Unit

# Where the books are kept, and the numbers of transactions that they are made with.
CACHE = Path(__file__).parent / "cache"
SIZES = (10_000, 100_000, 1_000_000)
# Increase it whenever the generated books change, to invalidate cached ones.
VERSION = 4
FIRST_DAY = date(2015, 1, 1)
DAYS = 3650
LAST_DAY = FIRST_DAY + timedelta(days=DAYS - 1)
ASSETS, EXPENSES, REVENUES = 50, 120, 80
BILLS = 50
# Every so many transactions, one has the id of a bank.
EXTERNAL = 10
CREATED_AT = "2025-01-01T00:00:00+00:00"
# Doctor recomputes every sum; on larger books it would take longer than the benchmark.
EXAMINED_MAX = 10_000

_SEED = 1971
_BATCH = 20_000
_CHANGED = 2000
_WORDS = (
    "weekly shopping", "coffee and cake", "train ticket", "rent", "electricity bill", "birthday present", "dinner out",
    "new shoes", "garden tools", "phone contract", "cinema", "repair of the bicycle", "books", "school trip",
)  # fmt: skip
# Durable commits and foreign keys take half of the time; a load that fails is discarded anyway.
_QUICKLY = """
PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -524288; PRAGMA wal_autocheckpoint = 50000;
"""


class Facts(Struct):
    """What clients need to know about the books; stored beside them."""

    transactions: int
    token: str
    user_id: int
    asset_ids: list[int]
    expense_ids: list[int]
    changed_ids: list[int]
    """Splits that are alone in their withdrawal, without labels and bills, spread over ten years: those are updated."""


class Books(Struct):
    path: Path
    facts: Facts


def key() -> str:
    """Changes with the generator, the schema, and the statistics for SQLite's planner."""
    texts = [f"{name}\n{migrations.statements(name, 'sqlite')}" for name in migrations.known()]
    texts.append(inspect.getsource(statistics))
    return f"v{VERSION}-{sha256(''.join(texts).encode()).hexdigest()[:12]}"


def ready(cache: Path, transactions: int, progress: Callable[[int], None]) -> Books:
    """From the cache, or made now; the file appears only when it is complete."""
    path = cache / key() / f"{transactions}.sqlite3"
    beside = path.with_suffix(".json")
    if not beside.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        beside.write_bytes(msgspec.json.encode(make(path, transactions, progress, Household)))
    return Books(path, msgspec.json.decode(beside.read_bytes(), type=Facts))


def make(
    path: Path, transactions: int, progress: Callable[[int], None], household: "Callable[[Unit], Household]"
) -> Facts:
    half = path.with_suffix(".half")
    for leftover in path.parent.glob(f"{half.name}*"):
        leftover.unlink()
    database = SqliteDatabase(half)
    migrations.ensure_current(database)
    facts = _load(database, transactions, progress, household)
    if transactions <= EXAMINED_MAX:
        findings = list(examine(database))
        assert not findings, findings[:5]
    database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    half.rename(path)
    return facts


def _load(
    database: SqliteDatabase,
    transactions: int,
    progress: Callable[[int], None],
    found: "Callable[[Unit], Household]",
) -> Facts:
    """Uses the same code as all other transactions, in large batches."""
    database.connection().execute(_QUICKLY)
    with database.writing() as db:
        household = found(db)
    gc.disable()  # a million short-lived objects without cycles: collecting garbage would take a fifth of the time
    done = 0
    for batch in household.batches(transactions):
        with database.writing() as db:
            users.take(db, household.user_id, token_id=None, now=CREATED_AT, doing="bench")
            record.record_all(db, household.user_id, batch, CREATED_AT)
        done += len(batch)
        progress(done)
    gc.enable()
    with database.reading() as db:
        return household.facts(db, transactions)


class Household:
    """The user with all accounts and labels, and their transactions."""

    def __init__(self, db: Unit) -> None:
        self._random = random.Random(_SEED)
        self.user_id = user_lifecycle.add(db, "bench@farthing.example", "no password", "UTC", CREATED_AT).id
        self._token = tokens.issue(db, self.user_id, "bench", None, CREATED_AT)
        currency, foreign = currencies.by_code(db, "EUR"), currencies.by_code(db, "USD")
        assert currency
        assert foreign
        self._currency, self._foreign = currency, foreign
        self._assets = [self._account(db, Kind.ASSET, f"Account {n:02}") for n in range(ASSETS)]
        self._expenses = [self._account(db, Kind.EXPENSE, f"Shop {n:03}") for n in range(EXPENSES)]
        self._revenues = [self._account(db, Kind.REVENUE, f"Payer {n:03}") for n in range(REVENUES)]
        self._categories = self._labels(db, "categories", 30)
        self._budgets = self._labels(db, "budgets", 10)
        self._tags = self._labels(db, "tags", 20)
        self._bills = [self._bill(db, n) for n in range(BILLS)]
        self._paid = ("", 0)

    def _account(self, db: Unit, kind: Kind, name: str) -> Party:
        owned = kind == Kind.ASSET
        draft = AccountDraft(
            kind=kind,
            name=name,
            active=True,
            include_net_worth=True,
            currency=self._currency,
            role="defaultAsset" if owned else None,
            account_number=f"NB {name}" if owned else None,
            notes="Made by the benchmark." if owned else None,
            opening=Opening(FIRST_DAY, self._random.randint(100_00, 9000_00)) if owned else None,
        )
        return Party(lifecycle.add(db, self.user_id, draft, CREATED_AT), self._currency)

    def _labels(self, db: Unit, label: Label, number: int) -> list[int]:
        return [labels.add(db, self.user_id, label, f"{label} {n:02}", CREATED_AT) for n in range(number)]

    def _bill(self, db: Unit, n: int) -> int:
        """Paid by hand: none matches automatically, so that later creates pay none."""
        draft = BillDraft(
            name=f"Bill {n:02}",
            words=(f"bill {n:02}",),
            lowest_units=1_00,
            highest_units=1000_00,
            currency=self._currency,
            first_on=FIRST_DAY + timedelta(days=n % 28),
            frequency=Frequency.MONTHLY,
            skip=0,
            automatch=False,
            active=True,
            notes=None,
        )
        return bills.add(db, self.user_id, draft, CREATED_AT)

    def batches(self, transactions: int) -> Iterator[list[Entry]]:
        for first in range(0, transactions, _BATCH):
            places = range(first, min(first + _BATCH, transactions))
            yield [self._entry(place, FIRST_DAY + timedelta(days=place * DAYS // transactions)) for place in places]

    def _entry(self, place: int, on: date) -> Entry:
        """Seven in ten are withdrawals; a few have two splits, notes, a tag or a foreign amount."""
        type_ = (Type.TRANSFER, Type.DEPOSIT, Type.DEPOSIT, *[Type.WITHDRAWAL] * 7)[place % 10]
        source, destination = self._sides(type_)
        number = 2 if place % 25 == 4 else 1
        bill_id = self._pays(on) if type_ == Type.WITHDRAWAL and place % 5 else None
        return Entry(
            type=type_,
            on=on,
            description=f"{_WORDS[place % len(_WORDS)]} {place % 500}",
            splits=tuple(self._split(source, destination, place, part, number) for part in range(number)),
            notes="Paid together with the neighbours." if place % 10 == 3 else None,
            tag_ids=(self._tags[place % len(self._tags)],) if place % 30 == 7 else (),
            bill_id=bill_id,
            bill_by_hand=bill_id is not None,
            details=EntryDetails(external_id=external_id(place)) if place % EXTERNAL == 0 else None,
        )

    def _pays(self, on: date) -> int | None:
        """The first withdrawals of a month pay the bills, one each, so that all sizes have the same number of payments.

        Those without a category pay none, because they are the ones that are updated.
        """
        month = f"{on:%Y-%m}"
        number = self._paid[1] + 1 if self._paid[0] == month else 0
        self._paid = month, number
        return self._bills[number] if number < BILLS else None

    def _sides(self, type_: Type) -> tuple[Party, Party]:
        asset = self._pick(self._assets)
        if type_ == Type.TRANSFER:
            return asset, self._assets[(self._assets.index(asset) + 1) % ASSETS]
        if type_ == Type.DEPOSIT:
            return self._pick(self._revenues), asset
        return asset, self._pick(self._expenses)

    def _pick(self, parties: list[Party]) -> Party:
        return parties[int(self._random.random() * len(parties))]

    def _split(self, source: Party, destination: Party, place: int, part: int, number: int) -> Split:
        units = 100 + int(self._random.random() * 20_000)
        return Split(
            source=source,
            destination=destination,
            amount=Money(units, self._currency),
            foreign=_in(self._foreign, units) if place % 50 == 9 else None,
            description=f"part {part + 1}" if number > 1 else None,
            category_id=self._categories[place % len(self._categories)] if place % 5 else None,
            budget_id=self._budgets[place % len(self._budgets)] if place % 10 == 8 else None,
        )

    def facts(self, db: Unit, transactions: int) -> Facts:
        rows = db.all(
            """
            SELECT id FROM splits s WHERE user_id = :user_id AND type = 1 AND position = 0 AND category_id IS NULL
                AND NOT EXISTS (SELECT 1 FROM splits WHERE user_id = :user_id AND entry_id = s.entry_id AND position = 1)
            ORDER BY id
            """,
            user_id=self.user_id,
        )
        return Facts(
            transactions=transactions,
            token=self._token,
            user_id=self.user_id,
            asset_ids=[party.id for party in self._assets],
            expense_ids=[party.id for party in self._expenses],
            changed_ids=[split_id for (split_id,) in rows[:: max(1, len(rows) // _CHANGED)]],
        )


def external_id(place: int) -> str:
    return f"bank-{place:09}"


def _in(currency: Currency, units: int) -> Money:
    return Money(units + units // 10, currency)
