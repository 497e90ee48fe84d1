"""Serves budgets."""

from enum import StrEnum
from typing import Annotated, TypedDict

from farthing.books.attachments.model import Model
from farthing.books.budgets import store
from farthing.books.budgets.model import AutoPeriod, Budget, BudgetDraft, Carry, find_next_day
from farthing.books.currencies.choose import choose_or_primary, read_units
from farthing.books.lifecycle import labels as lifecycle
from farthing.http.answer.includes import registry
from farthing.http.request.call import Call
from farthing.http.route import LARGE, PAGED, RANGED
from farthing.kernel.fields import (
    Flag,
    Id,
    Name,
    Notes,
    PositiveAmount,
    RequestBody,
    choice,
    described,
    parse,
    text,
    whole,
)
from farthing.kernel.limits import ORDER_MAX
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure

from ..resources.resource import Resource
from ..serializers import attachments
from ..serializers import transactions as listing
from ..serializers.budgets import BudgetThing, things
from ..serializers.labels import OWNER
from . import left_to_spend, months, moves

_REQUIRED = ("name", "active")
_AUTOMATIC = ("auto_budget_amount", "auto_budget_period", "auto_budget_currency_id", "auto_budget_currency_code")


class AutoType(StrEnum):
    """Says whether a budget gets limits automatically, and whether what is left carries over into the next period."""

    NONE = "none"
    RESET = "reset"
    ROLLOVER = "rollover"


class BudgetBody(RequestBody):
    """If a change omits `notes`, `order` or the fields that begin with `auto_budget`, they stay as they are."""

    name: Name | None = None
    active: Flag | None = None
    carry: Annotated[Carry, choice(*Carry)] | None = None
    auto_budget_type: Annotated[AutoType, choice(*AutoType)] | None = described(
        "With `reset`, the budget gets the same limit in each period. With `rollover`, what is left or overspent is"
        " also carried over, as with `carry` = `yes`. With `none`, the budget gets no more limits automatically."
    )
    auto_budget_amount: PositiveAmount | None = described(
        "The limit of each period. Required if the type is `reset` or `rollover`."
    )
    auto_budget_period: Annotated[AutoPeriod, choice(*AutoPeriod)] | None = described(
        "The period of each limit. Required if the type is `reset` or `rollover`."
    )
    auto_budget_currency_id: Id | None = described("If omitted, your primary currency is used.")
    auto_budget_currency_code: Annotated[str, text(3)] | None = None
    notes: Notes | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position, starting at 1. Budgets from this position on move down."
    )


def _draft(call: Call, budget: Budget | None) -> BudgetDraft:
    """Keeps `carry` and automatic limits if a change omits them, because old clients do not send them."""
    parsed = parse(BudgetBody, call.fields)
    values, budget_id = parsed.values, budget.id if budget else 0
    parsed.require(*_REQUIRED)
    taken = lifecycle.taken_problems(call.db, call.user_id, "budgets", values.name, except_id=budget_id)
    parsed.report_all(taken)
    carry = _choose_carry(parsed, budget)
    repeats = _read_automatic(call, parsed, budget)
    parsed.finish()
    period, active = repeats["auto_period"], bool(values.active)
    next_on = find_next_day(budget, period=period, active=active, today=call.today)
    return BudgetDraft(
        name=ensure(values.name),
        active=active,
        carry=carry,
        **repeats,
        auto_next_on=next_on,
        notes=budget.notes if budget and "notes" not in call.fields else values.notes,
        order=values.order,
    )


def _choose_carry(parsed: Parsed[BudgetBody], budget: Budget | None) -> Carry:
    """If the request contains no `carry`, derives it from the type of the automatic limits."""
    values, stored = parsed.values, budget.carry if budget else Carry.NO
    if values.auto_budget_type is AutoType.ROLLOVER:
        if values.carry not in (None, Carry.YES):
            parsed.report("carry", "The carry must be `yes` if the auto budget type is `rollover`.")
        return Carry.YES
    if values.auto_budget_type is AutoType.RESET:
        if values.carry is Carry.YES:
            parsed.report("carry", "The carry must not be `yes` if the auto budget type is `reset`.")
        return values.carry or (Carry.NO if stored is Carry.YES else stored)
    return values.carry or stored


class _Automatic(TypedDict):
    auto_units: int | None
    auto_currency: Currency | None
    auto_period: AutoPeriod | None


def _read_automatic(call: Call, parsed: Parsed[BudgetBody], budget: Budget | None) -> _Automatic:
    values, type_ = parsed.values, parsed.values.auto_budget_type
    if type_ is AutoType.NONE:
        return _Automatic(auto_units=None, auto_currency=None, auto_period=None)
    if type_ is None and budget and parsed.absent(*_AUTOMATIC):
        return _Automatic(
            auto_units=budget.auto_units, auto_currency=budget.auto_currency, auto_period=budget.auto_period
        )
    if type_ is None and parsed.absent(*_AUTOMATIC):
        return _Automatic(auto_units=None, auto_currency=None, auto_period=None)
    parsed.require("auto_budget_type", "auto_budget_amount", "auto_budget_period")
    codes = ("auto_budget_currency_id", "auto_budget_currency_code")
    currency = choose_or_primary(call.db, parsed, call.caller.currency_code, codes)
    units = read_units(parsed, "auto_budget_amount", currency)
    return _Automatic(auto_units=units, auto_currency=currency, auto_period=values.auto_budget_period)


BUDGETS = Resource(
    path="/budgets",
    shows=BudgetThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: lifecycle.add_budget(call.db, call.user_id, draft, call.today, call.now),
    update=lambda call, budget, draft: lifecycle.change_budget(
        call.db, call.user_id, budget, draft, call.today, call.now
    ),
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
    attachments.list_route(BUDGETS, Model.BUDGET, "List the attachments of a budget"),
    BUDGETS.arrange(store.put_in_order, "Put budgets into an order"),
    BUDGETS.change("Change a budget; a new name appears everywhere at once"),
    BUDGETS.remove("Delete a budget and its limits; its transactions stay", runs=LARGE),
    listing.label_route(BUDGETS, "budgets", "List the transactions of a budget"),
    *months.ROUTES,
    left_to_spend.ROUTE,
    moves.ROUTE,
)
