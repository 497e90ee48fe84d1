"""Serves budget limits."""

from collections.abc import Sequence
from typing import Annotated

from msgspec.structs import replace

from farthing.books.budget_limits import store
from farthing.books.budget_limits.model import BudgetLimit, BudgetLimitDraft
from farthing.books.budgets import store as budgets
from farthing.books.currencies.choose import choose_or_primary, read_units
from farthing.books.lifecycle import labels as lifecycle
from farthing.books.transactions.counts import Days, LabelFilter
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import Include, Related, registry
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.resources.lists import answer_page, read_within
from farthing.http.route import RANGED, Parameter
from farthing.kernel.errors import Invalid
from farthing.kernel.fields import Day, Id, Notes, PositiveAmount, RequestBody, described, parse, text
from farthing.kernel.money import as_text
from farthing.kernel.parsed import ensure, order_problems
from farthing.kernel.shown import Dated, ShownDay

from ..resources.lists import make_thing, rename_fields
from ..resources.resource import Resource
from ..serializers import budgets as budgets_listing
from ..serializers import transactions as listing
from ..serializers.currencies import currency_fields

# Maps the field names that newer clients send to our own names. If both are sent, ours takes precedence.
_LATER = {"start": "start_date", "end": "end_date"}
OF_BUDGET = ("amount", "start_date", "end_date")
_REQUIRED = ("budget_id", *OF_BUDGET)


class BudgetLimitBody(RequestBody):
    budget_id: Id | None = None
    currency_id: Id | None = described("If both this and `currency_code` are omitted, your primary currency is used.")
    currency_code: Annotated[str, text(3)] | None = None
    amount: PositiveAmount | None = None
    start_date: Day | None = None
    end_date: Day | None = None
    notes: Notes | None = described("If a change omits the notes, they stay as they are.")


class BudgetLimitAttributes(Dated, gc=False):
    """Amounts are text, with the decimal places of their currency."""

    budget_id: int
    start_date: ShownDay
    end_date: ShownDay
    amount: str
    spent: str
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    notes: str | None


def _show(limit: BudgetLimit, spent_units: int) -> BudgetLimitAttributes:
    currency = limit.currency
    return BudgetLimitAttributes(
        updated_at=limit.updated_at,
        created_at=limit.created_at,
        budget_id=limit.budget_id,
        start_date=limit.start_on,
        end_date=limit.end_on,
        amount=as_text(limit.units, currency.places),
        spent=as_text(spent_units, currency.places),
        **currency_fields(currency),
        notes=limit.notes,
    )


BudgetLimitThing = Thing[BudgetLimitAttributes]


def of_budget(call: Call) -> Answer:
    budget_id = or_404(budgets.get(call.db, call.user_id, call.id)).id
    path, within = f"/budgets/{budget_id}/limits", read_within(call)
    return answer_page(call, path, store.page, _things, LIMITS.includes, budget_id=budget_id, within=within)


def create_for_budget(call: Call) -> Answer:
    budget_id = or_404(budgets.get(call.db, call.user_id, call.id)).id
    limit_id = lifecycle.add_limit(call.db, call.user_id, _draft(call, None, budget_id), call.now)
    return LIMITS.answer_with(call, limit_id)


def transactions(call: Call) -> Answer:
    """Lists the budget's transactions in the period of the limit.

    A range in the query can narrow this period, but not extend it.
    """
    limit = LIMITS.find(call)
    chosen_days = listing.days_of(call)
    days = Days(max(chosen_days.start, limit.start_on), min(chosen_days.end, limit.end_on))
    path, word = f"/budget_limits/{limit.id}/transactions", call.query.get("type") or "all"
    return listing.answer_list(call, path, word, labelled=LabelFilter("budgets", limit.budget_id), days=days)


def _draft(call: Call, limit: BudgetLimit | None, budget_id: int | None = None) -> BudgetLimitDraft:
    """Reads the body. A budget in the path replaces the budget in the body."""
    sent = rename_fields(call.fields, _LATER)
    parsed = parse(BudgetLimitBody, sent if budget_id is None else sent | {"budget_id": budget_id})
    values = parsed.values
    parsed.require(*_REQUIRED)
    parsed.report_all(order_problems(values.start_date, values.end_date, "start_date", "end_date"))
    if values.budget_id and not budgets.get(call.db, call.user_id, values.budget_id):
        parsed.report("budget_id", "The selected budget id is invalid: there is no such budget.")
    currency = choose_or_primary(call.db, parsed, call.caller.currency_code)
    units = read_units(parsed, "amount", currency)
    parsed.report_all(
        lifecycle.limit_problems(
            call.db,
            call.user_id,
            values.budget_id,
            currency,
            start=values.start_date,
            end=values.end_date,
            except_id=limit.id if limit else 0,
        )
    )
    parsed.finish()
    return BudgetLimitDraft(
        budget_id=ensure(values.budget_id),
        currency=ensure(currency),
        units=ensure(units),
        start_on=ensure(values.start_date),
        end_on=ensure(values.end_date),
        notes=limit.notes if limit and "notes" not in call.fields else values.notes,
    )


def _things(call: Call, limits: Sequence[BudgetLimit]) -> list[BudgetLimitThing]:
    spent = store.sum_spent(call.db, call.user_id, limits)
    return [make_thing(call, "budget_limits", limit.id, _show(limit, spent[limit.id])) for limit in limits]


def _budget(call: Call, limits: Sequence[BudgetLimit]) -> list[Related]:
    of_limits = budgets.all_of(call.db, call.user_id, {limit.budget_id for limit in limits})
    budget_things = dict(zip((budget.id for budget in of_limits), budgets_listing.things(call, of_limits), strict=True))
    return [budget_things[limit.budget_id] for limit in limits]


_BUDGET_ID = Parameter(
    "budget_id", {"type": "string", "pattern": "^[0-9]{1,18}$"}, "Lists only the limits of this budget."
)
LIMITS = Resource(
    path="/budget_limits",
    shows=BudgetLimitThing,
    things=_things,
    get=store.get,
    page=store.page,
    filters=lambda call: {"budget_id": call.number("budget_id"), "within": read_within(call)},
    links=lambda call: {"budget_id": call.query.get("budget_id", "")},
    draft=_draft,
    add=lambda call, draft: lifecycle.add_limit(call.db, call.user_id, draft, call.now),
    update=lambda call, limit, draft: lifecycle.change_limit(call.db, call.user_id, limit.id, draft, call.now),
    delete=lambda call, limit: store.remove(call.db, call.user_id, limit.id),
    takes=BudgetLimitBody,
    requires=_REQUIRED,
    includes=registry(Include("budget", _budget, default=True)),
)
_OF_BUDGET = replace(LIMITS, path="/budgets/{id}/limits", requires=OF_BUDGET)

ROUTES = (
    LIMITS.index(
        "List budget limits by period; with a range, only limits that overlap it", _BUDGET_ID, *RANGED, fails=(Invalid,)
    ),
    LIMITS.create("Create a budget limit"),
    LIMITS.show("Show a budget limit"),
    LIMITS.change("Change a budget limit"),
    LIMITS.remove("Delete a budget limit; its budget and transactions stay"),
    LIMITS.own(
        "GET", "transactions", transactions, "List the transactions paid from the budget in the limit's period",
        *listing.PARAMETERS, **listing.LISTED,
    ),
    _OF_BUDGET.index("List the limits of a budget by period", *RANGED, handler=of_budget),
    _OF_BUDGET.create("Create a limit for a budget", handler=create_for_budget),
)  # fmt: skip
