"""Reads the figures of charts from stored sums, one row per day or month. Never reads splits."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import cache

import msgspec

from farthing.books.accounts.model import Account
from farthing.ledger.kinds import FLOWING, Type
from farthing.schedule.periods import Period
from farthing.storage.drivers import dialects
from farthing.storage.grains import Span, for_each_span, parameters_of, spans
from farthing.storage.unit import Unit

from .model import ChartRange, Moved, closings, spans_after_first_part

_DAY = timedelta(days=1)


def balances(db: Unit, user_id: int, account_ids: Collection[int], chart: ChartRange) -> Mapping[int, Moved]:
    """Returns the changes of each account's balance in all parts but the first, in the account's own currency."""
    chosen = spans_after_first_part(chart)
    sql = _of_accounts(dialects.pack(db, "b.period", "b.units"), len(chosen))
    rows = db.all(sql, user_id=user_id, ids=list(account_ids), **parameters_of(chosen))
    moved, places = {account_id: chart.zeros_and_rest() for account_id in account_ids}, chart.places
    for account_id, packed in rows:
        line, units_of = moved[account_id], _unpack(packed)
        if chart.period is Period.DAY:  # looks up every day, so that many transactions take no longer than few
            line[:-1] = [units + units_of.pop(day, 0) for units, day in zip(line, chart.lasts, strict=False)]
        for period, units in units_of.items():
            line[places[period]] += units
    return moved


_unpack = msgspec.json.Decoder(dict[str, int]).decode


@cache
def _of_accounts(packed: str, number: int) -> str:
    """Packs all days of an account into one row, because receiving a row per day takes three times as long."""
    return for_each_span(
        f"""
        SELECT a.id, {packed} FROM accounts a
        JOIN balances b ON b.user_id = a.user_id AND b.account_id = a.id AND b.currency_id = a.currency_id
        AND {{in_span}}
        WHERE a.user_id = :user_id AND a.id IN :ids GROUP BY a.id
        """,
        number,
        "b",
    )


def closing_balances(db: Unit, user_id: int, accounts: Sequence[Account], chart: ChartRange) -> list[list[int]]:
    """Returns each account's balances, virtual amount included, at the end of all parts."""
    moved = balances(db, user_id, [account.id for account in accounts], chart) if accounts else {}
    return [closings(account.total_units + account.virtual_units, moved[account.id]) for account in accounts]


def flows(
    db: Unit, user_id: int, chart: ChartRange, account_ids: Collection[int] | None = None
) -> dict[int, dict[Type, list[int]]]:
    """Returns what was spent and earned in each part, by currency; with `account_ids`, only from or to these own
    accounts.
    """
    days = Span(grain="day", first=chart.start.isoformat(), beyond=(chart.end + _DAY).isoformat())
    chosen = [days] if chart.by_days else spans(chart.start, chart.end)
    of_accounts = {} if account_ids is None else {"ids": list(account_ids)}
    statement = _of_flows(len(chosen)) if account_ids is None else for_each_span(_FLOWS_OF_ACCOUNTS, len(chosen), "f")
    rows = db.all(statement, user_id=user_id, **parameters_of(chosen), **of_accounts)
    moved: dict[int, dict[Type, Moved]] = defaultdict(lambda: {type_: chart.zeros_and_rest() for type_ in FLOWING})
    for type_, currency_id, period, units in rows:
        if units:
            moved[currency_id][type_][chart.places[period]] += units
    return {
        currency_id: {type_: of_type[:-1] for type_, of_type in moved[currency_id].items()}
        for currency_id in sorted(moved)
    }


_FLOWS_OF_ACCOUNTS = f"""
    SELECT f.type, f.currency_id, f.period, f.units FROM sums_of_accounts f
    WHERE f.user_id = :user_id AND f.label_id IN :ids AND f.type IN ({", ".join(str(int(type_)) for type_ in FLOWING)})
    AND {{in_span}}
"""
_NEXT_FLOWING = "(SELECT MIN(f.currency_id) FROM flows f WHERE f.user_id = :user_id AND f.type = {}{})"


@cache
def _of_flows(number: int) -> str:
    types = " UNION ALL ".join(f"SELECT {int(type_)} AS type" for type_ in FLOWING)
    flowing = f"""
    flowing (type, currency_id) AS (
        SELECT t.type, {_NEXT_FLOWING.format("t.type", "")} FROM ({types}) AS t
        UNION ALL
        SELECT g.type, {_NEXT_FLOWING.format("g.type", " AND f.currency_id > g.currency_id")} FROM flowing g
        WHERE g.currency_id IS NOT NULL
    )
    """
    part = """
        SELECT g.type, g.currency_id, f.period, f.units FROM flowing g CROSS JOIN flows f
        WHERE f.user_id = :user_id AND f.type = g.type AND f.currency_id = g.currency_id AND {in_span}
        """
    return f"WITH RECURSIVE {flowing} {for_each_span(part, number, 'f')}"
