"""Moves money between the limits of two budgets in a month, or between a limit and what is not budgeted yet."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.kernel.errors import Problem, refuse
from farthing.kernel.money import UNITS_MAX, Currency, as_text
from farthing.schedule.months import day_in_month
from farthing.schedule.periods import DayRange
from farthing.storage.unit import Unit

from ..budget_limits import store as limits
from ..budget_limits.model import BudgetLimit, BudgetLimitDraft
from ..webhooks import outbox
from ..webhooks.model import Trigger


class MoneyMove(Struct, frozen=True):
    """`from_id` and `to_id` are ids of budgets. None means the money that is not budgeted."""

    from_id: int | None
    to_id: int | None
    units: int
    currency: Currency
    month: int

    @property
    def days(self) -> DayRange:
        return DayRange(day_in_month(self.month, 1), day_in_month(self.month, 31))


class MovedMoney(Struct, frozen=True):
    """Holds the limits of both budgets after the move. For the money that is not budgeted, the limit is None."""

    from_units: int | None
    to_units: int | None


def move_money(db: Unit, user_id: int, move: MoneyMove, now: str) -> MovedMoney:
    """Lowers one limit and raises the other by the same amount. If that is not possible, reports all reasons.

    A limit that reaches zero is deleted. A budget without a limit in the month gets one.
    """
    ids = [budget_id for budget_id in (move.from_id, move.to_id) if budget_id is not None]
    by_budget: dict[int, list[BudgetLimit]] = {budget_id: [] for budget_id in ids}
    for limit in limits.find_in(db, user_id, ids, move.currency.id, move.days):
        by_budget[limit.budget_id].append(limit)
    refuse(_list_problems(move, by_budget))
    return MovedMoney(
        from_units=_change(db, user_id, move, by_budget, move.from_id, -move.units, now),
        to_units=_change(db, user_id, move, by_budget, move.to_id, move.units, now),
    )


def _list_problems(move: MoneyMove, by_budget: Mapping[int, list[BudgetLimit]]) -> list[Problem]:
    problems = []
    for field, budget_id in (("from", move.from_id), ("to", move.to_id)):
        if any(not _is_of(limit, move.days) for limit in by_budget.get(budget_id or 0, ())):
            sentence = f"The {field} budget has a limit with other days in this month. Change that limit instead."
            problems.append(Problem(field, sentence))
    if problems:
        return problems
    units = sum(limit.units for limit in by_budget.get(move.from_id or 0, ()))
    if move.from_id is not None and units < move.units:
        most = f"{move.currency.code} {as_text(units, move.currency.places)}"
        problems.append(Problem("amount", f"The amount must be at most {most}, the budget's limit in this month."))
    if sum(limit.units for limit in by_budget.get(move.to_id or 0, ())) + move.units > UNITS_MAX:
        problems.append(Problem("amount", "The amount is too large: no limit can hold so much."))
    return problems


def _is_of(limit: BudgetLimit, days: DayRange) -> bool:
    return (limit.start_on, limit.end_on) == (days.first.isoformat(), days.last.isoformat())


def _change(
    db: Unit,
    user_id: int,
    move: MoneyMove,
    by_budget: Mapping[int, list[BudgetLimit]],
    budget_id: int | None,
    units: int,
    now: str,
) -> int | None:
    if budget_id is None:
        return None
    stored = next(iter(by_budget[budget_id]), None)
    total = (stored.units if stored else 0) + units
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
