"""Writes a plain SQLite file with readable tables and views; `sqlite_tables.sql` explains them."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import apsw
import msgspec

from farthing import __version__
from farthing.books.piggy_banks.model import NO_TARGET
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import SAVED_FILTERS, SavedFilter
from farthing.kernel.money import as_text
from farthing.storage.unit import Row

from .rows import TransactionRow, transaction_rows
from .snapshot import BATCH, Balances, ExportedSplit, Snapshot, load_balances, load_opening_balances

_INDEXES = """
CREATE INDEX transactions_by_date ON transactions (date);
CREATE INDEX postings_by_account ON postings (account_id, date);
CREATE INDEX postings_by_split ON postings (split_id);
"""


def write(snapshot: Snapshot, path: Path) -> Iterator[int]:
    """Writes the file, and yields how many splits have been written so far."""
    with closing(apsw.Connection(str(path))) as file:
        file.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN").fetchall()
        file.execute(resources.files(__package__).joinpath("sqlite_tables.sql").read_text("utf-8")).fetchall()
        _write_lists(snapshot, file)
        rows, done = transaction_rows(snapshot), 0
        while batch := list(islice(rows, BATCH)):
            _insert(file, "transactions", (_transaction(row) for row, _, _ in batch))
            _insert(file, "postings", (posting for _, _, split in batch for posting in _postings(snapshot, split)))
            tagged = {(entry.id, tag): None for _, entry, split in batch if split.position == 0 for tag in entry.tags}
            _insert(file, "transaction_tags", tagged)
            done += len(batch)
            yield done
        file.execute(_INDEXES).fetchall()
        file.execute("COMMIT")


def _insert(file: apsw.Connection, table: str, rows: Iterable[Row]) -> None:
    values = list(rows)
    if values:
        file.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values[0]))})", values)


def _transaction(row: TransactionRow) -> Row:
    plain: dict[str, Any] = {name: getattr(row, name) for name in row.__struct_fields__}
    units, places, foreign_units, foreign_places = map(
        plain.pop, ("units", "places", "foreign_units", "foreign_places")
    )
    head = [plain.pop(name) for name in ("split_id", "transaction_id", "date", "type", "description")]
    foreign = as_text(foreign_units, foreign_places) if foreign_units is not None else None
    split_description, currency, foreign_currency, *rest = plain.values()
    amounts = (as_text(units, places), units, currency, foreign, foreign_units, foreign_currency)
    return (*head, split_description, *amounts, *rest)


def _postings(snapshot: Snapshot, split: ExportedSplit) -> Iterator[Row]:
    sides = ((split.source_id, split.left, -1), (split.destination_id, split.arrived, 1))
    for account_id, (units, currency_id), sign in sides:
        currency = snapshot.currencies[currency_id]
        amount = as_text(sign * units, currency.places)
        yield split.id, split.on, account_id, amount, sign * units, currency.code


def _write_lists(snapshot: Snapshot, file: apsw.Connection) -> None:
    request = snapshot.request
    about = {
        "program": f"Farthing {__version__}",
        "made_at": request.made_at,
        "start": request.start,
        "end": request.end,
        "accounts": ",".join(map(str, request.account_ids)) or None,
    }
    _insert(file, "about", about.items())
    listed = ((one.code, one.name, one.symbol, one.places) for one in snapshot.currencies.values())
    _insert(file, "currencies", listed)
    _insert(file, "accounts", _accounts(snapshot))
    _insert(file, "balances", _balances(snapshot, load_balances(snapshot, request.end)))
    _insert(file, "opening_balances", _balances(snapshot, load_opening_balances(snapshot)))
    for table, statement in _LISTS.items():
        _insert(file, table, _ask(snapshot, statement))
    _insert(file, "budgets", _budgets(snapshot))
    _insert(file, "budget_limits", _limits(snapshot))
    _insert(file, "bills", _bills(snapshot))
    _insert(file, "piggy_banks", _piggy_banks(snapshot))
    chosen = preferences.values(snapshot.db, request.user_id, [SAVED_FILTERS])
    saved = msgspec.convert(chosen[SAVED_FILTERS], list[SavedFilter])
    _insert(file, "saved_filters", [(saved_filter.name, saved_filter.query) for saved_filter in saved])


def _accounts(snapshot: Snapshot) -> Iterator[Row]:
    for account in snapshot.accounts.values():
        virtual = as_text(account.virtual_units, account.currency.places) if account.virtual_units else None
        flags = int(account.active), int(account.include_net_worth)
        yield (
            account.id, account.name, account.kind.value, account.currency.code, *flags, account.role,
            account.account_number, account.iban, account.bic, virtual, account.notes,
        )  # fmt: skip


def _balances(snapshot: Snapshot, held: Balances) -> Iterator[Row]:
    for (account_id, currency_id), units in held.items():
        if account_id in snapshot.accounts:
            currency = snapshot.currencies[currency_id]
            yield account_id, currency.code, as_text(units, currency.places), units


_LISTS = {
    "categories": """
        SELECT c.id, c.name, p.name, b.name FROM categories c
        LEFT JOIN categories p ON p.user_id = c.user_id AND p.id = c.parent_id
        LEFT JOIN budgets b ON b.user_id = c.user_id AND b.id = c.budget_id
        WHERE c.user_id = :user_id ORDER BY c.id
    """,
    "tags": "SELECT id, name, on_day, description FROM tags WHERE user_id = :user_id ORDER BY id",
    "exchange_rates": """
        SELECT r.on_day, f.code, t.code, r.rate FROM exchange_rates r
        JOIN currencies f ON f.id = r.from_currency_id JOIN currencies t ON t.id = r.to_currency_id
        WHERE r.user_id = :user_id ORDER BY r.on_day, r.id
    """,
    "recurrences": """
        SELECT id, title, description, first_on, until_on, active FROM recurrences WHERE user_id = :user_id ORDER BY id
    """,
}
_BUDGETS = """
SELECT id, name, active, carry, auto_units, auto_currency_id, auto_period FROM budgets
WHERE user_id = :user_id ORDER BY id
"""
_LIMITS = """
SELECT l.id, b.name, l.start_on, l.end_on, l.units, l.currency_id
FROM budget_limits l JOIN budgets b ON b.user_id = l.user_id AND b.id = l.budget_id
WHERE l.user_id = :user_id ORDER BY l.id
"""
_BILLS = """
SELECT id, name, words, lowest_units, highest_units, currency_id, first_on, frequency, skip, active, notes
FROM bills WHERE user_id = :user_id ORDER BY id
"""
_PIGGY_BANKS = """
SELECT p.id, p.name, p.account_id, p.target_units, p.current_units, a.currency_id, p.start_on, p.target_on, p.active,
    p.notes
