"""Defines the measured requests: each line is one kind, sent as a client would."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

import msgspec

from .books import LAST_DAY, Facts
from .driver import Endpoint

PAGE = 50
DEEP_PAGE = 1000


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: bytes = b""


@dataclass(frozen=True)
class Line:
    """`ask` makes the n-th request; each n names another object, if there are several."""

    key: str
    name: str
    ask: Callable[[Facts, int], Request]
    writes: bool = False
    floors: bool = True
    """Is there a floor (b) for it, the raw SQL of the same answer?"""

    def requests(self, endpoint: Endpoint, facts: Facts, first: int) -> Iterator[bytes]:
        for number in count(first):
            asked = self.ask(facts, number)
            yield endpoint.request(asked.method, asked.path, asked.body)


def deep_page(facts: Facts) -> int:
    """The 1 000th page, or the last full one of small books."""
    return min(DEEP_PAGE, facts.transactions // PAGE)


def asset(facts: Facts, number: int) -> int:
    return facts.asset_ids[number % len(facts.asset_ids)]


def _get(path: str) -> Request:
    return Request("GET", f"/api/v1{path}")


def choose(facts: Facts, number: int) -> dict[str, Any]:
    """A withdrawal in the last four weeks."""
    return {
        "day": str(LAST_DAY - timedelta(days=number % 28)),
        "amount": f"{number % 1000 + 1}.{number % 100:02}",
        "source_id": asset(facts, number),
        "destination_id": facts.expense_ids[number % len(facts.expense_ids)],
    }


def _create(facts: Facts, number: int) -> Request:
    return Request("POST", "/api/v1/transactions", withdrawal(**choose(facts, number)))


def _update(facts: Facts, number: int) -> Request:
    """Changes amount, day and accounts of a withdrawal from any of the ten years."""
    split_id = facts.changed_ids[number * 787 % len(facts.changed_ids)]
    return Request("PUT", f"/api/v1/transactions/{split_id}", _create(facts, number).body)


def withdrawal(*, day: str, amount: str, source_id: int, destination_id: int) -> bytes:
    split = {"amount": amount, "currency_code": "EUR", "source_id": source_id, "destination_id": destination_id}
    fields = {"type": "withdrawal", "date": day, "description": "Weekly shopping", "transactions": [split]}
    return msgspec.json.encode(fields)


LINES = (
    Line("accounts", "page of 50 accounts with balances", lambda _facts, _n: _get("/accounts?type=asset")),
    Line("account", "one account", lambda facts, n: _get(f"/accounts/{asset(facts, n)}")),
    Line("transactions", "page of 50 transactions, the first", lambda _facts, _n: _get("/transactions")),
    Line(
        "transactions_deep",
        "page of 50 transactions, the 1 000th",
        lambda facts, _n: _get(f"/transactions?page={deep_page(facts)}"),
    ),
    Line(
        "account_transactions",
        "an account's page of transactions",
        lambda facts, n: _get(f"/accounts/{asset(facts, n)}/transactions"),
    ),
    Line("preferences", "preferences", lambda _facts, _n: _get("/preferences")),
    Line("create", "create a transaction", _create, writes=True),
    Line("update", "update a transaction", _update, writes=True),
)


def _plain(key: str, name: str, address: Callable[[Facts, int], str]) -> Line:
    """Compared with others of its kind, or with itself on other books, not with floors."""
    return Line(key, name, lambda facts, n: _get(address(facts, n)), floors=False)


# The last year of the books.
YEAR = "start=2024-01-01&end=2024-12-31"
# A year in the middle, so that later payments are read, too.
PAST_YEAR = "start=2020-01-01&end=2020-12-31"
OTHERS = (
    _plain("bills", "page of 50 bills", lambda _facts, _n: "/bills"),
    _plain("bills_year", "page of 50 bills with a year", lambda _facts, _n: f"/bills?{YEAR}"),
    _plain("bills_past", "page of 50 bills with a past year", lambda _facts, _n: f"/bills?{PAST_YEAR}"),
    _plain("budgets_year", "budgets with a year", lambda _facts, _n: f"/budgets?{YEAR}"),
    _plain("categories_year", "categories with a year", lambda _facts, _n: f"/categories?{YEAR}"),
    _plain("recurrences", "page of 50 recurrences", lambda _facts, _n: "/recurrences"),
)
# Everything, the summary of a month, and what a form asks for while somebody types.
DECADE = "start=2015-01-01&end=2024-12-31"
MONTH = "start=2024-12-01&end=2024-12-31"
OVERVIEWS = (
    _plain("net_worth", "ten years of net worth", lambda _facts, _n: f"/chart/net_worth?{DECADE}"),
    _plain("cash_flow", "ten years of money in and out", lambda _facts, _n: f"/chart/cash_flow?{DECADE}"),
    _plain(
        "account_charts",
        "a month of 50 accounts, day by day",
        lambda facts, _n: f"/chart/account/overview?{MONTH}&ids={','.join(map(str, facts.asset_ids))}",
    ),
    _plain(
        "account_months",
        "ten years of 50 accounts, month by month",
        lambda facts, _n: f"/chart/account/overview?{DECADE}&period=month&ids={','.join(map(str, facts.asset_ids))}",
    ),
    _plain("summary", "summary of a month", lambda _facts, _n: f"/summary/basic?{MONTH}"),
    _plain(
        "dashboard",
        "the whole dashboard",
        lambda _facts, _n: f"/dashboard?{MONTH}&chart_{YEAR.replace('&', '&chart_')}",
    ),
    _plain("suggest", "suggested descriptions", lambda _facts, n: f"/autocomplete/descriptions?query={'scbg'[n % 4]}"),
    _plain("upcoming", "what 50 bills expect in a month", lambda _facts, _n: f"/upcoming?{MONTH}"),
    _plain(
        "net_worth_days", "a year of net worth, day by day", lambda _facts, _n: f"/chart/net_worth?{YEAR}&period=day"
    ),
)
# What reads more in larger books, up to a bound that books of 100 000 transactions have reached.
QUARTER = "start=2024-10-03&end=2024-12-31"
BOUNDED = (
    _plain(
        "balances_days",
        "90 days of 50 accounts, day by day",
        lambda facts, _n: f"/chart/account/overview?{QUARTER}&period=day&ids={','.join(map(str, facts.asset_ids))}",
    ),
    _plain(
        "narrowed",
        "transactions of an account and a category",
        lambda facts, n: f"/search/transactions?account_id={asset(facts, n)}&category_id={1 + n % 30}",
    ),
    _plain(
        "amount",
        "an amount that nothing has",
        lambda _facts, n: f"/search/transactions?amount_min={90_000_000 + n}.1&amount_max={90_000_000 + n}.1",
    ),
    _plain("two_words", "two common words", lambda _facts, _n: "/search/transactions?query=weekly+shopping"),
)
# The last year of the books up to a day within a month, with both comparisons: what the page of reports asks for.
SO_FAR = "start=2024-01-01&end=2024-09-17&compare=before,year_ago"


def _report(key: str, name: str, address: str) -> Line:
    return _plain(f"report_{key}", f"report: {name}", lambda _facts, _n: f"/reports/{address}")


REPORTS = (
    _report("category", "a year by category and month", f"breakdown?by=category&{SO_FAR}"),
    _report("weeks", "a year by category and week", f"breakdown?by=category&period=week&{YEAR}"),
    _report("tag", "a year by tag and month", f"breakdown?by=tag&{SO_FAR}"),
    _report("payee", "a year by payee and month", f"breakdown?by=payee&{SO_FAR}"),
    _report("payees", "ten years by payee and year", f"breakdown?by=payee&period=year&{DECADE}"),
    _report("account", "a year by account and month", f"breakdown?by=account&{SO_FAR}"),
    _report("budget", "a year by budget and month", f"breakdown?by=budget&{SO_FAR}"),
    _report("income", "ten years of income and expense", f"income_expense?{DECADE}"),
    _report("income_category", "ten years of one category", f"income_expense?category_id=3&{DECADE}"),
    _report("net_worth", "ten years of net worth by account", f"net_worth?period=quarter&{DECADE}"),
    _report("net_worth_weeks", "a year of net worth by account and week", f"net_worth?period=week&{YEAR}"),
    _report("cash_flow", "a year from sources to uses", f"cash_flow?{YEAR}"),
    _report("budgets", "a year of budgets", f"budgets?{YEAR}"),
    _report("totals", "totals of everything", "totals"),
    _report("totals_category", "totals of a category's month", f"totals?category_id=3&{MONTH}"),
    _plain(
        "report_totals_account",
        "report: totals of an account",
        lambda facts, n: f"/reports/totals?account_id={asset(facts, n)}",
    ),
)
NAMED = {line.key: line for line in (*LINES, *OTHERS, *OVERVIEWS, *BOUNDED, *REPORTS)}
