"""Lists what is in a currency: accounts, bills, budgets, exchange rates, recurrences, rules and transactions."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from farthing.books.accounts.model import Account
from farthing.books.available_budgets import store as available_budgets
from farthing.books.bills import store as bills
from farthing.books.budget_limits import store as budget_limits
from farthing.books.currencies.model import StoredCurrency
from farthing.books.exchange_rates import store as exchange_rates
from farthing.books.exchange_rates.store import RateFilter
from farthing.books.lifecycle.settings import account_order
from farthing.books.recurrences import store as recurrences
from farthing.books.recurrences.model import Recurrence
from farthing.books.rules import store as rules
from farthing.books.rules.model import Rule
from farthing.books.transactions import groups
from farthing.books.transactions.model import types_named
from farthing.http.answer.document import Page
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import read_within
from farthing.http.route import LARGE, PAGED, RANGED, Parameter, Route
from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type, kinds_named
from farthing.overviews.search import find as search
from farthing.overviews.search.operators.context import Context
from farthing.overviews.search.operators.understand import understand

from ..available_budgets import routes as available
from ..budget_limits import wire as limit_wire
from ..exchange_rates.wire import ExchangeRateThing, make_rate
from ..objects import recurrences as recurrence_objects
from ..objects import rules as rule_objects
from ..objects.accounts import AccountThing, make_accounts
from ..objects.bills import BillThing, make_bills
from ..objects.groups import GroupThing, make_groups
from ..parts.documents import answer_page

T = TypeVar("T")
# More objects of one kind than any user has.
_EVERY = 1_000_000
_TYPE = Parameter("type", {"type": "string", "default": "all"}, "The type of objects to list; defaults to all.")
_TRIGGERS = ("currency_is", "foreign_currency_is")


def _accounts(call: Call, currency: Currency) -> Answer:
    kinds = kinds_named(call.query.get("type") or "all")
    _, accounts = account_order.page(call.db, call.user_id, kinds=kinds, limit=_EVERY, offset=0)
    some: list[Account] = [account for account in accounts if account.currency.id == currency.id]
    return _answer(call, "accounts", some, make_accounts)


def _available_budgets(call: Call, currency: Currency) -> Answer:
    _, every = available_budgets.page(call.db, call.user_id, within=read_within(call), limit=_EVERY, offset=0)
    some = [budget for budget in every if budget.currency.id == currency.id]
    return _answer(call, "available-budgets", some, available.make_things)


def _bills(call: Call, currency: Currency) -> Answer:
    _, every = bills.page_in_order(call.db, call.user_id, limit=_EVERY, offset=0)
    return _answer(call, "bills", [bill for bill in every if bill.currency.id == currency.id], make_bills)


def _exchange_rates(call: Call, currency: Currency) -> Answer:
    at, chosen = read_page_request(call), RateFilter(of_id=currency.id)
    total, rates = exchange_rates.page(call.db, call.user_id, chosen, limit=at.size, offset=at.offset)
    return answer_page(call, _path(call, "cer"), [make_rate(call, rate) for rate in rates], total)


def _budget_limits(call: Call, currency: Currency) -> Answer:
    within = read_within(call)
    _, limits = budget_limits.page(call.db, call.user_id, budget_id=None, within=within, limit=_EVERY, offset=0)
    some = [limit for limit in limits if limit.currency.id == currency.id]
    return _answer(call, "budget-limits", some, limit_wire.make_things)


def _recurrences(call: Call, currency: Currency) -> Answer:
    _, every = recurrences.page(call.db, call.user_id, limit=_EVERY, offset=0)
    some: list[Recurrence] = [
        recurrence
        for recurrence in every
        if any(currency in (split.currency, split.foreign_currency) for split in recurrence.splits)
    ]
    return _answer(call, "recurrences", some, recurrence_objects.things)


def _rules(call: Call, currency: Currency) -> Answer:
    """Lists the rules with a trigger that names the currency."""
    _, every = rules.page(call.db, call.user_id, limit=_EVERY, offset=0)
    names = {fold(currency.code), fold(currency.name)}
    some: list[Rule] = [
        rule
        for rule in every
        if any(part.name in _TRIGGERS and fold(part.value or "") in names for part in rule.triggers)
    ]
    return _answer(call, "rules", some, rule_objects.things)


def _transactions(call: Call, currency: Currency) -> Answer:
    """Lists transactions as a search for the currency does."""
    days, types = call.days(), types_named(call.query.get("type") or "all")
    words = [f"currency_is:{currency.code}"]
    words += [f"date_after:{days['start']}"] if days["start"] else []
    words += [f"date_before:{days['end']}"] if days["end"] else []
    if len(types) == 1:
        words.append(f'type:"{Type(next(iter(types))).label.lower()}"')
    understood = understand(Context(call.db, call.user_id, call.today, call.caller.timezone), " ".join(words))
    assert not understood.problems, "these operators and values are known"
    at = read_page_request(call)
    found = search.find(call.db, call.user_id, [], limit=at.size, offset=at.offset, filters=understood.filters)
    shown = make_groups(call, groups.of_entries(call.db, call.user_id, found.entry_ids))
    return answer_page(call, _path(call, "transactions"), shown, found.total, _links(call))


def _answer(call: Call, tail: str, some: Sequence[T], make: Callable[[Call, Sequence[T]], list[Any]]) -> Answer:
    at = read_page_request(call)
    shown = make(call, some[at.offset : at.offset + at.size])
    return answer_page(call, _path(call, tail), shown, len(some), _links(call))


def _path(call: Call, tail: str) -> str:
    return f"/currencies/{call.path['code']}/{tail}"


def _links(call: Call) -> dict[str, str]:
    return {"type": call.query["type"]} if call.query.get("type") else {}


_LISTS: dict[str, tuple[Callable[[Call, Currency], Answer], Any, tuple[Parameter, ...], str]] = {
    "accounts": (_accounts, Page[AccountThing], (_TYPE,), "accounts"),
    "available-budgets": (_available_budgets, Page[available.AvailableBudgetThing], RANGED, "available budgets"),
    "bills": (_bills, Page[BillThing], RANGED, "bills"),
    "budget-limits": (_budget_limits, Page[limit_wire.BudgetLimitThing], RANGED, "limits of budgets"),
    "cer": (_exchange_rates, Page[ExchangeRateThing], (), "exchange rates from and to a currency"),
    "recurrences": (_recurrences, Page[recurrence_objects.RecurrenceThing], (), "recurrences"),
    "rules": (_rules, Page[rule_objects.RuleThing], (), "rules"),
    "transactions": (_transactions, Page[GroupThing], (_TYPE, *RANGED), "transactions"),
}


def make_routes(names: tuple[Parameter, ...], find: Callable[[Call], StoredCurrency]) -> Iterator[Route]:
    for tail, (answer, gives, filters, what) in _LISTS.items():

        def handler(call: Call, answer: Callable[[Call, Currency], Answer] = answer) -> Answer:
            return answer(call, find(call).currency)

        # The name of a route consists of the name of its handler and its folder.
        handler.__name__ = f"list_{tail.replace('-', '_')}"
        parameters = (*names, *filters, *PAGED)
        summary = f"List {what}" if "a currency" in what else f"List {what} in a currency"
        path = f"/currencies/{{code}}/{tail}"
        yield Route("GET", path, handler, summary, gives=gives, parameters=parameters, runs=LARGE)
