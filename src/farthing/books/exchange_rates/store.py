"""Stores exchange rates: the rates that users entered for themselves, and published rates, which all users share."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.ledger.kinds import ASSETS, LIABILITIES
from farthing.storage import installation
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_id
from farthing.storage.unit import Unit, columns_of, page_of

from .model import ExchangeRate, ExchangeRateDraft, write_rate

_CURRENCIES = f"{columns_of(Currency, 'f', 'from_currency')}, {columns_of(Currency, 't', 'to_currency')}"
_COLUMNS = f"r.id, r.on_day, r.rate, r.created_at, r.updated_at, {_CURRENCIES}"
_JOINED = "JOIN currencies f ON f.id = r.from_currency_id JOIN currencies t ON t.id = r.to_currency_id"
_OWN = f"SELECT {_COLUMNS}, NULL AS source FROM exchange_rates r {_JOINED}"
_PUBLISHED = f"SELECT {_COLUMNS}, r.source FROM published_rates r {_JOINED}"
_NEWEST_FIRST = "r.on_day DESC, r.id DESC"
_RATES = Records[ExchangeRate, ExchangeRateDraft](ExchangeRate, "exchange_rates", _OWN, alias="r.", order=_NEWEST_FIRST)
get, add, change, remove = _RATES.get, _RATES.add, _RATES.change, _RATES.remove
get_some = _RATES.get_some


class RateFilter(Struct, frozen=True):
    """Selects the rates to list. A field that is None does not restrict the list. `of_id` is on either side."""

    of_id: int | None = None
    from_id: int | None = None
    to_id: int | None = None
    start_on: str | None = None
    end_on: str | None = None

    def conditions(self) -> tuple[str, dict[str, Any]]:
        chosen = {
            "(r.from_currency_id = :of_id OR r.to_currency_id = :of_id)": ("of_id", self.of_id),
            "r.from_currency_id = :from_id": ("from_id", self.from_id),
            "r.to_currency_id = :to_id": ("to_id", self.to_id),
            "r.on_day >= :start_on": ("start_on", self.start_on),
            "r.on_day <= :end_on": ("end_on", self.end_on),
        }
        parameters = {sql: pair for sql, pair in chosen.items() if pair[1] is not None}
        return " AND ".join(parameters) or "1 = 1", dict(parameters.values())


def page(db: Unit, user_id: int, chosen: RateFilter, *, limit: int, offset: int) -> tuple[int, list[ExchangeRate]]:
    """Lists the rates that a user entered, newest day first."""
    conditions, values = chosen.conditions()
    return _RATES.page(db, user_id, conditions, limit=limit, offset=offset, **values)


def remove_matching(db: Unit, user_id: int, chosen: RateFilter) -> None:
    conditions, values = chosen.conditions()
    where = conditions.replace("r.", "")
    if page(db, user_id, chosen, limit=1, offset=0)[0]:
        changes.delete(db, "exchange_rates", user_id, where, **values)


def get_published(db: Unit, rate_id: int) -> ExchangeRate | None:
    return db.struct(ExchangeRate, f"{_PUBLISHED} WHERE r.id = :id", id=rate_id)


def page_published(db: Unit, chosen: RateFilter, *, limit: int, offset: int) -> tuple[int, list[ExchangeRate]]:
    where, values = chosen.conditions()
    return page_of(
        db, ExchangeRate, _PUBLISHED, "published_rates r", where, _NEWEST_FIRST, limit=limit, offset=offset, **values
    )


def find_same_day(db: Unit, user_id: int, pair_and_day: tuple[int, int, str], *, except_id: int) -> int | None:
    from_id, to_id, on_day = pair_and_day
    sql = """
        SELECT id FROM exchange_rates WHERE user_id = :user_id AND from_currency_id = :from_id
            AND to_currency_id = :to_id AND on_day = :on_day AND id <> :except_id
    """
    return find_id(db, sql, user_id=user_id, from_id=from_id, to_id=to_id, on_day=on_day, except_id=except_id)


_PUBLISH = """
INSERT INTO published_rates (from_currency_id, to_currency_id, on_day, rate, source, created_at, updated_at)
VALUES (:from_currency_id, :to_currency_id, :on_day, :rate, :source, :now, :now)
ON CONFLICT (from_currency_id, to_currency_id, on_day)
DO UPDATE SET rate = excluded.rate, source = excluded.source, updated_at = excluded.updated_at
WHERE published_rates.rate <> excluded.rate OR published_rates.source <> excluded.source
"""


def publish(db: Unit, drafts: Sequence[ExchangeRateDraft], *, source: str, now: str) -> None:
    """Stores published rates. Marks the cached answers of all users' clients as outdated."""
    db.many(_PUBLISH, [{"source": source, "now": now, **_RATES.columns(draft)} for draft in drafts])
    installation.touch(db)


def list_held_currencies(db: Unit, user_id: int) -> list[Currency]:
    """Lists the currencies of the user's asset accounts and liabilities, ordered by code."""
    sql = """
        SELECT c.id, c.code, c.name, c.symbol, c.places FROM currencies c WHERE c.id IN (
            SELECT a.currency_id FROM accounts a WHERE a.user_id = :user_id AND a.kind IN :kinds
        ) ORDER BY c.code
    """
    return db.structs(Currency, sql, user_id=user_id, kinds=sorted(kind.value for kind in ASSETS | LIABILITIES))


def has_published(db: Unit) -> bool:
    return bool(db.value("SELECT 1 FROM published_rates LIMIT 1"))


def find_newest_published(db: Unit) -> str | None:
    newest: str | None = db.value("SELECT MAX(on_day) FROM published_rates")
    return newest


class PutCounts(Struct, frozen=True):
    created: int
    changed: int
    unchanged: int


def put(db: Unit, user_id: int, drafts: Sequence[ExchangeRateDraft], now: str) -> PutCounts:
    """Adds rates, and replaces stored rates of the same pair and day. No two drafts may have the same pair and day."""
    sql = """
        SELECT from_currency_id, to_currency_id, on_day, id, rate FROM exchange_rates
        WHERE user_id = :user_id AND on_day IN :days
    """
    rows = db.all(sql, user_id=user_id, days=sorted({draft.on.isoformat() for draft in drafts}))
    stored = {(from_id, to_id, on_day): (rate_id, rate) for from_id, to_id, on_day, rate_id, rate in rows}
    added = [_RATES.columns(draft) for draft in drafts if draft.pair_and_day not in stored]
    changed = {
        stored[draft.pair_and_day][0]: _RATES.columns(draft)
        for draft in drafts
        if draft.pair_and_day in stored and stored[draft.pair_and_day][1] != write_rate(draft.rate)
    }
    changes.insert_all(db, "exchange_rates", user_id, added, now)
    changes.update_each(db, "exchange_rates", user_id, changed, now=now)
    return PutCounts(created=len(added), changed=len(changed), unchanged=len(drafts) - len(added) - len(changed))
