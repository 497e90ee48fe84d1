"""What can be done with available budgets over HTTP?"""

from collections.abc import Sequence
from typing import Any

from ..currencies.choose import chosen
from ..errors import refuse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page, Thing, thing
from ..http.includes import include, registry
from ..http.pages import asked, page
from ..http.relatives import USER, transaction_currency
from ..http.route import PAGED, RANGED, Route
from . import store, wire
from .model import AvailableBudget, Draft

AvailableBudgetThing = Thing[wire.AvailableBudgetAttributes]


def index(call: Call) -> Answer:
    at, days = asked(call), call.range()
    within = (days.start.isoformat(), days.end.isoformat()) if days else None
    total, budgets = store.page(call.db, call.user_id, within=within, limit=at.size, offset=at.offset)
    document = page(call, "/available_budgets", _things(call, budgets), total)
    include(call, document, budgets, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call), call.now))


def change(call: Call) -> Answer:
    budget = found(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, budget.id, _draft(call), call.now)
    return _answer(call, budget.id)


def remove(call: Call) -> Answer:
    budget = found(store.get(call.db, call.user_id, call.id))
    store.remove(call.db, call.user_id, budget.id)
    return NOTHING


def _draft(call: Call) -> Draft:
    parsed = wire.read(call.fields)
    problems = [*parsed.problems, *wire.problems(parsed)]
    currency = chosen(call.db, parsed, problems, id_field="transaction_currency_id")
    draft = wire.draft(parsed, currency, problems)
    refuse(wire.as_sent(call.fields, problems))
    assert draft is not None, "without problems there is a draft"
    return draft


def _answer(call: Call, budget_id: int) -> Answer:
    budget = found(store.get(call.db, call.user_id, budget_id))
    document = Item(_things(call, [budget])[0])
    include(call, document, [budget], INCLUDES)
    return Answer(document)


def _things(call: Call, budgets: Sequence[AvailableBudget]) -> list[AvailableBudgetThing]:
    spent = store.spent(call.db, call.user_id, budgets)
    return [
        thing(call.base, "available_budgets", one.id, wire.show(one, spent[one.id]), uri=f"/available_budgets/{one.id}")
        for one in budgets
    ]


INCLUDES = registry(transaction_currency(lambda one: one.currency_id), USER)
_ONE: Any = Item[AvailableBudgetThing]

ROUTES = (
    Route(
        "GET", "/available_budgets", index, "List available budgets",
        gives=Page[AvailableBudgetThing], parameters=(*RANGED, *PAGED), includes=INCLUDES,
    ),
    Route(
        "POST", "/available_budgets", create, "Make an available budget",
        gives=_ONE, takes=wire.AvailableBudgetBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route("GET", "/available_budgets/{id}", show, "Show an available budget", gives=_ONE, includes=INCLUDES),
    Route(
        "PUT", "/available_budgets/{id}", change, "Change an available budget",
        gives=_ONE, takes=wire.AvailableBudgetBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route("DELETE", "/available_budgets/{id}", remove, "Delete an available budget; other data stays"),
)  # fmt: skip
