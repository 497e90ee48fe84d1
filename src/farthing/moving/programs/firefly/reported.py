"""Reads what Firefly III reports about itself: balances to compare with, and things that do not exist here."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from ...source_books import SourceAccount
from .accounts import OWN
from .balances import EXACT, Legs
from .files.items import Source

_UNPLACED = {
    "webhooks": "Webhooks are not taken over",
    "exchange-rates": "Exchange rates are not taken over",
}
_FISCAL = ("customFiscalYear", "fiscalYearStart")
OWN_TRACES = (
    "Firefly III's own traces are not taken over: its ids and hashes, and when something was entered or changed."
)

NOT_EXPORTED = (
    "Firefly III's CSV export has no attachments, events of piggy banks, links, locations, available budgets, and no"
    " notes but those of transactions; reading from a running Firefly III brings them, too."
)


def reported_day(source: Source) -> date | None:
    """Returns the day of the balances, which all accounts share unless midnight came between two pages; then the first
    day.
    """
    days = [day for item in source.items("accounts") if (day := item.quiet().day("current_balance_date"))]
    return min(days, default=None)


def compare_balances(source: Source, legs: Legs, accounts: Sequence[SourceAccount]) -> None:
    """Compares balances. Some versions include the virtual balance and round to the currency's places."""
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
            message = (
                f"Firefly III says that '{account.name[:80]}' holds {stated}, but its transactions add up to {summed}."
            )
            source.remarks.add(message, row=item.row, field="current_balance")


def mention_rest(source: Source) -> None:
    for list_name, message in _UNPLACED.items():
        for item in source.items(list_name):
            source.remarks.count(message, item.text("title") or item.text("from_currency_code") or item.id)
    for item in source.items("preferences"):
        name = item.quiet().text("name")
        if name in _FISCAL and item.values.get("data") not in (False, None, "01-01"):
            source.remarks.count("Set the fiscal year in the preferences here", f"{name}: {item.values['data']}")
    source.remarks.add(OWN_TRACES)
    if source.lacks_ids:
        source.remarks.add(NOT_EXPORTED)
