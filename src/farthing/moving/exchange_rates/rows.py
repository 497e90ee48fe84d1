"""Drafts exchange rates from the rows of a file."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.books.exchange_rates.model import ExchangeRateDraft
from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency

ROWS_MAX = 100_000
# The most problems that are shown at once. Further ones are shown after these are corrected.
PROBLEMS_MAX = 100


class RateRow(Struct, frozen=True):
    """`number` is the number of the line or element in the file. The currency codes are in capital letters."""

    number: int
    on: date
    from_code: str
    to_code: str
    rate: Decimal


def row_problem(number: int, column: str, sentence: str) -> Problem:
    return Problem(f"rows.{number}.{column}", f"Row {number}: {sentence}")


def draft_rates(
    rows: Iterable[RateRow], currencies: Mapping[str, Currency], *, skip_unknown: bool = False
) -> tuple[list[ExchangeRateDraft], list[Problem]]:
    """Drafts one rate per currency pair and day; rows that repeat a pair and day must have the same rate. With
    `skip_unknown`, rows with unknown currencies are skipped instead of reported as problems.
    """
    by_pair_and_day: dict[tuple[int, int, str], ExchangeRateDraft] = {}
    problems: list[Problem] = []
    for row in rows:
        codes = (("from", row.from_code), ("to", row.to_code))
        missing = [(name, code) for name, code in codes if code not in currencies]
        if missing:
            if not skip_unknown:
                problems += [row_problem(row.number, name, f"there is no currency {code}.") for name, code in missing]
            continue
        sold, bought = currencies[row.from_code], currencies[row.to_code]
        draft = ExchangeRateDraft(from_currency=sold, to_currency=bought, on=row.on, rate=row.rate)
        if row.from_code == row.to_code:
            problems.append(row_problem(row.number, "to", f"a rate needs two currencies, not {row.to_code} twice."))
        elif by_pair_and_day.setdefault(draft.pair_and_day, draft).rate != row.rate:
            pair = f"{row.from_code} in {row.to_code} on {row.on}"
            problems.append(row_problem(row.number, "rate", f"an earlier row has a different rate of {pair}."))
    return list(by_pair_and_day.values()), problems[:PROBLEMS_MAX]
