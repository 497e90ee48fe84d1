"""Do the kept sums equal what the splits make? Added up by the database, three times: all time, months, days."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from ..ledger.balance import periods
from ..money import as_text
from ..storage.unit import Unit
from .finding import Finding, Person, named_account, named_type

# Stands where kept rows have their grain; the row's period is then a day.
_MADE = "made"


class Row(NamedTuple):
    """One kept figure, or one day's figure as the splits make it; `key` says of what."""

    key: tuple[int | str, ...]
    grain: str
    period: str
    figure: int


class Drift(NamedTuple):
    key: tuple[int | str, ...]
    period: str
    kept: int
    true: int


def drifts(rows: Iterable[Row]) -> Iterator[Drift]:
    """Rows come ordered by key. A kept zero and no row at all are the same."""
    for key, group in groupby(rows, key=lambda row: row.key):
        kept: Counter[tuple[str, str]] = Counter()
        true: Counter[tuple[str, str]] = Counter()
        for row in group:
            if row.grain == _MADE:
                for each in periods(row.period):
                    true[each] += row.figure
            else:
                kept[row.grain, row.period] += row.figure
        for at in sorted(kept.keys() | true.keys()):
            if kept[at] != true[at]:
                yield Drift(key, at[1], kept[at], true[at])


# Halves of 32 bits are summed apart: each sum stays in 64 bits, however large the amounts.
_HALVES = "SUM({units} >> 32), SUM({units} & 4294967295)"
_LEFT_CURRENCY = "CASE source_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END"
_LEFT = "CASE source_foreign WHEN 1 THEN foreign_units ELSE units END"
_ARRIVED_CURRENCY = "CASE destination_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END"
_ARRIVED = "CASE destination_foreign WHEN 1 THEN foreign_units ELSE units END"


def _posted(account: str, currency: str, units: str, condition: str = "") -> str:
    """What one side of the splits posts, by account, currency and day."""
    return f"""
        SELECT {account}, {currency}, '{_MADE}', on_day, {_HALVES.format(units=f"({units})")}
        FROM splits WHERE user_id = :user_id {condition} GROUP BY 1, 2, 4
    """


_EXCHANGES = f"AND {_LEFT_CURRENCY} <> {_ARRIVED_CURRENCY}"
_EXCHANGE = "CAST(:exchange_id AS BIGINT)"
_BALANCES = f"""
SELECT account_id, currency_id, grain, period, units >> 32, units & 4294967295
FROM balances WHERE user_id = :user_id
UNION ALL {_posted("source_id", _LEFT_CURRENCY, f"-{_LEFT}")}
UNION ALL {_posted("destination_id", _ARRIVED_CURRENCY, _ARRIVED)}
UNION ALL {_posted(_EXCHANGE, _LEFT_CURRENCY, _LEFT, _EXCHANGES)}
UNION ALL {_posted(_EXCHANGE, _ARRIVED_CURRENCY, f"-{_ARRIVED}", _EXCHANGES)}
ORDER BY 1, 2
"""


def balances(db: Unit, person: Person) -> Iterator[Finding]:
    currencies = {row[0]: row[1:] for row in db.all("SELECT id, code, places FROM currencies")}
    totals: Counter[int] = Counter()
    for drift in drifts(_balance_rows(db, person, totals)):
        account_id, currency_id = int(drift.key[0]), int(drift.key[1])
        code, places = currencies.get(currency_id, (f"of currency {currency_id}", 0))
        yield person.finding(
            "balance",
            f"{named_account(db, person, account_id)}, {_when(drift.period)}: the kept balance is "
            f"{as_text(drift.kept, places)} {code}, but the transactions make {as_text(drift.true, places)} {code}.",
            account_id=account_id,
            period=drift.period,
            kept=drift.kept,
            true=drift.true,
        )
    for currency_id, units in totals.items():
        code, places = currencies.get(currency_id, (f"of currency {currency_id}", 0))
        if units:
            yield person.finding(
                "zero sum",
                f"all balances in {code} together are {as_text(units, places)}, but must be zero.",
                kept=units,
                true=0,
            )


def _balance_rows(db: Unit, person: Person, totals: Counter[int]) -> Iterator[Row]:
    """On the way the kept totals of all accounts are added up, by currency."""
    rows = db.stream(_BALANCES, user_id=person.id, exchange_id=person.exchange_id)
    for account_id, currency_id, grain, period, high, low in rows:
        if account_id is None:
            continue  # an exchange without an exchange account, which is told elsewhere
        units = (int(high) << 32) + int(low)
        if grain == "all":
            totals[currency_id] += units
        yield Row((account_id, currency_id), grain, period, units)


_COUNTS = f"""
SELECT type, 'entries', grain, period, entries FROM counts WHERE user_id = :user_id
UNION ALL
SELECT type, 'splits', grain, period, splits FROM counts WHERE user_id = :user_id
UNION ALL
SELECT type, 'entries', '{_MADE}', on_day, COUNT(*) FROM entries WHERE user_id = :user_id GROUP BY 1, 4
UNION ALL
SELECT type, 'splits', '{_MADE}', on_day, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 4
ORDER BY 1, 2
"""


def counts(db: Unit, person: Person) -> Iterator[Finding]:
    rows = db.stream(_COUNTS, user_id=person.id)
    for drift in drifts(Row((type_, what), *rest) for type_, what, *rest in rows):
        type_, what = drift.key
        yield person.finding(
            "count",
            f"{what} of type {named_type(int(type_))}, {_when(drift.period)}: "
            f"the kept count is {drift.kept}, but there are {drift.true}.",
            period=drift.period,
            kept=drift.kept,
            true=drift.true,
        )


_ACCOUNT_COUNTS = f"""
SELECT account_id, type, grain, period, splits FROM account_counts WHERE user_id = :user_id
UNION ALL
SELECT source_id, type, '{_MADE}', on_day, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 2, 4
UNION ALL
SELECT destination_id, type, '{_MADE}', on_day, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 2, 4
ORDER BY 1, 2
"""


def account_counts(db: Unit, person: Person) -> Iterator[Finding]:
    rows = db.stream(_ACCOUNT_COUNTS, user_id=person.id)
    for drift in drifts(Row((account_id, type_), *rest) for account_id, type_, *rest in rows):
        account_id, type_ = int(drift.key[0]), int(drift.key[1])
        yield person.finding(
            "account count",
            f"{named_account(db, person, account_id)}, splits of type {named_type(type_)}, {_when(drift.period)}: "
            f"the kept count is {drift.kept}, but there are {drift.true}.",
            account_id=account_id,
            period=drift.period,
            kept=drift.kept,
            true=drift.true,
        )


def _when(period: str) -> str:
    if not period:
        return "all time"
    return f"in {period}" if len(period) == len("YYYY-MM") else f"on {period}"