FROM piggy_banks p JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
WHERE p.user_id = :user_id ORDER BY p.id
"""


def _budgets(snapshot: Snapshot) -> Iterator[Row]:
    for *described, units, currency_id, period in _ask(snapshot, _BUDGETS):
        currency = snapshot.currencies.get(currency_id)
        automatic = (as_text(units, currency.places), currency.code, period) if currency else (None, None, None)
        yield (*described, *automatic)


def _limits(snapshot: Snapshot) -> Iterator[Row]:
    for id_, budget, start_on, end_on, units, currency_id in _ask(snapshot, _LIMITS):
        currency = snapshot.currencies[currency_id]
        yield id_, budget, start_on, end_on, as_text(units, currency.places), units, currency.code


def _bills(snapshot: Snapshot) -> Iterator[Row]:
    for id_, name, words, lowest, highest, currency_id, *rest in _ask(snapshot, _BILLS):
        currency = snapshot.currencies[currency_id]
        amounts = as_text(lowest, currency.places), as_text(highest, currency.places)
        yield id_, name, ",".join(msgspec.json.decode(words, type=list[str])), *amounts, currency.code, *rest


def _piggy_banks(snapshot: Snapshot) -> Iterator[Row]:
    for id_, name, account_id, target, current, currency_id, *rest in _ask(snapshot, _PIGGY_BANKS):
        currency = snapshot.currencies[currency_id]
        goal = None if target == NO_TARGET else as_text(target, currency.places)
        amounts = goal, as_text(current, currency.places)
        yield id_, name, account_id, *amounts, currency.code, *rest


def _ask(snapshot: Snapshot, statement: str) -> list[Row]:
    return snapshot.db.all(statement, user_id=snapshot.request.user_id)
