"""Stores bills, and reads their payments."""

from collections.abc import Collection
from datetime import date
from functools import cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage.change_log.records import Records, find_id, values_by_id
from farthing.storage.unit import Unit, columns_of

from .model import Bill, BillCriteria, BillDraft, Payment, longest_word, words_key

_BILL = f"""
SELECT b.id, b.name, b.words, b.lowest_units, b.highest_units, {columns_of(Currency, "c", "currency")}, b.first_on,
    b.frequency, b.skip, b.automatch, b.active, b.notes, b.end_on, b.extension_on, b.object_group_id,
    b.position AS "order", b.created_at, b.updated_at, g.title AS object_group_title, g.position AS object_group_order
FROM bills b JOIN currencies c ON c.id = b.currency_id
LEFT JOIN object_groups g ON g.user_id = b.user_id AND g.id = b.object_group_id
"""


def _complete(draft: BillDraft) -> dict[str, Any]:
    return {"words_key": words_key(draft.words, draft.name), "longest_word": longest_word(draft.words)}


_BILLS, _IN_ORDER = (
    Records[Bill, BillDraft](Bill, "bills", _BILL, alias="b.", order=order, elsewhere=["order"], complete=_complete)
    for order in ("b.id", "b.position, b.id")
)
get, page, all_of, is_taken = _BILLS.get, _BILLS.page, _BILLS.find, _BILLS.is_taken
remove, get_some, put_in_order = _BILLS.remove, _BILLS.get_some, _BILLS.put_in_order


def page_in_order(
    db: Unit, user_id: int, *, limit: int, offset: int, object_group_id: int | None = None
) -> tuple[int, list[Bill]]:
    """Lists bills in the order that the user has chosen, either all of them or those of one group."""
    if object_group_id is None:
        return _IN_ORDER.page(db, user_id, limit=limit, offset=offset)
    of_group = "b.object_group_id = :group_id"
    return _IN_ORDER.page(db, user_id, of_group, limit=limit, offset=offset, group_id=object_group_id)


def add(db: Unit, user_id: int, draft: BillDraft, now: str) -> int:
    """Adds a bill at the position that the draft requests, or last if it requests none."""
    bill_id = _BILLS.add_last(db, user_id, draft, now)
    _BILLS.move_to_order(db, user_id, bill_id, draft.order)
    return bill_id


def change(db: Unit, user_id: int, bill_id: int, draft: BillDraft, now: str) -> None:
    _BILLS.change(db, user_id, bill_id, draft, now)
    _BILLS.move_to_order(db, user_id, bill_id, draft.order)


def names_of(db: Unit, user_id: int, bill_ids: list[int]) -> dict[int, str]:
    return values_by_id(db, user_id, "bills", "name", bill_ids)


def find_candidates(
    db: Unit, user_id: int, currency_ids: Collection[int], units: Collection[int], text: str | None
) -> list[BillCriteria]:
    """Finds bills that match automatically and whose amount range may include one of these amounts, oldest first.

    With `text`, finds only bills whose longest word is in the text. The query has no ORDER BY, because SQLite would
    then read all bills instead of only the index.
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
    """Writes the query.

    `replace` searches the text, because the search functions of the two databases differ in name.
    """
    return f"""
    SELECT id, currency_id, lowest_units, highest_units, words_key FROM bills
    WHERE user_id = :user_id AND active = 1 AND automatch = 1
        AND currency_id {"= :currency_id" if one_currency else "IN :currency_ids"}
        AND lowest_units <= :largest AND highest_units >= :smallest
        {"AND replace(:text, longest_word, '') <> :text" if contained else ""}
    """


def payments(db: Unit, user_id: int, bill_ids: list[int], start: date, end: date) -> dict[int, list[Payment]]:
    """Reads the payments for these bills in a range, by bill, oldest first."""
    rows = db.all(_PAYMENTS, user_id=user_id, bill_ids=bill_ids, start=start.isoformat(), end=end.isoformat())
    return {bill_id: list(map(Payment._make, of_bill)) for bill_id, of_bill in groupby(rows, itemgetter(0))}


_PAYMENTS = """
SELECT e.bill_id, e.on_day,
    CAST(SUM(CASE WHEN s.foreign_currency_id = c.id AND s.currency_id <> c.id THEN s.foreign_units ELSE s.units END)
        AS BIGINT), c.id, c.code, c.places, e.id, MIN(s.id)
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
    """Reads the days, from `start` on, on which each bill was paid.

    The days of a bill are returned as one comma-separated text, because there may be many.
    """
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
    return find_id(db, statement, user_id=user_id, name_fold=fold(name))
