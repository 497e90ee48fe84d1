"""Moves money between two budgets in a month, or between a budget and what is not budgeted yet."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from farthing.kernel.errors import Problem, refuse
from farthing.kernel.money import UNITS_MAX, Currency, as_text
from farthing.schedule.months import day_in_month
from farthing.schedule.periods import DayRange
from farthing.storage.unit import Unit

from ..budget_limits import store as limits
from ..budget_limits.model import BudgetLimit, BudgetLimitDraft
from ..budgets import releases
from ..webhooks import outbox
from ..webhooks.model import Trigger


class MoneyMove(Struct, frozen=True):
    """`from_id` and `to_id` are ids of budgets. None means the money that is not budgeted.

    `carried_units` is what the budget that gives the money has carried into the month.
    """

    from_id: int | None
    to_id: int | None
    units: int
    currency: Currency
    month: int
    carried_units: int = 0

    @property
    def days(self) -> DayRange:
        return DayRange(day_in_month(self.month, 1), day_in_month(self.month, 31))


class MovedMoney(Struct, frozen=True):
    """Holds the limits of both budgets after the move. For the money that is not budgeted, the limit is None."""

    from_units: int | None
    to_units: int | None


def move_money(db: Unit, user_id: int, move: MoneyMove, now: str) -> MovedMoney:
    """Takes the amount from the limit of one budget, and the rest from what it has carried over. Raises the limit of
    the other budget, after giving back what was taken from what that one had carried over.

    If that is not possible, reports all reasons. A limit that reaches zero is deleted. A budget without a limit in the
    month gets one.
    """
    ids = [budget_id for budget_id in (move.from_id, move.to_id) if budget_id is not None]
    by_budget: dict[int, list[BudgetLimit]] = {budget_id: [] for budget_id in ids}
    for limit in limits.find_in(db, user_id, ids, move.currency.id, move.days):
        by_budget[limit.budget_id].append(limit)
    refuse(_list_problems(move, by_budget))
    released = releases.read_by_month(db, user_id, move.currency.id, range(move.month, move.month + 1))
    from_units, to_units = None, None
    if move.from_id is not None:
        taken = min(_sum(by_budget[move.from_id]), move.units)
        _release(db, user_id, move, move.from_id, released, move.units - taken, now)
        from_units = _change(db, user_id, move, by_budget, move.from_id, -taken, now)
    if move.to_id is not None:
        returned = min(released.get(move.to_id, {}).get(move.month, 0), move.units)
        _release(db, user_id, move, move.to_id, released, -returned, now)
        to_units = _change(db, user_id, move, by_budget, move.to_id, move.units - returned, now)
    return MovedMoney(from_units=from_units, to_units=to_units)


def _sum(stored: Sequence[BudgetLimit]) -> int:
    return sum(limit.units for limit in stored)


def _list_problems(move: MoneyMove, by_budget: Mapping[int, list[BudgetLimit]]) -> list[Problem]:
    problems = []
    for field, budget_id in (("from", move.from_id), ("to", move.to_id)):
        if any(not _is_of(limit, move.days) for limit in by_budget.get(budget_id or 0, ())):
            sentence = f"The {field} budget has a limit with other days in this month. Change that limit instead."
            problems.append(Problem(field, sentence))
    if problems:
        return problems
    most = _sum(by_budget.get(move.from_id or 0, ())) + max(move.carried_units, 0)
    if move.from_id is not None and most < move.units:
        amount = f"{move.currency.code} {as_text(most, move.currency.places)}"
        sentence = f"The amount must be at most {amount}, the budget's limit in this month and what it carried over."
        problems.append(Problem("amount", sentence))
    if _sum(by_budget.get(move.to_id or 0, ())) + move.units > UNITS_MAX:
        problems.append(Problem("amount", "The amount is too large: no limit can hold so much."))
    return problems


def _is_of(limit: BudgetLimit, days: DayRange) -> bool:
    return (limit.start_on, limit.end_on) == (days.first.isoformat(), days.last.isoformat())


def _release(
    db: Unit,
    user_id: int,
    move: MoneyMove,
    budget_id: int,
    released: Mapping[int, Mapping[int, int]],
    units: int,
    now: str,
) -> None:
    """Takes these units out of what the budget has carried over, or gives them back if they are negative."""
    if units:
        total = released.get(budget_id, {}).get(move.month, 0) + units
        releases.put(db, user_id, budget_id, move.currency.id, move.month, total, now)


def _change(
    db: Unit,
    user_id: int,
    move: MoneyMove,
    by_budget: Mapping[int, list[BudgetLimit]],
    budget_id: int,
    units: int,
    now: str,
) -> int:
    """Raises the limit of the budget by these units, or lowers it. Returns the new limit, which may be zero."""
    stored = next(iter(by_budget[budget_id]), None)
    total = (stored.units if stored else 0) + units
    if not units:
        return total
    draft = BudgetLimitDraft(
        budget_id=budget_id,
        currency=move.currency,
        units=total,
        start_on=move.days.first,
        end_on=move.days.last,
        notes=stored.notes if stored else None,
    )
    outbox.note_budget(db, user_id, Trigger.STORE_UPDATE_BUDGET_LIMIT, budget_id)
    if stored is None:
        limits.add(db, user_id, draft, now)
    elif total:
        limits.change(db, user_id, stored.id, draft, now)
    else:
        limits.remove(db, user_id, stored.id)
    return total
