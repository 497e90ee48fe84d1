"""Serves budget limits."""

from collections.abc import Sequence

from msgspec.structs import replace

from farthing.books.budget_limits import store
from farthing.books.budget_limits.model import BudgetLimit, BudgetLimitDraft
from farthing.books.budgets import store as budgets
from farthing.books.currencies import store as currencies
from farthing.books.currencies.choose import choose, read_units
from farthing.books.lifecycle import labels as lifecycle
from farthing.books.transactions.counts import Days, LabelFilter
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import Include, Related, registry
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import RANGED, Parameter
from farthing.kernel.errors import Invalid
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure

from ..objects import budgets as budgets_listing
from ..objects import transactions as listing
from ..resources.lists import answer_one, answer_page, make_thing
from ..resources.resource import Resource
from . import wire

BudgetLimitThing = Thing[wire.BudgetLimitAttributes]


def index(call: Call) -> Answer:
    return _list(call, "/budget_limits", call.number("budget_id"), {"budget_id": call.query.get("budget_id", "")})


def of_budget(call: Call) -> Answer:
    budget = or_404(budgets.get(call.db, call.user_id, call.id))
    return _list(call, f"/budgets/{budget.id}/limits", budget.id, {})


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call), call.now))


def create_for_budget(call: Call) -> Answer:
    budget = or_404(budgets.get(call.db, call.user_id, call.id))
    return _answer(call, store.add(call.db, call.user_id, _draft(call, budget_id=budget.id), call.now))


def change(call: Call) -> Answer:
    limit = or_404(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, limit.id, _draft(call, limit.id), call.now)
    return _answer(call, limit.id)


def remove(call: Call) -> Answer:
    limit = or_404(store.get(call.db, call.user_id, call.id))
    store.remove(call.db, call.user_id, limit.id)
    return NOTHING


def transactions(call: Call) -> Answer:
    """Lists what was spent from the budget in the limit's period, which a range in the query can only shorten."""
    limit = or_404(store.get(call.db, call.user_id, call.id))
    asked_for = listing.days_of(call)
    days = Days(max(asked_for.start, limit.start_on), min(asked_for.end, limit.end_on))
    path, word = f"/budget_limits/{limit.id}/transactions", call.query.get("type") or "all"
    return listing.answer_list(call, path, word, labelled=LabelFilter("budgets", limit.budget_id), days=days)


def _list(call: Call, path: str, budget_id: int | None, parameters: dict[str, str]) -> Answer:
    days = call.range()
    within = (days.start, days.end) if days else None
    return answer_page(call, path, store.page, _things, INCLUDES, parameters, budget_id=budget_id, within=within)


def _draft(call: Call, limit_id: int = 0, budget_id: int | None = None) -> BudgetLimitDraft:
    parsed = wire.read(call.fields, budget_id)
    wire.check(parsed)
    if parsed.values.budget_id and not budgets.get(call.db, call.user_id, parsed.values.budget_id):
        parsed.report("budget_id", "The selected budget id is invalid: there is no such budget.")
    currency = _choose_currency(call, parsed)
    units = read_units(parsed, "amount", currency)
    values = parsed.values
    parsed.report_all(
        lifecycle.limit_problems(
            call.db,
            call.user_id,
            values.budget_id,
            currency,
            start=values.start_date,
            end=values.end_date,
            except_id=limit_id,
        )
    )
    parsed.finish()
    return wire.draft(parsed, ensure(currency), units)


def _choose_currency(call: Call, parsed: Parsed[wire.BudgetLimitBody]) -> Currency | None:
    """Defaults to the user's own, which is missing if the owner deleted it and an undo restored the preference."""
    if not parsed.absent("currency_id", "currency_code"):
        return choose(call.db, parsed)
    own = currencies.by_code(call.db, call.caller.currency_code)
    if own is None:
        parsed.require_either("currency_id", "currency_code")
    return own


def _answer(call: Call, limit_id: int) -> Answer:
    return answer_one(call, or_404(store.get(call.db, call.user_id, limit_id)), _things, INCLUDES)


def _things(call: Call, limits: Sequence[BudgetLimit]) -> list[BudgetLimitThing]:
    spent = store.sum_spent(call.db, call.user_id, limits)
    return [make_thing(call, "budget_limits", limit.id, wire.show(limit, spent[limit.id])) for limit in limits]


def _budget(call: Call, limits: Sequence[BudgetLimit]) -> list[Related]:
    of_limits = budgets.all_of(call.db, call.user_id, {limit.budget_id for limit in limits})
    budget_things = dict(zip((budget.id for budget in of_limits), budgets_listing.things(call, of_limits), strict=True))
    return [budget_things[limit.budget_id] for limit in limits]


INCLUDES = registry(Include("budget", _budget, default=True))
_BUDGET_ID = Parameter(
    "budget_id", {"type": "string", "pattern": "^[0-9]{1,18}$"}, "Lists the limits of this budget only."
)
_LIMITS = Resource(
    path="/budget_limits", shows=BudgetLimitThing, takes=wire.BudgetLimitBody, requires=wire.REQUIRED, includes=INCLUDES
)
_OF_BUDGET = replace(_LIMITS, path="/budgets/{id}/limits", requires=wire.OF_BUDGET)

ROUTES = (
    _LIMITS.index(
        index, "List budget limits by period; with a range, those that overlap it",
        _BUDGET_ID, *RANGED, fails=(Invalid,),
    ),
    _LIMITS.create(create, "Create a budget limit"),
    _LIMITS.show(show, "Show a budget limit"),
    _LIMITS.change(change, "Change a budget limit"),
    _LIMITS.remove(remove, "Delete a budget limit; its budget and transactions stay"),
    _LIMITS.own(
        "GET", "transactions", transactions, "List what was paid from the budget in the period",
        *listing.PARAMETERS, **listing.LISTED,
    ),
    _OF_BUDGET.index(of_budget, "List the limits of a budget, by period", *RANGED),
    _OF_BUDGET.create(create_for_budget, "Create a limit of a budget"),
)  # fmt: skip
