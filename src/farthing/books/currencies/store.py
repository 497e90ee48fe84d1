"""Stores currencies, which all users share."""

from collections.abc import Collection

from msgspec.structs import replace

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.entry import SUMMED
from farthing.storage import changes, house
from farthing.storage.drivers import dialects
from farthing.storage.schema import TABLES
from farthing.storage.unit import Answer, Clash, Unit, page_of

from .model import CurrencyDraft, CurrencyUses, StoredCurrency

# What others call a built-in currency.
_ALIASES = {"BTC": "XBT"}
CURRENCY = "id, code, name, symbol, places"
_KEPT = f"{CURRENCY}, custom, created_at, updated_at"


def by_id(db: Unit, currency_id: int) -> Currency | None:
    return db.struct(Currency, f"SELECT {CURRENCY} FROM currencies WHERE id = :id {_lock_clause(db)}", id=currency_id)


def by_ids(db: Unit, ids: Collection[int]) -> dict[int, Currency]:
    return {currency.id: currency for currency in ask_by_ids(db, ids).rows()}


def ask_by_ids(db: Unit, ids: Collection[int]) -> Answer[Currency]:
    return db.ask_structs(Currency, f"SELECT {CURRENCY} FROM currencies WHERE id IN :ids", ids=sorted(ids))


def by_code(db: Unit, code: str) -> Currency | None:
    return db.struct(Currency, f"SELECT {CURRENCY} FROM currencies WHERE code = :code {_lock_clause(db)}", code=code)


def all_coded(db: Unit) -> dict[str, Currency]:
    """By code, and by what else others call them."""
    coded = {one.code: one for one in db.structs(Currency, f"SELECT {CURRENCY} FROM currencies")}
    return {alias: coded[code] for alias, code in _ALIASES.items() if code in coded} | coded


def _lock_clause(db: Unit) -> str:
    """Locks the currency that a write uses until its end, so that `claim` waits. SQLite has a single writer anyway."""
    return dialects.lock_shared(db) if db.author else ""


def get(db: Unit, currency_id: int) -> StoredCurrency | None:
    return db.struct(StoredCurrency, f"SELECT {_KEPT} FROM currencies WHERE id = :id", id=currency_id)


def all_of(db: Unit, currency_ids: Collection[int]) -> list[StoredCurrency]:
    return db.structs(StoredCurrency, f"SELECT {_KEPT} FROM currencies WHERE id IN :ids", ids=sorted(currency_ids))


def get_by_code(db: Unit, code: str) -> StoredCurrency | None:
    return db.struct(StoredCurrency, f"SELECT {_KEPT} FROM currencies WHERE code = :code", code=code)


# What an import of somebody else brought is listed only to those who use it.
_LISTED = """
(brought_by IS NULL OR brought_by = :user_id OR brought_by IN (SELECT id FROM users WHERE role = 'owner')
    OR EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = :user_id AND a.currency_id = currencies.id))
"""


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[StoredCurrency]]:
    stored = f"SELECT {_KEPT} FROM currencies"
    return page_of(db, StoredCurrency, stored, "currencies", _LISTED, "id", limit=limit, offset=offset, user_id=user_id)


def list_offered(db: Unit) -> list[Currency]:
    """To somebody who has no books yet."""
    return db.structs(Currency, f"SELECT {CURRENCY} FROM currencies WHERE brought_by IS NULL ORDER BY code")


def claim(db: Unit, currency_id: int | None = None) -> None:
    """Call before a currency is created, changed or deleted: keeps out other owners and writes that use it.

    Locks the table, then the row, then nothing more, so it cannot deadlock.
    """
    dialects.lock_table(db, "currencies")
    dialects.lock_exclusively(db, "currencies", currency_id)


def is_taken(db: Unit, *, column: str, value: str | None, except_id: int) -> bool:
    assert column in ("name", "symbol", "code")
    return value is not None and bool(
        db.value(f"SELECT 1 FROM currencies WHERE {column} = :value AND id <> :id", value=value, id=except_id)
    )


def make_unique(db: Unit, draft: CurrencyDraft) -> CurrencyDraft:
    """No two currencies have the same name or symbol: the later one gets its code beside it."""
    name, symbol = draft.name, draft.symbol
    if not name or is_taken(db, column="name", value=name, except_id=0):
        name = f"{name[:200]} ({draft.code})".strip()
    if not symbol or is_taken(db, column="symbol", value=symbol, except_id=0):
        symbol = draft.code
    return replace(draft, name=name, symbol=symbol)


