"""What can be done with budget limits over HTTP?"""

from collections.abc import Sequence
from typing import Any

from ..budgets import listing as budgets_listing
from ..budgets import store as budgets
from ..currencies import store as currencies
from ..currencies.choose import chosen
from ..errors import Invalid, Problem, refuse
from ..fields import Parsed, required_without
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page, Thing, thing
from ..http.includes import Include, Related, include, registry
from ..http.pages import asked, page
from ..http.route import PAGED, RANGED, Parameter, Route
from ..money import Currency
from ..transactions import listing
from ..transactions.counts import Days, Labelled
from . import store, wire
from .model import Draft, Limit, overlap_problems

BudgetLimitThing = Thing[wire.BudgetLimitAttributes]


def index(call: Call) -> Answer:
    return _listed(call, "/budget_limits", call.number("budget_id"), {"budget_id": call.query.get("budget_id", "")})


def of_budget(call: Call) -> Answer:
    budget = found(budgets.get(call.db, call.user_id, call.id))
    return _listed(call, f"/budgets/{budget.id}/limits", budget.id, {})


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call), call.now))


def create_for_budget(call: Call) -> Answer:
    budget = found(budgets.get(call.db, call.user_id, call.id))
    return _answer(call, store.add(call.db, call.user_id, _draft(call, budget_id=budget.id), call.now))


def change(call: Call) -> Answer:
    limit = found(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, limit.id, _draft(call, limit.id), call.now)
    return _answer(call, limit.id)


def remove(call: Call) -> Answer:
    limit = found(store.get(call.db, call.user_id, call.id))
    store.remove(call.db, call.user_id, limit.id)
    return NOTHING


def transactions(call: Call) -> Answer:
    """What was paid from the budget in the period of the limit; a range can only make it shorter."""
    limit = found(store.get(call.db, call.user_id, call.id))
    asked_for = listing.days_of(call)
    days = Days(max(asked_for.start, limit.start_on), min(asked_for.end, limit.end_on))
    path, word = f"/budget_limits/{limit.id}/transactions", call.query.get("type") or "all"
    return listing.listed(call, path, word, labelled=Labelled("budgets", limit.budget_id), days=days)


def _listed(call: Call, path: str, budget_id: int | None, parameters: dict[str, str]) -> Answer:
    at, days = asked(call), call.range()
    within = (days.start, days.end) if days else None
    total, limits = store.page(
        call.db, call.user_id, budget_id=budget_id, within=within, limit=at.size, offset=at.offset
    )
    document = page(call, path, _things(call, limits), total, parameters)
    include(call, document, limits, INCLUDES)
    return Answer(document)


def _draft(call: Call, limit_id: int = 0, budget_id: int | None = None) -> Draft:
    parsed = wire.read(call.fields, budget_id)
    problems = [*parsed.problems, *wire.problems(parsed)]
    if parsed.values.budget_id and not budgets.get(call.db, call.user_id, parsed.values.budget_id):
        problems.append(wire.unknown_budget())
    currency = _currency(call, parsed, problems)
    draft = wire.draft(parsed, currency, problems)
    refuse([*problems, *_overlaps(call, parsed.values, currency, limit_id)])
    assert draft is not None, "without problems there is a draft"
    return draft


def _currency(call: Call, parsed: Parsed[wire.BudgetLimitBody], problems: list[Problem]) -> Currency | None:
    """The user's own, when nobody says otherwise; an undone choice may name one that the owner has deleted since."""
    if not parsed.absent("currency_id", "currency_code"):
        return chosen(call.db, parsed, problems)
    own = currencies.by_code(call.db, call.caller.currency_code)
    if own is None:
        problems += required_without(parsed, "currency_id", "currency_code")
    return own


def _overlaps(call: Call, values: wire.BudgetLimitBody, currency: Currency | None, limit_id: int) -> list[Problem]:
    start, end = values.start_date, values.end_date
    if values.budget_id is None or currency is None or start is None or end is None or start > end:
        return []
    return overlap_problems(
        store.overlapping(
            call.db, call.user_id, values.budget_id, currency.id, start=start, end=end, except_id=limit_id
        )
    )


def _answer(call: Call, limit_id: int) -> Answer:
    limit = found(store.get(call.db, call.user_id, limit_id))
    document = Item(_things(call, [limit])[0])
    include(call, document, [limit], INCLUDES)
    return Answer(document)


def _things(call: Call, limits: Sequence[Limit]) -> list[BudgetLimitThing]:
    spent = store.spent(call.db, call.user_id, limits)
    return [
        thing(call.base, "budget_limits", one.id, wire.show(one, spent[one.id]), uri=f"/budget_limits/{one.id}")
        for one in limits
    ]


def _budget(call: Call, limits: Sequence[Limit]) -> list[Related]:
    of_limits = budgets.all_of(call.db, call.user_id, {one.budget_id for one in limits})
    shown = dict(zip((one.id for one in of_limits), budgets_listing.things(call, of_limits), strict=True))
    return [shown[one.budget_id] for one in limits]


INCLUDES = registry(Include("budget", _budget, default=True))
_ONE: Any = Item[BudgetLimitThing]
_BUDGET_ID = Parameter("budget_id", {"type": "string", "pattern": "^[0-9]{1,18}$"}, "Limits of this budget alone.")

ROUTES = (
    Route(
        "GET", "/budget_limits", index, "List budget limits, by period; with a range, those that have a day in it",
        gives=Page[BudgetLimitThing], parameters=(_BUDGET_ID, *RANGED, *PAGED), includes=INCLUDES, fails=(Invalid,),
    ),
    Route(
        "POST", "/budget_limits", create, "Make a budget limit",
        gives=_ONE, takes=wire.BudgetLimitBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route("GET", "/budget_limits/{id}", show, "Show a budget limit", gives=_ONE, includes=INCLUDES),
    Route(
        "PUT", "/budget_limits/{id}", change, "Change a budget limit",
        gives=_ONE, takes=wire.BudgetLimitBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route("DELETE", "/budget_limits/{id}", remove, "Delete a budget limit; its budget and transactions stay"),
    Route(
        "GET", "/budget_limits/{id}/transactions", transactions, "List what was paid from the budget in the period",
        gives=Page[listing.TransactionThing], parameters=listing.PARAMETERS, includes=listing.INCLUDES,
    ),
    Route(
        "GET", "/budgets/{id}/limits", of_budget, "List the limits of a budget, by period",
        gives=Page[BudgetLimitThing], parameters=(*RANGED, *PAGED), includes=INCLUDES,
    ),
    Route(
        "POST", "/budgets/{id}/limits", create_for_budget, "Make a limit of a budget",
        gives=_ONE, takes=wire.BudgetLimitBody, requires=wire.OF_BUDGET, includes=INCLUDES,
    ),
)  # fmt: skip
