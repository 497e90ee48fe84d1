"""Serves available budgets."""

from collections.abc import Sequence

from farthing.books.available_budgets import store
from farthing.books.available_budgets.model import AvailableBudget, AvailableBudgetDraft
from farthing.books.currencies.choose import choose
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import Call
from farthing.http.route import RANGED

from ..resources.lists import make_thing, read_within
from ..resources.resource import Resource
from ..serializers.currencies import transaction_currency
from ..serializers.users import USER
from . import wire

AvailableBudgetThing = Thing[wire.AvailableBudgetAttributes]


def _draft(call: Call, _: AvailableBudget | None) -> AvailableBudgetDraft:
    parsed = wire.read(call.fields)
    wire.check(parsed)
    return wire.draft(parsed, choose(call.db, parsed, id_field="transaction_currency_id"), call.fields)


def _things(call: Call, budgets: Sequence[AvailableBudget]) -> list[AvailableBudgetThing]:
    spent = store.sum_spent(call.db, call.user_id, budgets)
    return [make_thing(call, "available_budgets", budget.id, wire.show(budget, spent[budget.id])) for budget in budgets]


AVAILABLE_BUDGETS = Resource(
    path="/available_budgets",
    shows=AvailableBudgetThing,
    things=_things,
    get=store.get,
    page=store.page,
    filters=lambda call: {"within": read_within(call)},
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, budget, draft: store.change(call.db, call.user_id, budget.id, draft, call.now),
    delete=lambda call, budget: store.remove(call.db, call.user_id, budget.id),
    takes=wire.AvailableBudgetBody,
    requires=wire.REQUIRED,
    includes=registry(transaction_currency(lambda budget: budget.currency.id), USER),
)

ROUTES = (
    AVAILABLE_BUDGETS.index("List available budgets", *RANGED),
    AVAILABLE_BUDGETS.create("Create an available budget"),
    AVAILABLE_BUDGETS.show("Show an available budget"),
    AVAILABLE_BUDGETS.change("Change an available budget"),
    AVAILABLE_BUDGETS.remove("Delete an available budget; other data stays"),
)
