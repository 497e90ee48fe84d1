"""Stores currencies, which all users share."""

from collections.abc import Collection

from msgspec import structs
from msgspec.structs import replace

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.entry import SUMMED
from farthing.storage import installation
from farthing.storage.change_log import changes
from farthing.storage.drivers import dialects
from farthing.storage.schema import TABLES
from farthing.storage.unit import Answer, Clash, Unit, page_of

from .model import CurrencyDraft, CurrencyUses, StoredCurrency

# Alternative codes of built-in currencies.
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
    """Returns all currencies, keyed by their codes and by the aliases of codes."""
    coded = {currency.code: currency for currency in db.structs(Currency, f"SELECT {CURRENCY} FROM currencies")}
    return {alias: coded[code] for alias, code in _ALIASES.items() if code in coded} | coded


def _lock_clause(db: Unit) -> str:
    """Returns the SQL by which a write locks the currencies it reads, so that `claim` waits for the write to end.

    SQLite needs no lock, because it has only one writer at a time.
    """
    return dialects.lock_shared(db) if db.author else ""


def get(db: Unit, currency_id: int) -> StoredCurrency | None:
    return db.struct(StoredCurrency, f"SELECT {_KEPT} FROM currencies WHERE id = :id", id=currency_id)


def all_of(db: Unit, currency_ids: Collection[int]) -> list[StoredCurrency]:
    return db.structs(StoredCurrency, f"SELECT {_KEPT} FROM currencies WHERE id IN :ids", ids=sorted(currency_ids))


def get_by_code(db: Unit, code: str) -> StoredCurrency | None:
    return db.struct(StoredCurrency, f"SELECT {_KEPT} FROM currencies WHERE code = :code", code=code)


# A currency that was created by another user's import is listed only for users who have an account in this currency,
# unless the other user is an owner.
_LISTED = """
(brought_by IS NULL OR brought_by = :user_id OR brought_by IN (SELECT id FROM users WHERE role = 'owner')
    OR EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = :user_id AND a.currency_id = currencies.id))
"""


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[StoredCurrency]]:
    stored = f"SELECT {_KEPT} FROM currencies"
    return page_of(db, StoredCurrency, stored, "currencies", _LISTED, "id", limit=limit, offset=offset, user_id=user_id)


def list_offered(db: Unit) -> list[Currency]:
    """Lists the currencies from which a new user, who has no books yet, may choose."""
    return db.structs(Currency, f"SELECT {CURRENCY} FROM currencies WHERE brought_by IS NULL ORDER BY code")


def claim(db: Unit, currency_id: int | None = None) -> None:
    """Locks a currency before it is created, changed or deleted, so that no other write can use or change the currency.

    Locks first the table, then the row, and nothing afterwards, so it cannot cause a deadlock.
    """
    dialects.lock_table(db, "currencies")
    dialects.lock_exclusively(db, "currencies", currency_id)


def is_taken(db: Unit, *, column: str, value: str | None, except_id: int) -> bool:
    assert column in ("name", "symbol", "code")
    sql = f"SELECT 1 FROM currencies WHERE {column} = :value AND id <> :id"
    return value is not None and bool(db.value(sql, value=value, id=except_id))


def make_unique(db: Unit, draft: CurrencyDraft) -> CurrencyDraft:
    """Adds the code to the name if the name is taken. Uses the code as the symbol if the symbol is taken."""
    name, symbol = draft.name, draft.symbol
    if not name or is_taken(db, column="name", value=name, except_id=0):
        name = f"{name[:200]} ({draft.code})".strip()
    if not symbol or is_taken(db, column="symbol", value=symbol, except_id=0):
        symbol = draft.code
    return replace(draft, name=name, symbol=symbol)


def uses(db: Unit, currency: Currency) -> CurrencyUses:
    """Finds out how the currency is used, by any user.
    This may read every split, so call it only for rare requests, and not on the event loop.
    """
    sql = "SELECT 1 FROM preferences WHERE name = 'currencyPreference' AND data = :quoted LIMIT 1"
    preferred = db.value(sql, quoted=f'"{currency.code}"')
    return CurrencyUses(booked=_is_booked(db, currency.id), preferred=bool(preferred))


