"""Adds up the source's own postings to balances at the end of every month, without passing our records."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from farthing.schedule.periods import Period, last_day

from ...source_books import SourceBalance

# Beyond it (books over thousands of years) only months in which an account moves are named.
BALANCES_MAX = 500_000
Month = tuple[int, int]


class MonthEnds:
    def __init__(self) -> None:
        self._moves: dict[tuple[str, str], dict[Month, Decimal]] = defaultdict(dict)

    def add(self, account: str, currency: str, on: date, amount: Decimal) -> None:
        moves = self._moves[account, currency]
        month = (on.year, on.month)
        moves[month] = moves.get(month, Decimal(0)) + amount

    def balances(self, balances_max: int = BALANCES_MAX) -> Iterator[SourceBalance]:
        months = sorted({month for moves in self._moves.values() for month in moves})
        if not months:
            return
        every = list(_months(months[0], months[-1]))
        is_whole = len(every) * len(self._moves) <= balances_max
        for (account, currency), moves in sorted(self._moves.items()):
            first = min(moves)
            months_listed = [month for month in every if month >= first] if is_whole else sorted({*moves, months[-1]})
            yield from _of_account(account, currency, moves, months_listed)


def _of_account(
    account: str, currency: str, moves: dict[Month, Decimal], months: list[Month]
) -> Iterator[SourceBalance]:
    total = Decimal(0)
    for month in months:
        total += moves.get(month, Decimal(0))
        on = last_day(Period.MONTH, date(*month, 1))
        yield SourceBalance(account=account, on=on, amount=total, currency=currency)


def _months(first: Month, last: Month) -> Iterator[Month]:
    year, month = first
    while (year, month) <= last:
        yield year, month
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
