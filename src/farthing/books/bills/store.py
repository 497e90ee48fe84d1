"""Stores bills, and reads their payments."""

from collections.abc import Collection
from datetime import date
from functools import cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

import msgspec

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit, columns_of, page_of

from .model import Bill, BillCriteria, BillDraft, Payment

_BILL = f"""
SELECT b.id, b.name, b.words, b.lowest_units, b.highest_units, {columns_of(Currency, "c", "currency")}, b.first_on,
    b.frequency, b.skip, b.automatch, b.active, b.notes, b.created_at, b.updated_at
FROM bills b JOIN currencies c ON c.id = b.currency_id
"""


def get(db: Unit, user_id: int, bill_id: int) -> Bill | None:
    return db.struct(Bill, f"{_BILL} WHERE b.user_id = :user_id AND b.id = :id", user_id=user_id, id=bill_id)


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Bill]]:
    mine = "b.user_id = :user_id"
    return page_of(db, Bill, _BILL, "bills b", mine, "b.id", limit=limit, offset=offset, user_id=user_id)


def all_of(db: Unit, user_id: int) -> list[Bill]:
    return db.structs(Bill, f"{_BILL} WHERE b.user_id = :user_id ORDER BY b.id", user_id=user_id)


def names_of(db: Unit, user_id: int, bill_ids: list[int]) -> dict[int, str]:
    statement = "SELECT id, name FROM bills WHERE user_id = :user_id AND id IN :ids"
    return dict(db.all(statement, user_id=user_id, ids=bill_ids))


def find_candidates(
    db: Unit, user_id: int, currency_ids: Collection[int], units: Collection[int], text: str | None
) -> list[BillCriteria]:
    """Finds bills that match automatically and whose range includes one of these amounts, oldest first.

    With a text, finds only those whose longest word it contains. The index alone answers the query; with ORDER BY,
    SQLite would read all bills.
    """
    candidates = db.structs(
        BillCriteria,
        _candidates_query(one_currency=len(currency_ids) == 1, contained=text is not None),
        user_id=user_id,
        currency_id=min(currency_ids),
        currency_ids=sorted(currency_ids),
        largest=max(units),
        smallest=min(units),
        text=text,
    )
    return sorted(candidates, key=attrgetter("id"))


@cache
def _candidates_query(*, one_currency: bool, contained: bool) -> str:
    """Uses `replace` to search for a text, because the search functions of the two databases differ in name."""
    return f"""
    SELECT id, currency_id, lowest_units, highest_units, words_key FROM bills
    WHERE user_id = :user_id AND active = 1 AND automatch = 1
        AND currency_id {"= :currency_id" if one_currency else "IN :currency_ids"}
        AND lowest_units <= :largest AND highest_units >= :smallest
        {"AND replace(:text, longest_word, '') <> :text" if contained else ""}
    """


def payments(db: Unit, user_id: int, bill_ids: list[int], start: date, end: date) -> dict[int, list[Payment]]:
    """Reads what was paid for these bills in a range, oldest first."""
    rows = db.all(_PAYMENTS, user_id=user_id, bill_ids=bill_ids, start=start.isoformat(), end=end.isoformat())
    return {bill_id: list(map(Payment._make, of_bill)) for bill_id, of_bill in groupby(rows, itemgetter(0))}


_PAYMENTS = """
SELECT e.bill_id, e.on_day,
    CAST(SUM(CASE WHEN s.foreign_currency_id = c.id AND s.currency_id <> c.id THEN s.foreign_units ELSE s.units END)
        AS BIGINT), c.id, c.code, c.places, e.id
FROM bills b
JOIN entries e ON e.user_id = b.user_id AND e.bill_id = b.id
JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id
JOIN currencies c
    ON c.id = CASE WHEN s.foreign_currency_id = b.currency_id THEN s.foreign_currency_id ELSE s.currency_id END
WHERE b.user_id = :user_id AND b.id IN :bill_ids AND e.on_day >= :start AND e.on_day <= :end
GROUP BY e.bill_id, e.on_day, e.id, c.id, c.code, c.places
ORDER BY e.bill_id, e.on_day, e.id, c.id
"""


def read_paid_days(db: Unit, user_id: int, bill_ids: list[int], start: date) -> dict[int, str]:
    """Reads the days on which each bill was paid, from `start` on, as one comma-separated text: there may be many."""
    if not bill_ids:
        return {}
    sql = """
        SELECT bill_id, string_agg(on_day, ',') FROM entries
        WHERE user_id = :user_id AND bill_id IN :bill_ids AND on_day >= :start GROUP BY bill_id
    """
    rows = db.all(sql, user_id=user_id, bill_ids=bill_ids, start=start.isoformat())
    return dict(rows)


def find_named(db: Unit, user_id: int, name: str) -> int | None:
    statement = "SELECT id FROM bills WHERE user_id = :user_id AND name_fold = :name_fold"
    bill_id: int | None = db.value(statement, user_id=user_id, name_fold=fold(name))
    return bill_id


def is_taken(db: Unit, user_id: int, *, column: str, value: str, except_id: int) -> bool:
    assert column in ("name_fold", "words_key")
    sql = f"SELECT 1 FROM bills WHERE user_id = :user_id AND {column} = :value AND id <> :id"
    return bool(db.value(sql, user_id=user_id, value=value, id=except_id))


def add(db: Unit, user_id: int, draft: BillDraft, now: str) -> int:
    return changes.insert(db, "bills", user_id, _columns(draft), now)


def change(db: Unit, user_id: int, bill_id: int, draft: BillDraft, now: str) -> None:
    changes.update(db, "bills", user_id, "id = :id", _columns(draft), now=now, id=bill_id)


def remove(db: Unit, user_id: int, bill_id: int) -> None:
    """Removes a bill; unlink its transactions first."""
    changes.delete(db, "bills", user_id, "id = :id", id=bill_id)


def _columns(draft: BillDraft) -> dict[str, Any]:
    return {
        "name": draft.name,
        "name_fold": fold(draft.name),
        "words": msgspec.json.encode(draft.words).decode(),
        "words_key": draft.words_key,
        "longest_word": draft.longest_word,
        "lowest_units": draft.lowest_units,
        "highest_units": draft.highest_units,
        "currency_id": draft.currency.id,
        "first_on": draft.first_on.isoformat(),
        "frequency": draft.frequency.value,
        "skip": draft.skip,
        "automatch": int(draft.automatch),
        "active": int(draft.active),
        "notes": draft.notes,
    }
