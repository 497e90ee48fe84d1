"""Serves budgets."""

from typing import Any

from farthing.books.budgets import store
from farthing.books.budgets.model import Budget, BudgetDraft
from farthing.books.lifecycle.labels import budgets as lifecycle
from farthing.http.answer.document import Item, Page
from farthing.http.answer.includes import answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED, Route
from farthing.kernel.fields import parse

from ..objects import transactions as listing
from ..objects.budgets import BudgetThing, things
from ..objects.labels import OWNER
from . import months, wire


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, budgets = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/budgets", things(call, budgets), total)
    return answer(call, document, budgets, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, None), call.now))


def change(call: Call) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.change(call.db, call.user_id, budget, _draft(call, budget), call.now)
    return _answer(call, budget.id)


def remove(call: Call) -> Answer:
    """Also deletes its limits."""
    budget = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, budget.id)
    return NOTHING


def transactions(call: Call) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, call.id))
    return listing.of_label(call, "budgets", budget.id)


def _draft(call: Call, kept: Budget | None) -> BudgetDraft:
    parsed = parse(wire.BudgetBody, call.fields)
    budget_id = kept.id if kept else 0
    parsed.require(*wire.REQUIRED)
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, parsed.values.name, except_id=budget_id))
    return wire.draft(parsed, kept)


def _answer(call: Call, budget_id: int) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, budget_id))
    return answer(call, Item(things(call, [budget])[0]), [budget], INCLUDES_OF_ONE)


INCLUDES = registry(OWNER, listing.newest_with("budgets"))
INCLUDES_OF_ONE = registry(OWNER, listing.page_with("budgets"))
_ONE: Any = Item[BudgetThing]

ROUTES = (
    Route(
        "GET", "/budgets", index, "List budgets, with what was spent",
        gives=Page[BudgetThing], parameters=(*RANGED, *PAGED), includes=INCLUDES,
    ),
    Route(
        "POST", "/budgets", create, "Make a budget",
        gives=_ONE, takes=wire.BudgetBody, requires=wire.REQUIRED, includes=INCLUDES_OF_ONE,
    ),
    Route(
        "GET", "/budgets/{id}", show, "Show a budget, with what was spent",
        gives=_ONE, parameters=(*RANGED, *PAGED), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "PUT", "/budgets/{id}", change, "Change a budget; a new name shows everywhere at once",
        gives=_ONE, takes=wire.BudgetBody, requires=wire.REQUIRED, includes=INCLUDES_OF_ONE,
    ),
    Route("DELETE", "/budgets/{id}", remove, "Delete a budget and its limits; its transactions stay", runs=LARGE),
    Route(
        "GET", "/budgets/{id}/transactions", transactions, "List the transactions of a budget",
        gives=Page[listing.TransactionThing], parameters=listing.PARAMETERS, includes=listing.INCLUDES,
    ),
    *months.ROUTES,
)  # fmt: skip
