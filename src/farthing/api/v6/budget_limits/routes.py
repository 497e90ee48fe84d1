"""Serves the limits of budgets."""

from msgspec.structs import replace

from farthing.books.budget_limits import store
from farthing.books.budget_limits.model import BudgetLimit, BudgetLimitDraft
from farthing.books.budgets import store as budgets
from farthing.books.lifecycle import labels as lifecycle
from farthing.books.transactions.counts import Days, LabelFilter
from farthing.http.answer.document import Item
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.resources.lists import answer_page
from farthing.http.route import PAGED, RANGE_NEEDED, RANGED, Route
from farthing.kernel.fields import parse
from farthing.kernel.money import Money
from farthing.kernel.parsed import ensure, order_problems

from ..objects.groups import GROUPS, TYPE, answer_groups
from ..parts.documents import ask_for_all
from ..parts.money import read_currency
from ..parts.partial import need_day, need_units, over
from ..parts.resource import Resource
from ..parts.zeros import empty_zeros
from .wire import BudgetLimitBody, BudgetLimitThing, make_things


def index(call: Call) -> Answer:
    days = call.required_range()
    ask_for_all(call)
    return answer_page(call, "/budget-limits", store.page, make_things, budget_id=None, within=(days.start, days.end))


def of_budget(call: Call) -> Answer:
    budget_id, days = _budget_id(call), call.range()
    ask_for_all(call)
    within = (days.start, days.end) if days else None
    path = f"/budgets/{budget_id}/limits"
    return answer_page(call, path, store.page, make_things, budget_id=budget_id, within=within)


def create(call: Call) -> Answer:
    return LIMITS.answer_with(call, lifecycle.add_limit(call.db, call.user_id, _draft(call, None), call.now))


def show(call: Call) -> Answer:
    return LIMITS.answer(call, find(call))


def change(call: Call) -> Answer:
    limit = find(call)
    lifecycle.change_limit(call.db, call.user_id, limit.id, _draft(call, limit), call.now)
    return LIMITS.answer_with(call, limit.id)


def remove(call: Call) -> Answer:
    store.remove(call.db, call.user_id, find(call).id)
    return NOTHING


def transactions(call: Call) -> Answer:
    limit = find(call)
    path, days = f"/budgets/{limit.budget_id}/limits/{limit.id}/transactions", Days(limit.start_on, limit.end_on)
    return answer_groups(call, path, LabelFilter("budgets", limit.budget_id), days=days)


def find(call: Call) -> BudgetLimit:
    """Finds the limit that the path names. It must be a limit of the budget in the path."""
    budget_id = _budget_id(call)
    limit = or_404(store.get(call.db, call.user_id, call.whole("limitId")))
    return or_404(limit if limit.budget_id == budget_id else None)


def _budget_id(call: Call) -> int:
    return or_404(budgets.get(call.db, call.user_id, call.id)).id


def _draft(call: Call, limit: BudgetLimit | None) -> BudgetLimitDraft:
    budget_id, zone = _budget_id(call), call.caller.timezone
    parsed = parse(BudgetLimitBody, empty_zeros(call.fields, "currency_id"))
    start = need_day(parsed, "start", limit.start_on if limit else None, zone)
    end = need_day(parsed, "end", limit.end_on if limit else None, zone)
    parsed.report_all(order_problems(start, end, "start", "end"))
    stored = limit.currency if limit else None
    currency = read_currency(call, parsed, stored)
    amount = Money(units=limit.units, currency=limit.currency) if limit else None
    units = need_units(parsed, "amount", amount, currency)
    limit_id = limit.id if limit else 0
    problems = lifecycle.limit_problems(
        call.db, call.user_id, budget_id, currency, start=start, end=end, except_id=limit_id, fields=("start", "end")
    )
    parsed.report_all(problems)
    parsed.finish()
    return BudgetLimitDraft(
        budget_id=budget_id,
        currency=ensure(currency),
        units=ensure(units),
        start_on=ensure(start),
        end_on=ensure(end),
        notes=over(parsed, "notes", limit.notes if limit else None),
    )


LIMITS = Resource[BudgetLimit, BudgetLimitDraft](
    path="/budget-limits",
    shows=BudgetLimitThing,
    things=make_things,
    get=store.get,
    takes=BudgetLimitBody,
)
_OF_BUDGET = replace(LIMITS, path="/budgets/{id}/limits")
_LIMIT = "/budgets/{id}/limits/{limitId}"

ROUTES = (
    LIMITS.index("List the limits of all budgets that overlap a range", handler=index, parameters=RANGE_NEEDED),
    _OF_BUDGET.index(
        "List the limits of a budget by period; with a range, only limits that overlap it", handler=of_budget,
        parameters=RANGED,
    ),
    _OF_BUDGET.create(
        "Create a limit for a budget", handler=create, requires=("start", "end", "amount"), takes=BudgetLimitBody
    ),
    Route("GET", _LIMIT, show, "Show a limit of a budget", gives=Item[BudgetLimitThing]),
    Route(
        "PUT", _LIMIT, change, "Change a limit of a budget; omitted fields are kept", gives=Item[BudgetLimitThing],
        takes=BudgetLimitBody,
    ),
    Route(
        "GET", f"{_LIMIT}/transactions", transactions, "List the transactions of the budget in the period of a limit",
        gives=GROUPS, parameters=(TYPE, *PAGED),
    ),
    Route("DELETE", _LIMIT, remove, "Delete a limit; its budget and transactions stay"),
)  # fmt: skip
