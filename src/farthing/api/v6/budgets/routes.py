"""Serves budgets, with what was spent in a range of days."""

from typing import TypedDict

from msgspec import UNSET

from farthing.books.attachments.model import Model
from farthing.books.budgets import store
from farthing.books.budgets.model import AutoPeriod, Budget, BudgetDraft, Carry, find_next_day
from farthing.books.lifecycle import labels as lifecycle
from farthing.books.transactions import groups
from farthing.books.transactions.counts import LabelFilter
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, PAGED, RANGED, Route
from farthing.kernel.fields import parse
from farthing.kernel.money import Currency, Money
from farthing.kernel.parsed import Parsed, ensure
from farthing.ledger.kinds import Type
from farthing.overviews.search import find as search
from farthing.overviews.search.narrowing import SearchFilter

from ..objects.attachments import list_route
from ..objects.groups import GROUPS, PARAMETERS, answer_groups, days_of, make_groups
from ..parts.money import read_currency
from ..parts.partial import need, need_units, over, over_required
from ..parts.resource import Resource
from ..parts.zeros import empty_zeros
from .wire import CARRIES, AutoType, BudgetBody, BudgetThing, find_type, make_things

_LIMIT = ("auto_budget_amount", "auto_budget_period")


def _draft(call: Call, budget: Budget | None) -> BudgetDraft:
    parsed = parse(BudgetBody, empty_zeros(call.fields, "order", "auto_budget_amount", "auto_budget_currency_id"))
    name = need(parsed, "name", budget.name if budget else None)
    active = over_required(parsed, "active", budget.active if budget else True)
    notes = over(parsed, "notes", budget.notes if budget else None)
    budget_id = budget.id if budget else 0
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, "budgets", name, except_id=budget_id))
    automatic = _read_automatic(call, parsed, budget)
    parsed.finish()
    return BudgetDraft(
        name=ensure(name),
        active=active,
        notes=notes,
        order=parsed.values.order,
        **automatic,
        auto_next_on=find_next_day(budget, period=automatic["auto_period"], active=active, today=call.today),
    )


class _Automatic(TypedDict):
    carry: Carry
    auto_units: int | None
    auto_currency: Currency | None
    auto_period: AutoPeriod | None


def _read_automatic(call: Call, parsed: Parsed[BudgetBody], budget: Budget | None) -> _Automatic:
    type_ = over(parsed, "auto_budget_type", find_type(budget))
    if type_ in (None, AutoType.NONE):
        if type_ is None and not parsed.absent(*_LIMIT) and "auto_budget_type" not in parsed.emptied:
            parsed.require("auto_budget_type")
        carry = budget.carry if budget and not budget.auto_currency else Carry.NO
        return _Automatic(carry=carry, auto_units=None, auto_currency=None, auto_period=None)
    stored = budget.auto_currency if budget else None
    amount = Money(units=budget.auto_units, currency=stored) if budget and budget.auto_units and stored else None
    currency = read_currency(call, parsed, stored, "auto_budget_")
    period = need(parsed, "auto_budget_period", budget.auto_period if budget else None)
    units = need_units(parsed, "auto_budget_amount", amount, currency)
    return _Automatic(carry=CARRIES[ensure(type_)], auto_units=units, auto_currency=currency, auto_period=period)


def transactions(call: Call) -> Answer:
    budget_id = BUDGETS.find(call).id
    return answer_groups(call, f"/budgets/{budget_id}/transactions", LabelFilter("budgets", budget_id))


def transactions_without_budget(call: Call) -> Answer:
    """Searches the withdrawals, because only they can have budgets."""
    at = read_page_request(call)
    filters = SearchFilter(types=frozenset((Type.WITHDRAWAL,)), no_budget=True, days=days_of(call))
    found = search.find(call.db, call.user_id, [], limit=at.size, offset=at.offset, filters=filters)
    shown = make_groups(call, groups.of_entries(call.db, call.user_id, found.entry_ids))
    document = page(call, "/budgets/transactions-without-budget", shown, found.total)
    document.meta.searched_from = found.stopped_on or UNSET
    return Answer(document)


BUDGETS = Resource(
    path="/budgets",
    shows=BudgetThing,
    things=make_things,
    get=store.get,
    page=store.page_in_order,
    draft=_draft,
    add=lambda call, draft: lifecycle.add_budget(call.db, call.user_id, draft, call.today, call.now),
    update=lambda call, budget, draft: lifecycle.change_budget(
        call.db, call.user_id, budget, draft, call.today, call.now
    ),
    delete=lambda call, budget: lifecycle.remove(call.db, call.user_id, "budgets", budget.id),
    takes=BudgetBody,
    requires=("name",),
)

ROUTES = (
    Route(
        "GET", "/budgets/transactions-without-budget", transactions_without_budget,
        "List withdrawals with a split that has no budget", gives=GROUPS, parameters=(*RANGED, *PAGED), runs=LARGE,
    ),
    BUDGETS.index("List budgets in their order; with a range, with what was spent", *RANGED),
    BUDGETS.create("Create a budget"),
    BUDGETS.show("Show a budget; with a range, with what was spent", *RANGED),
    BUDGETS.change("Change a budget; omitted fields are kept", requires=()),
    BUDGETS.remove("Delete a budget and its limits; its transactions stay", runs=LARGE),
    list_route(BUDGETS, Model.BUDGET, "List the attachments of a budget"),
    BUDGETS.own(
        "GET", "transactions", transactions, "List the transactions with a budget", *PARAMETERS, gives=GROUPS
    ),
)  # fmt: skip
