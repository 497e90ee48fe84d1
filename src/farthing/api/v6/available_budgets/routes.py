"""Serves available budgets, which version 6 only reads."""

from collections.abc import Sequence

from farthing.books.available_budgets import store
from farthing.books.available_budgets.model import AvailableBudget
from farthing.books.exchange_rates.convert import DatedAmount
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.http.resources.lists import read_within
from farthing.http.route import RANGED
from farthing.kernel.shown import Instant

from ..parts.amounts import show_amount
from ..parts.documents import make_thing
from ..parts.moments import show_day
from ..parts.primary import OwnCurrency, Primary, Sum, load_primary, show_sum
from ..parts.resource import Resource


class AvailableBudgetAttributes(OwnCurrency, gc=False, kw_only=True):
    """Holds what was spent in the period and currency of the available budget, as negative amounts."""

    created_at: Instant
    updated_at: Instant
    amount: str
    pc_amount: str | None
    start: Instant
    end: Instant
    spent_in_budgets: list[Sum]
    pc_spent_in_budgets: list[Sum]
    spent_outside_budgets: list[Sum]
    pc_spent_outside_budgets: list[Sum]


AvailableBudgetThing = Thing[AvailableBudgetAttributes]


def make_things(call: Call, budgets: Sequence[AvailableBudget]) -> list[AvailableBudgetThing]:
    spent = store.sum_spent(call.db, call.user_id, budgets)
    inside = store.sum_spent(call.db, call.user_id, budgets, in_budgets=True)
    units = [(budget.units, -inside[budget.id], inside[budget.id] - spent[budget.id]) for budget in budgets]
    primary, today = load_primary(call), call.today.isoformat()
    converted = primary.convert(
        [
            DatedAmount(budget.currency.id, amount, min(budget.end_on, today))
            for budget, amounts in zip(budgets, units, strict=True)
            for amount in amounts
        ]
    )
    things = []
    for at, budget in enumerate(budgets):
        attributes = _show(call, budget, units[at], converted[3 * at : 3 * at + 3], primary)
        things.append(make_thing(call, "available_budgets", budget.id, attributes))
    return things


def _show(
    call: Call, budget: AvailableBudget, units: tuple[int, int, int], converted: list[str | None], primary: Primary
) -> AvailableBudgetAttributes:
    zone, currency = call.caller.timezone, budget.currency
    pc_amount, *pc_spent = converted
    pc_inside, pc_outside = ([primary.make_sum(amount)] if amount is not None else [] for amount in pc_spent)
    return AvailableBudgetAttributes(
        created_at=budget.created_at,
        updated_at=budget.updated_at,
        amount=show_amount(units[0], currency.places),
        pc_amount=pc_amount,
        start=show_day(budget.start_on, zone),
        end=show_day(budget.end_on, zone),
        spent_in_budgets=[show_sum(currency, units[1])],
        pc_spent_in_budgets=pc_inside,
        spent_outside_budgets=[show_sum(currency, units[2])],
        pc_spent_outside_budgets=pc_outside,
        **primary.show_with(currency),
    )


AVAILABLE_BUDGETS = Resource[AvailableBudget, AvailableBudget](
    path="/available-budgets",
    shows=AvailableBudgetThing,
    things=make_things,
    get=store.get,
    page=store.page,
    filters=lambda call: {"within": read_within(call)},
)

ROUTES = (
    AVAILABLE_BUDGETS.index("List available budgets; with a range, only those within it", *RANGED),
    AVAILABLE_BUDGETS.show("Show an available budget"),
)