def all_uses(db: Unit, currency: Currency) -> CurrencyUses:
    """Finds out whether the currency is used by any user, or in the change log.

    Searches the log only if nothing refers to the currency. The search may read the whole log.
    """
    direct = uses(db, currency)
    return direct if direct.booked else replace(direct, remembered=_is_remembered(db, currency.id))


def _is_remembered(db: Unit, currency_id: int) -> bool:
    """Tells whether the change log has amounts in the currency.

    An undo would restore wrong amounts if the decimal places had changed, and would fail if the currency were deleted.
    """
    in_it = " OR ".join(f"{changes.number_in(db, column)} = :id" for column in _CURRENCIES)
    statement = f"SELECT 1 FROM changes WHERE kind IN :kinds AND ({in_it}) LIMIT 1"
    return bool(db.value(statement, kinds=_COUNTING, id=currency_id))


_CURRENCIES = ("currency_id", "foreign_currency_id")
# The tables in the change log whose rows name the currency of their amounts.
_COUNTING = [table for table, columns in TABLES.items() if {"id", "currency_id"} <= set(columns)]


class _Rollback(Exception):
    pass


def _is_booked(db: Unit, currency_id: int) -> bool:
    """Tells whether any table refers to the currency, by trying to delete it and rolling back.

    This way, the foreign keys also cover tables that are added in the future.
    """
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
    """Adds a currency. `brought_by` is the user whose import creates it, if any."""
    installation.touch(db)
    sql = """
        INSERT INTO currencies (code, name, symbol, places, custom, created_at, updated_at, brought_by)
        VALUES (:code, :name, :symbol, :places, 1, :now, :now, :brought_by) RETURNING id
    """
    return int(db.value(sql, **structs.asdict(draft), now=now, brought_by=brought_by))


def take_back(db: Unit, currency_ids: Collection[int]) -> None:
    """Removes currencies that an import created.

    Currencies that are in use stay, but no longer belong to the importing user.
    """
    if not currency_ids:
        return
    claim(db)
    for stored in all_of(db, currency_ids):
        currency_id = stored.currency.id
        direct = uses(db, stored.currency)
        if direct.booked or direct.preferred:
            db.run("UPDATE currencies SET brought_by = 0 WHERE id = :id", id=currency_id)
            installation.touch(db)
        else:
            changes.log_removing(db, "currencies", "id = :id", id=currency_id)
            remove(db, currency_id)


def set_stamps(db: Unit, code: str, *, created_at: str, updated_at: str) -> None:
    """Sets when a currency from an archive was created and updated."""
    sql = "UPDATE currencies SET created_at = :created_at, updated_at = :updated_at WHERE code = :code"
    db.run(sql, code=code, created_at=created_at, updated_at=updated_at)


def change(db: Unit, currency_id: int, draft: CurrencyDraft, now: str) -> None:
    sql = """
        UPDATE currencies SET code = :code, name = :name, symbol = :symbol, places = :places, updated_at = :now
        WHERE id = :id
    """
    db.run(sql, id=currency_id, **structs.asdict(draft), now=now)
    installation.touch(db)


def remove(db: Unit, currency_id: int) -> None:
    """Removes a currency, and its stored sums that are zero. Nothing else may refer to the currency."""
    for table in ("balances", "net_worth", "flows", *(f"sums_of_{label}" for label in SUMMED)):
        db.run(f"DELETE FROM {table} WHERE currency_id = :id AND units = 0", id=currency_id)
    db.run("DELETE FROM currencies WHERE id = :id", id=currency_id)
    installation.touch(db)


def find_meant(db: Unit, words: Collection[str]) -> set[str]:
    """Returns the words that are the code or name of a currency, ignoring case."""
    if not words:
        return set()
    rows = db.all("SELECT code, name FROM currencies")
    names = {fold(word) for row in rows for word in row}
    return {word for word in words if fold(word) in names}
