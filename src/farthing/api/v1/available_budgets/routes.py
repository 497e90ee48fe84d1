"""Serves available budgets."""

from collections.abc import Sequence
from typing import Any

from farthing.books.available_budgets import store
from farthing.books.available_budgets.model import AvailableBudget, AvailableBudgetDraft
from farthing.books.currencies.choose import choose
from farthing.http.answer.document import Item, Page, Thing, thing
from farthing.http.answer.includes import answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import PAGED, RANGED, Route

from ..objects.currencies import transaction_currency
from ..objects.users import USER
from . import wire

AvailableBudgetThing = Thing[wire.AvailableBudgetAttributes]


def index(call: Call) -> Answer:
    at, days = read_page_request(call), call.range()
    within = (days.start, days.end) if days else None
    total, budgets = store.page(call.db, call.user_id, within=within, limit=at.size, offset=at.offset)
    document = page(call, "/available_budgets", _things(call, budgets), total)
    return answer(call, document, budgets, INCLUDES)


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
    budget = or_404(store.get(call.db, call.user_id, budget_id))
    return answer(call, Item(_things(call, [budget])[0]), [budget], INCLUDES)


def _things(call: Call, budgets: Sequence[AvailableBudget]) -> list[AvailableBudgetThing]:
    spent = store.sum_spent(call.db, call.user_id, budgets)
    return [
        thing(
            call.base,
            "available_budgets",
            budget.id,
            wire.show(budget, spent[budget.id]),
            uri=f"/available_budgets/{budget.id}",
        )
        for budget in budgets
    ]


INCLUDES = registry(transaction_currency(lambda budget: budget.currency.id), USER)
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
