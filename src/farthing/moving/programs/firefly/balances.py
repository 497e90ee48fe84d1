"""Sums the source's own legs: every account at every month's end, without passing our records."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Context, Decimal

from farthing.schedule.months import day_in_month, month_number

from ...source_books import SourceAccount, SourceBalance
from .journals import Journal

# With more than this, only the months in which an account moved are compared.
BALANCES_MAX = 1_000_000
# Wide enough for every number that is read, so that no sum is rounded.
EXACT = Context(prec=150)

Month = int
Moves = dict[tuple[str, str], dict[Month, Decimal]]


class Legs:
    """Adds up the legs; `reported_on` is the day of the balances that Firefly III reports, if any."""

    def __init__(self, reported_on: date | None = None) -> None:
        self._reported_on = reported_on
        # By account, month, the currencies of amount and foreign amount, and whether it is later than reported.
        self._sums: dict[tuple[str, Month, str, str | None, bool], list[Decimal]] = defaultdict(_nothing)

    def add(self, journal: Journal) -> None:
        month = month_number(journal.on)
        is_later = self._reported_on is not None and journal.on > self._reported_on
        foreign = journal.foreign_amount or Decimal()
        for account, sign in ((journal.source, -1), (journal.destination, 1)):
            sums = self._sums[account.key, month, journal.currency, journal.foreign_currency, is_later]
            sums[0] = EXACT.fma(journal.amount, sign, sums[0])
            sums[1] = EXACT.fma(foreign, sign, sums[1])

    def balances(self, accounts: Sequence[SourceAccount]) -> Iterator[SourceBalance]:
        """Accounts without bookings, too: nothing may appear on them."""
        moves = self._moves(accounts, reported=False)
        months = sorted({month for of in moves.values() for month in of})
        if not months:
            return
        is_full = (months[-1] - months[0] + 1) * len(moves) <= BALANCES_MAX
        ends = {month: day_in_month(month, 31) for month in (range(months[0], months[-1] + 1) if is_full else months)}
        for (key, currency), of in moves.items():
            total = Decimal()
            for month in ends if is_full else sorted({*of, months[-1]}):
                total = EXACT.add(total, of.get(month, Decimal()))
                yield SourceBalance(account=key, on=ends[month], amount=total, currency=currency)

    def reported(self, accounts: Sequence[SourceAccount]) -> dict[tuple[str, str], Decimal]:
        """Sums by account and currency up to the end of the day of the balances that Firefly III reports."""
        totals: dict[tuple[str, str], Decimal] = {}
        for at, of in self._moves(accounts, reported=True).items():
            total = Decimal()
            for amount in of.values():
                total = EXACT.add(total, amount)
            totals[at] = total
        return totals

    def _moves(self, accounts: Sequence[SourceAccount], *, reported: bool) -> Moves:
        """A transfer between currencies has both legs in the source's currency with the foreign amount beside them.

        So an account's balance is the sum of the legs in its own currency, and of the foreign amounts in it; what is in
        neither is a balance in the other currency.
        """
        own = {account.key: account.currency for account in accounts}
        moves: Moves = {(account.key, account.currency): {} for account in accounts if account.currency}
        for (key, month, currency, foreign_currency, is_later), (amount, foreign) in self._sums.items():
            if reported and is_later:
                continue
            is_foreign = foreign_currency is not None and foreign_currency == own[key] != currency
            at = moves.setdefault((key, (foreign_currency if is_foreign else None) or currency), {})
            at[month] = EXACT.add(at.get(month, Decimal()), foreign if is_foreign else amount)
        return moves


def _nothing() -> list[Decimal]:
    return [Decimal(), Decimal()]
