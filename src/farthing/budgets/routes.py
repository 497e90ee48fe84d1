"""What can be done with budgets over HTTP?"""

from typing import Any

from ..budget_limits import store as limits
from ..errors import refuse
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page
from ..http.includes import include, registry
from ..http.pages import asked, page
from ..http.route import PAGED, RANGED, Route
from ..labels.forget import forget
from ..labels.listing import OWNER, taken
from ..rules import store as rules
from ..transactions import listing
from . import store, wire
from .listing import BudgetThing, things
from .model import Draft


def index(call: Call) -> Answer:
    at = asked(call)
    total, budgets = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/budgets", things(call, budgets), total)
    include(call, document, budgets, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, 0), call.now))


def change(call: Call) -> Answer:
    budget = found(store.get(call.db, call.user_id, call.id))
    draft = _draft(call, budget.id)
    store.change(call.db, call.user_id, budget.id, draft, call.now)
    rules.rename(call.db, call.user_id, "budgets", budget.name, draft.name, call.now)
    return _answer(call, budget.id)


def remove(call: Call) -> Answer:
    """Its limits go along."""
    budget = found(store.get(call.db, call.user_id, call.id))
    limits.remove_of(call.db, call.user_id, budget.id)
    forget(call.db, call.user_id, "budgets", budget.id)
    return NOTHING


def transactions(call: Call) -> Answer:
    budget = found(store.get(call.db, call.user_id, call.id))
    return listing.of_label(call, "budgets", budget.id)


def _draft(call: Call, budget_id: int) -> Draft:
    parsed = parse(wire.BudgetBody, call.fields)
    refuse([*parsed.problems, *wire.problems(parsed), *taken(call, "budgets", "name", parsed.values.name, budget_id)])
    return wire.draft(parsed.values)


def _answer(call: Call, budget_id: int) -> Answer:
    budget = found(store.get(call.db, call.user_id, budget_id))
    document = Item(things(call, [budget])[0])
    include(call, document, [budget], INCLUDES_OF_ONE)
    return Answer(document)


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
    Route("DELETE", "/budgets/{id}", remove, "Delete a budget and its limits; its transactions stay", heavy=True),
    Route(
        "GET", "/budgets/{id}/transactions", transactions, "List the transactions of a budget",
        gives=Page[listing.TransactionThing], parameters=listing.PARAMETERS, includes=listing.INCLUDES,
    ),
)  # fmt: skip
