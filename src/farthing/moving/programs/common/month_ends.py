"""Adds up the source's own postings to month-end balances, independently of the records that we make of them."""

from collections.abc import Iterator, Mapping
from decimal import Context, Decimal

from farthing.schedule.months import day_in_month

from ...source_books import SourceBalance

# If there would be more balances, as in books over thousands of years, only months with postings get one.
BALANCES_MAX = 500_000
# Wide enough for every number that is read, so that no sum is rounded.
EXACT = Context(prec=150)

# The sums of postings by account and currency, then by the number of the month.
Moves = Mapping[tuple[str, str], Mapping[int, Decimal]]


def balances_of(moves: Moves, first: int | None = None, balances_max: int = BALANCES_MAX) -> Iterator[SourceBalance]:
    """Yields month-end balances, from each account's first month (or `first`) to the last month of all accounts."""
    months = {month for of in moves.values() for month in of}
    if not months:
        return
    last = max(months)
    is_whole = (last - min(months) + 1) * len(moves) <= balances_max
    for (account, currency), of in moves.items():
        total = Decimal(0)
        start = min(of) if first is None else first
        for month in range(start, last + 1) if is_whole else sorted({*of, last}):
            total = EXACT.add(total, of.get(month, Decimal(0)))
            yield SourceBalance(account=account, on=day_in_month(month, 31), amount=total, currency=currency)
