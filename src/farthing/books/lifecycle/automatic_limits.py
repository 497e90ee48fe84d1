"""Creates the automatic limits of budgets, one for each period since the period in which the user turned them on."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import islice

from farthing.schedule.periods import DayRange
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..budget_limits import store as limits
from ..budget_limits.model import BudgetLimitDraft
from ..budgets import store as budgets
from ..budgets.model import Budget
from ..webhooks import outbox
from ..webhooks.model import Trigger

# The name of the write in the change log.
DOING = "budget_limits.allot"
# The most periods of a budget for which one unit of work creates limits.
_PERIODS_MAX = 60
_DAY = timedelta(days=1)


def make_due(db: Unit, user_id: int, today: date, now: str, *, budget_id: int | None = None) -> int:
    """Creates the limits that are due, for all budgets or for one. Returns how many were created.

    The caller holds the user's lock. Skips a period if it overlaps with a limit of the budget in the same currency.
    """
    due = [budget for budget in budgets.find_due(db, user_id, today) if budget_id in (None, budget.id)]
    periods = {budget: list(islice(budget.list_due(today), _PERIODS_MAX)) for budget in due}
    if not periods:
        return 0
    first = min(of[0].first for of in periods.values())
    taken = limits.list_periods(db, user_id, [budget.id for budget in periods], since=first)
    drafts = [
        _draft(budget, period)
        for budget, of in periods.items()
        for period in of
        if not any(_overlap(period, other) for other in taken.get((budget.id, _currency_id(budget)), ()))
    ]
    limits.add_all(db, user_id, drafts, now)
    for budget_id in sorted({draft.budget_id for draft in drafts}):
        outbox.note_budget(db, user_id, Trigger.STORE_UPDATE_BUDGET_LIMIT, budget_id)
    budgets.move_on(db, user_id, {budget.id: (of[-1].last + _DAY).isoformat() for budget, of in periods.items()})
    return len(drafts)


def _draft(budget: Budget, period: DayRange) -> BudgetLimitDraft:
    assert budget.auto_currency is not None, "a constraint keeps these fields together"
    assert budget.auto_units is not None, "a constraint keeps these fields together"
    return BudgetLimitDraft(
        budget_id=budget.id,
        currency=budget.auto_currency,
        units=budget.auto_units,
        start_on=period.first,
        end_on=period.last,
    )


def _currency_id(budget: Budget) -> int:
    return budget.auto_currency.id if budget.auto_currency else 0


def _overlap(period: DayRange, other: DayRange) -> bool:
    return other.first <= period.last and other.last >= period.first


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Makes sure that no period gets a limit twice.

    If the undo turns the automatic limits of a budget on again, the next limit is for the current period.
    """
    ids = undoing.list_touched("budgets")
    before = budgets.find_next_days(db, user_id, ids) if ids else {}
    yield
    restored = budgets.all_of(db, user_id, ids) if ids else []
    days = {
        budget.id: before.get(budget.id) or budget.auto_period.find_period(undoing.today).first.isoformat()
        for budget in restored
        if budget.auto_period
    }
    budgets.move_on(db, user_id, days)
