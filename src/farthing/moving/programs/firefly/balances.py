"""Computes each account's month-end balances from the source's own amounts, independently of our records."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import reduce

from farthing.schedule.months import month_number

from ...source_books import SourceAccount, SourceBalance
from ..common.month_ends import EXACT, balances_of
from .accounts import OWN
from .files.items import Source
from .journals import Journal

# If there would be more balances, only the months in which an account has bookings are compared.
BALANCES_MAX = 1_000_000
OWN_TRACES = (
    "Firefly III's internal data is not imported: ids, hashes, and the times when something was entered or changed."
)
NOT_EXPORTED = (
    "Firefly III's CSV export has no attachments, events of piggy banks, links, locations, available budgets, and no"
    " notes but those of transactions; an import from a running Firefly III includes them."
)


class Legs:
    """Adds up both sides of each journal. `reported_on` is the day of the balances that Firefly III reports, if any."""

    def __init__(self, reported_on: date | None = None) -> None:
        self._reported_on = reported_on
        # By account, month, the currencies of amount and foreign amount, and whether a journal is after `reported_on`.
        self._sums: dict[tuple[str, int, str, str | None, bool], list[Decimal]] = defaultdict(lambda: [Decimal()] * 2)

    def add(self, journal: Journal) -> None:
        month = month_number(journal.on)
        is_later = self._reported_on is not None and journal.on > self._reported_on
        foreign = journal.foreign_amount or Decimal()
        for account, sign in ((journal.source, -1), (journal.destination, 1)):
            sums = self._sums[account.key, month, journal.currency, journal.foreign_currency, is_later]
            sums[0] = EXACT.fma(journal.amount, sign, sums[0])
            sums[1] = EXACT.fma(foreign, sign, sums[1])

    def balances(self, accounts: Sequence[SourceAccount]) -> Iterator[SourceBalance]:
        """Yields month-end balances, also for accounts without bookings, which must stay at zero."""
        moves = self._moves(accounts, reported=False)
        first = min((month for of in moves.values() for month in of), default=0)
        yield from balances_of(moves, first, BALANCES_MAX)

    def reported(self, accounts: Sequence[SourceAccount]) -> dict[tuple[str, str], Decimal]:
        """Returns sums by account and currency up to and including the day of the balances that Firefly III reports."""
        moves = self._moves(accounts, reported=True)
        return {at: reduce(EXACT.add, of.values(), Decimal()) for at, of in moves.items()}

    def _moves(self, accounts: Sequence[SourceAccount], *, reported: bool) -> dict[tuple[str, str], dict[int, Decimal]]:
        """Returns sums by account and currency, then by month. A transfer between currencies has an amount in the
        source's currency and a foreign amount. If the foreign amount is in the account's own currency, it is added to
        that balance. Otherwise, the amount is added to the balance in the source's currency.
        """
        own = {account.key: account.currency for account in accounts}
        moves: dict[tuple[str, str], dict[int, Decimal]] = {
            (account.key, account.currency): {} for account in accounts if account.currency
        }
        for (key, month, currency, foreign_currency, is_later), (amount, foreign) in self._sums.items():
            if reported and is_later:
                continue
            is_foreign = foreign_currency is not None and foreign_currency == own[key] != currency
            at = moves.setdefault((key, (foreign_currency if is_foreign else None) or currency), {})
            at[month] = EXACT.add(at.get(month, Decimal()), foreign if is_foreign else amount)
        return moves


def compare_balances(source: Source, legs: Legs, accounts: Sequence[SourceAccount]) -> None:
    """Compares our sums with the reported balances. Some versions round theirs or include the virtual balance."""
    own = {account.key: account for account in accounts if account.kind in OWN and account.currency}
    sums = legs.reported(accounts)
    for listed in source.items("accounts"):
        account, item = own.get(listed.id), listed.quiet()
        stated = item.amount("current_balance")
        if account is None or account.currency is None or stated is None or item.day("current_balance_date") is None:
            continue
        half = Decimal(5).scaleb(-1 - item.whole("currency_decimal_places", default=2, most=12))
        summed = sums.get((account.key, account.currency), Decimal())
        candidates = (summed, EXACT.add(summed, account.virtual_balance or Decimal()))
        if all(abs(EXACT.subtract(stated, candidate)) > half for candidate in candidates):
            says = f"Firefly III says that '{account.name[:80]}' holds {stated}"
            message = f"{says}, but its transactions add up to {summed}."
            source.remarks.add(message, row=item.row, field="current_balance")


def mention_rest(source: Source) -> None:
    source.remarks.add(OWN_TRACES)
    if source.lacks_ids:
        source.remarks.add(NOT_EXPORTED)
