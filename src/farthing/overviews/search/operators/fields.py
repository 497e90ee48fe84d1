"""Makes conditions on the amounts, days, types and ids of transactions."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from farthing.books.transactions.counts import FIRST_DAY, LAST_DAY, Days
from farthing.kernel.clock import stamp
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .. import amounts
from ..conditions import ALWAYS, NEVER, Condition, Node, Not, Way
from ..streams import StreamSource
from . import days
from .context import Context, Unreadable, read_flag, read_ids

Maker = Callable[[Context, str], Node]


class Compare(Enum):
    """Defines the ways to compare a value. All of them include the value itself."""

    EQUAL = "="
    MOST = "<="
    LEAST = ">="


_EXAMPLES = "needs a day, such as 2026-03-01, yesterday or -3d"
_AMOUNT_CHARACTERS_MAX = 40


def of_entry(condition: str) -> str:
    """Returns SQL that checks a condition on the entry `e` of a split."""
    return f"EXISTS (SELECT 1 FROM entries e WHERE e.user_id = :user_id AND e.id = splits.entry_id AND {condition})"


def amount(column: str, currency_column: str, compare: Compare) -> Maker:
    def make(context: Context, value: str) -> Node:
        wanted = _read_amount(value)
        lowest = None if compare is Compare.MOST else wanted
        highest = None if compare is Compare.LEAST else wanted
        parts: list[str] = []
        parameters: dict[str, Any] = {}
        for places, currency_ids in amounts.list_currencies(context.db).items():
            low, high = amounts.to_units(lowest, highest, places)
            parts.append(
                f"(splits.{column} BETWEEN :low_{places} AND :high_{places}"
                f" AND splits.{currency_column} IN :currencies_{places})"
            )
            parameters |= {f"low_{places}": low, f"high_{places}": high, f"currencies_{places}": currency_ids}
        ranges = amounts.list_ranges(context.db, lowest, highest)
        way = partial(_find_amounts, ranges, column)
        return Condition(f"({' OR '.join(parts)})", parameters, find_way=way)

    return make


def _read_amount(value: str) -> Decimal:
    try:
        number = Decimal(value.strip().replace(",", ".")) if len(value) <= _AMOUNT_CHARACTERS_MAX else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite() or number.adjusted() > amounts.DIGITS_MAX:
        raise Unreadable("needs an amount, such as 12.50")
    return abs(number)


def _find_amounts(ranges: list[amounts.UnitRange], column: str, db: Unit, user_id: int) -> Way | None:
    few = amounts.count_few(db, user_id, ranges, (column,))
    if few is None:
        return None
    return Way(few, entry_ids={entry_id for _, entry_id, _ in amounts.read(db, user_id, ranges, Days(), (column,))})


def day(column: str, compare: Compare) -> Maker:
    """Compares a day of the entry. The splits have the day of `on_day` as well."""

    def make(context: Context, value: str) -> Node:
        read = days.read(value, context.today)
        if isinstance(read, days.DayPattern) and compare is Compare.EQUAL:
            sql, text = "e.{column} LIKE :day", read.like
        elif isinstance(read, date):
            sql, text = f"e.{{column}} {compare.value} :day", read.isoformat()
        else:
            raise Unreadable(_EXAMPLES)
        if column != "on_day":
            return Condition(of_entry(sql.format(column=column)), {"day": text})
        start = text if compare is not Compare.MOST else FIRST_DAY
        end = text if compare is not Compare.LEAST else LAST_DAY
        reach = Days(start, end) if isinstance(read, date) else Days()
        return Condition(
            sql.format(column="on_day").replace("e.", "splits."),
            {"day": text},
            days=reach,
            is_span=isinstance(read, date),
        )

    return make


def instant(column: str, compare: Compare) -> Maker:
    """Compares the day on which the entry was made or changed, in the time zone of the user."""

    def make(context: Context, value: str) -> Node:
        read = days.read(value, context.today)
        if not isinstance(read, date):
            raise Unreadable(_EXAMPLES)
        try:
            start = _midnight(read, context.timezone)
            end = _midnight(read + timedelta(days=1), context.timezone)
        except OverflowError as error:
            raise Unreadable(_EXAMPLES) from error
        parts = {">= :start": start} if compare is not Compare.MOST else {}
        parts |= {"< :end": end} if compare is not Compare.LEAST else {}
        parameters = {sql.split(":")[1]: text for sql, text in parts.items()}
        condition = " AND ".join(f"e.{column} {sql}" for sql in parts)
        way = partial(_find_made, condition, parameters) if column == "created_at" else None
        return Condition(of_entry(condition), parameters, find_way=way)

    return make


def _midnight(on: date, zone: str) -> str:
    return stamp(datetime.combine(on, time(), ZoneInfo(zone)))


def _find_made(condition: str, parameters: dict[str, str], db: Unit, user_id: int) -> Way | None:
    """Finds the entries of these days, if they are few. Otherwise a scan from the newest on soon finds some."""
    sql = f"SELECT e.id FROM entries e WHERE e.user_id = :user_id AND {condition} LIMIT :most"
    ids = [entry_id for (entry_id,) in db.all(sql, user_id=user_id, most=amounts.FEW + 1, **parameters)]
    return Way(len(ids), entry_ids=ids) if len(ids) <= amounts.FEW else None


_TYPE_WORDS = {
    "withdrawal": Type.WITHDRAWAL, "deposit": Type.DEPOSIT, "transfer": Type.TRANSFER,
    "opening balance": Type.OPENING_BALANCE, "opening-balance": Type.OPENING_BALANCE,
    "opening_balance": Type.OPENING_BALANCE, "reconciliation": Type.RECONCILIATION,
}  # fmt: skip


def type_is(_context: Context, value: str) -> Node:
    type_ = _TYPE_WORDS.get(value.strip().lower())
    if type_ is None:
        raise Unreadable("needs withdrawal, deposit, transfer, opening balance or reconciliation")
    return Condition("splits.type = :type", {"type": int(type_)}, types=frozenset({type_}), is_span=True)


def ids(column: str) -> Maker:
    def make(context: Context, value: str) -> Node:
        wanted = read_ids(value)
        if column == "splits.id":
            sql = "SELECT entry_id FROM splits WHERE user_id = :user_id AND id IN :ids"
            rows = context.db.all(sql, user_id=context.user_id, ids=wanted)
            entry_ids = [entry_id for (entry_id,) in rows]
        else:
            entry_ids = wanted
        return Condition(f"{column} IN :ids", {"ids": wanted}, find_way=lambda *_: Way(len(entry_ids), (), entry_ids))

    return make


def recurrence_is(_context: Context, value: str) -> Node:
    wanted = read_ids(value)
    sources = [
        StreamSource(table="entries", column="recurrence_id", value=recurrence_id, entry="id")
        for recurrence_id in wanted
    ]
    sql = of_entry("e.recurrence_id IN :ids")
    return Condition(sql, {"ids": wanted}, find_way=lambda *_: Way(len(wanted), sources))


def flag(condition: str, *, opposite: bool = False, few: str = "") -> Maker:
    """Returns an operator that is true or false. If `opposite`, the condition is negated. `few` is a query for the
    entries that meet the condition, used if they are few.
    """

    def make(_context: Context, value: str) -> Node:
        node = Condition(condition, find_way=find_few(few) if few else None)
        return node if read_flag(value) != opposite else Not(node)

    return make


def find_few(sql: str) -> Callable[[Unit, int], Way | None]:
    """Returns a way that reads all entries that a query for ids finds, if they are few."""

    def find_way(db: Unit, user_id: int) -> Way | None:
        ids = {entry_id for (entry_id,) in db.all(f"{sql} LIMIT :most", user_id=user_id, most=amounts.FEW + 1)}
        return Way(len(ids), entry_ids=ids) if len(ids) <= amounts.FEW else None

    return find_way


def exists(_context: Context, value: str) -> Node:
    return ALWAYS if read_flag(value) else NEVER