def uses(db: Unit, currency: Currency) -> CurrencyUses:
    """Uses by any user. May read every split, so only for rare requests, off the event loop."""
    preferred = db.value(
        "SELECT 1 FROM preferences WHERE name = 'currencyPreference' AND data = :quoted LIMIT 1",
        quoted=f'"{currency.code}"',
    )
    return CurrencyUses(booked=_is_booked(db, currency.id), preferred=bool(preferred))


def all_uses(db: Unit, currency: Currency) -> CurrencyUses:
    """Includes uses in the change log. May read the whole log if nothing else uses the currency."""
    found = uses(db, currency)
    return found if found.booked else replace(found, remembered=_is_remembered(db, currency.id))


def _is_remembered(db: Unit, currency_id: int) -> bool:
    """Undoing would restore the same units with other decimals as another amount, or fail without the currency."""
    in_it = " OR ".join(f"{changes.number_in(db, column)} = :id" for column in _CURRENCIES)
    statement = f"SELECT 1 FROM changes WHERE kind IN :kinds AND ({in_it}) LIMIT 1"
    return bool(db.value(statement, kinds=_COUNTING, id=currency_id))


_CURRENCIES = ("currency_id", "foreign_currency_id")
# Tables in the change log whose amounts are in a currency that the row names.
_COUNTING = [table for table, columns in TABLES.items() if {"id", "currency_id"} <= set(columns)]


class _Rollback(Exception):
    pass


def _is_booked(db: Unit, currency_id: int) -> bool:
    """Tries to delete it and rolls back: the foreign keys know every table that uses it, future ones included."""
    try:
        with db.savepoint():
            remove(db, currency_id)
            db.flush()
            raise _Rollback
    except Clash:
        return True
    except _Rollback:
        return False


def add(db: Unit, draft: CurrencyDraft, now: str, *, brought_by: int | None = None) -> int:
    """`brought_by` is the user whose import brings it."""
    house.touch(db)
    return int(
        db.value(
            """
            INSERT INTO currencies (code, name, symbol, places, custom, created_at, updated_at, brought_by)
            VALUES (:code, :name, :symbol, :places, 1, :now, :now, :brought_by) RETURNING id
            """,
            code=draft.code,
            name=draft.name,
            symbol=draft.symbol,
            places=draft.places,
            now=now,
            brought_by=brought_by,
        )
    )


def take_back(db: Unit, currency_ids: Collection[int]) -> None:
    """What an import brought and nobody uses any more. What others use by now stays theirs."""
    if not currency_ids:
        return
    claim(db)
    for stored in all_of(db, currency_ids):
        currency_id = stored.currency.id
        found = uses(db, stored.currency)
        if found.booked or found.preferred:
            db.run("UPDATE currencies SET brought_by = 0 WHERE id = :id", id=currency_id)
            house.touch(db)
        else:
            changes.log_removing(db, "currencies", "id = :id", id=currency_id)
            remove(db, currency_id)


def set_stamps(db: Unit, code: str, *, created_at: str, updated_at: str) -> None:
    """For a currency that comes from an archive and keeps its times."""
    db.run(
        "UPDATE currencies SET created_at = :created_at, updated_at = :updated_at WHERE code = :code",
        code=code,
        created_at=created_at,
        updated_at=updated_at,
    )


def change(db: Unit, currency_id: int, draft: CurrencyDraft, now: str) -> None:
    db.run(
        """
        UPDATE currencies SET code = :code, name = :name, symbol = :symbol, places = :places, updated_at = :now
        WHERE id = :id
        """,
        id=currency_id,
        code=draft.code,
        name=draft.name,
        symbol=draft.symbol,
        places=draft.places,
        now=now,
    )
    house.touch(db)


def remove(db: Unit, currency_id: int) -> None:
    """Stored sums that have returned to zero are still rows; only these may be left."""
    for table in ("balances", "net_worth", "flows", *(f"sums_of_{one}" for one in SUMMED)):
        db.run(f"DELETE FROM {table} WHERE currency_id = :id AND units = 0", id=currency_id)
    db.run("DELETE FROM currencies WHERE id = :id", id=currency_id)
    house.touch(db)


def find_meant(db: Unit, words: Collection[str]) -> set[str]:
    """Which of these words are the code or name of a currency, ignoring case."""
    if not words:
        return set()
    rows = db.all("SELECT code, name FROM currencies")
    known = {fold(word) for row in rows for word in row}
    return {word for word in words if fold(word) in known}
