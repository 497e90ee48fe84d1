"""Serves budgets."""

from farthing.books.budgets import store
from farthing.books.budgets.model import Budget, BudgetDraft
from farthing.books.lifecycle import labels as lifecycle
from farthing.http.answer.includes import registry
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED
from farthing.kernel.fields import parse

from ..objects import transactions as listing
from ..objects.budgets import BudgetThing, things
from ..objects.labels import OWNER
from ..resources.lists import answer_one, answer_page
from ..resources.resource import Resource
from . import months, wire


def index(call: Call) -> Answer:
    return answer_page(call, "/budgets", store.page, things, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, None), call.now))


def change(call: Call) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.change_budget(call.db, call.user_id, budget, _draft(call, budget), call.now)
    return _answer(call, budget.id)


def remove(call: Call) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, "budgets", budget.id)
    return NOTHING


def transactions(call: Call) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, call.id))
    return listing.of_label(call, "budgets", budget.id)


def _draft(call: Call, budget: Budget | None) -> BudgetDraft:
    parsed = parse(wire.BudgetBody, call.fields)
    budget_id = budget.id if budget else 0
    parsed.require(*wire.REQUIRED)
    taken = lifecycle.taken_problems(call.db, call.user_id, "budgets", parsed.values.name, except_id=budget_id)
    parsed.report_all(taken)
    return wire.draft(parsed, budget)


def _answer(call: Call, budget_id: int) -> Answer:
    return answer_one(call, or_404(store.get(call.db, call.user_id, budget_id)), things, INCLUDES_OF_ONE)


INCLUDES = registry(OWNER, listing.newest_with("budgets"))
INCLUDES_OF_ONE = registry(OWNER, listing.page_with("budgets"))
_BUDGETS = Resource(
    path="/budgets",
    shows=BudgetThing,
    takes=wire.BudgetBody,
    requires=wire.REQUIRED,
    includes=INCLUDES,
    includes_of_one=INCLUDES_OF_ONE,
)

ROUTES = (
    _BUDGETS.index(index, "List budgets, with what was spent", *RANGED),
    _BUDGETS.create(create, "Create a budget"),
    _BUDGETS.show(show, "Show a budget, with what was spent", *RANGED, *PAGED),
    _BUDGETS.change(change, "Change a budget; a new name appears everywhere at once"),
    _BUDGETS.remove(remove, "Delete a budget and its limits; its transactions stay", runs=LARGE),
    _BUDGETS.own(
        "GET", "transactions", transactions, "List the transactions of a budget", *listing.PARAMETERS, **listing.LISTED
    ),
    *months.ROUTES,
)
