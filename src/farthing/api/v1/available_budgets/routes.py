"""Serves available budgets."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from farthing.books.available_budgets import store
from farthing.books.available_budgets.model import AvailableBudget, AvailableBudgetDraft
from farthing.books.currencies.choose import choose, read_units
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import Call
from farthing.http.resources.lists import read_within
from farthing.http.route import RANGED
from farthing.kernel.errors import Problem, refuse
from farthing.kernel.fields import Day, Id, PositiveAmount, RequestBody, described, parse, text
from farthing.kernel.parsed import ensure, label, order_problems
from farthing.kernel.shown import Dated, Number, ShownDay, number

from ..resources.lists import make_thing, rename_fields
from ..resources.resource import Resource
from ..serializers.currencies import currency_fields, transaction_currency
from ..serializers.users import USER

# Maps the field names that newer clients send to our own names. If both are sent, ours takes precedence.
_LATER = {"currency_id": "transaction_currency_id", "start": "start_date", "end": "end_date"}
_REQUIRED = ("amount", "start_date", "end_date")


class AvailableBudgetBody(RequestBody):
    transaction_currency_id: Id | None = described("Either this or `currency_code` is required.")
    currency_code: Annotated[str, text(3)] | None = described("Either this or `transaction_currency_id` is required.")
    amount: PositiveAmount | None = None
    start_date: Day | None = None
    end_date: Day | None = None


def _as_sent(raw: Mapping[str, object], problems: list[Problem]) -> list[Problem]:
    """Renames problems to the field names that the caller used.

    Missing fields are reported under their names in the contract.
    """
    called = {name: later for later, name in _LATER.items() if raw.get(later) and not raw.get(name)}
    return [
        Problem(name, problem.message.replace(label(problem.field), label(name)))
        if (name := called.get(problem.field))
        else problem
        for problem in problems
    ]


class AvailableBudgetAttributes(Dated, gc=False):
    start_date: ShownDay
    end_date: ShownDay
    amount: Number
    spent: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int


def _show(budget: AvailableBudget, spent_units: int) -> AvailableBudgetAttributes:
    currency = budget.currency
    return AvailableBudgetAttributes(
        updated_at=budget.updated_at,
        created_at=budget.created_at,
        start_date=budget.start_on,
        end_date=budget.end_on,
        amount=number(budget.units, currency.places),
        spent=number(spent_units, currency.places),
        **currency_fields(currency),
    )


AvailableBudgetThing = Thing[AvailableBudgetAttributes]


def _draft(call: Call, _: AvailableBudget | None) -> AvailableBudgetDraft:
    """Reads the body. A missing currency is reported under its field name in the contract."""
    parsed = parse(AvailableBudgetBody, rename_fields(call.fields, _LATER))
    values = parsed.values
    currency_field = ("transaction_currency_id",) if parsed.absent("currency_code") else ()
    parsed.require(*currency_field, *_REQUIRED)
    parsed.report_all(order_problems(values.start_date, values.end_date, "start_date", "end_date"))
    currency = choose(call.db, parsed, id_field="transaction_currency_id")
    amount = read_units(parsed, "amount", currency)
    refuse(_as_sent(call.fields, parsed.problems))
    return AvailableBudgetDraft(
        currency=ensure(currency),
        units=ensure(amount),
        start_on=ensure(values.start_date),
        end_on=ensure(values.end_date),
    )


def _things(call: Call, budgets: Sequence[AvailableBudget]) -> list[AvailableBudgetThing]:
    spent = store.sum_spent(call.db, call.user_id, budgets)
    return [make_thing(call, "available_budgets", budget.id, _show(budget, spent[budget.id])) for budget in budgets]


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
    takes=AvailableBudgetBody,
    requires=_REQUIRED,
    includes=registry(transaction_currency(lambda budget: budget.currency.id), USER),
)

ROUTES = (
    AVAILABLE_BUDGETS.index("List available budgets", *RANGED),
    AVAILABLE_BUDGETS.create("Create an available budget"),
    AVAILABLE_BUDGETS.show("Show an available budget"),
    AVAILABLE_BUDGETS.change("Change an available budget"),
    AVAILABLE_BUDGETS.remove("Delete an available budget; nothing else is deleted"),
)
