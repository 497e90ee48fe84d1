"""Serves budgets."""

from typing import Annotated

from farthing.books.budgets import store
from farthing.books.budgets.model import Budget, BudgetDraft, Carry
from farthing.books.lifecycle import labels as lifecycle
from farthing.http.answer.includes import registry
from farthing.http.request.call import Call
from farthing.http.route import LARGE, PAGED, RANGED
from farthing.kernel.fields import Flag, Name, RequestBody, choice, parse
from farthing.kernel.parsed import ensure

from ..resources.resource import Resource
from ..serializers import transactions as listing
from ..serializers.budgets import BudgetThing, things
from ..serializers.labels import OWNER
from . import left_to_spend, months

_REQUIRED = ("name", "active")


class BudgetBody(RequestBody):
    name: Name | None = None
    active: Flag | None = None
    carry: Annotated[Carry, choice(*Carry)] | None = None


def _draft(call: Call, budget: Budget | None) -> BudgetDraft:
    """Keeps `carry` if a change omits it, because old clients do not send it."""
    parsed = parse(BudgetBody, call.fields)
    values, budget_id = parsed.values, budget.id if budget else 0
    parsed.require(*_REQUIRED)
    taken = lifecycle.taken_problems(call.db, call.user_id, "budgets", values.name, except_id=budget_id)
    parsed.report_all(taken)
    parsed.finish()
    carry = values.carry or (budget.carry if budget else Carry.NO)
    return BudgetDraft(name=ensure(values.name), active=bool(values.active), carry=carry)


BUDGETS = Resource(
    path="/budgets",
    shows=BudgetThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, budget, draft: lifecycle.change_budget(call.db, call.user_id, budget, draft, call.now),
    delete=lambda call, budget: lifecycle.remove(call.db, call.user_id, "budgets", budget.id),
    takes=BudgetBody,
    requires=_REQUIRED,
    includes=registry(OWNER, listing.newest_with("budgets")),
    includes_of_one=registry(OWNER, listing.page_with("budgets")),
)

ROUTES = (
    BUDGETS.index("List budgets, with what was spent", *RANGED),
    BUDGETS.create("Create a budget"),
    BUDGETS.show("Show a budget, with what was spent", *RANGED, *PAGED),
    BUDGETS.change("Change a budget; a new name appears everywhere at once"),
    BUDGETS.remove("Delete a budget and its limits; its transactions stay", runs=LARGE),
    listing.label_route(BUDGETS, "budgets", "List the transactions of a budget"),
    *months.ROUTES,
    left_to_spend.ROUTE,
)
