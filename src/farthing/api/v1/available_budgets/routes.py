"""Serves available budgets."""

from collections.abc import Sequence

from farthing.books.available_budgets import store
from farthing.books.available_budgets.model import AvailableBudget, AvailableBudgetDraft
from farthing.books.currencies.choose import choose
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import RANGED

from ..objects.currencies import transaction_currency
from ..objects.users import USER
from ..resources.lists import answer_one, answer_page, make_thing
from ..resources.resource import Resource
from . import wire

AvailableBudgetThing = Thing[wire.AvailableBudgetAttributes]


def index(call: Call) -> Answer:
    days = call.range()
    within = (days.start, days.end) if days else None
    return answer_page(call, "/available_budgets", store.page, _things, INCLUDES, within=within)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call), call.now))


def change(call: Call) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, budget.id, _draft(call), call.now)
    return _answer(call, budget.id)


def remove(call: Call) -> Answer:
    budget = or_404(store.get(call.db, call.user_id, call.id))
    store.remove(call.db, call.user_id, budget.id)
    return NOTHING


def _draft(call: Call) -> AvailableBudgetDraft:
    parsed = wire.read(call.fields)
    wire.check(parsed)
    return wire.draft(parsed, choose(call.db, parsed, id_field="transaction_currency_id"), call.fields)


def _answer(call: Call, budget_id: int) -> Answer:
    return answer_one(call, or_404(store.get(call.db, call.user_id, budget_id)), _things, INCLUDES)


def _things(call: Call, budgets: Sequence[AvailableBudget]) -> list[AvailableBudgetThing]:
    spent = store.sum_spent(call.db, call.user_id, budgets)
    return [make_thing(call, "available_budgets", budget.id, wire.show(budget, spent[budget.id])) for budget in budgets]


INCLUDES = registry(transaction_currency(lambda budget: budget.currency.id), USER)
_BUDGETS = Resource(
    path="/available_budgets",
    shows=AvailableBudgetThing,
    takes=wire.AvailableBudgetBody,
    requires=wire.REQUIRED,
    includes=INCLUDES,
)

ROUTES = (
    _BUDGETS.index(index, "List available budgets", *RANGED),
    _BUDGETS.create(create, "Create an available budget"),
    _BUDGETS.show(show, "Show an available budget"),
    _BUDGETS.change(change, "Change an available budget"),
    _BUDGETS.remove(remove, "Delete an available budget; other data stays"),
)
