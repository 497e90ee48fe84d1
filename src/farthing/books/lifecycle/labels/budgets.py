"""Changes and removes budgets, with the rules that name them and their limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial

from farthing.kernel.errors import Conflict, Problem
from farthing.kernel.money import Currency
from farthing.schedule.months import day_in_month
from farthing.schedule.periods import DayRange
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ...budget_limits import store as limits
from ...budget_limits.model import CopiedLimits
from ...budgets import store
from ...budgets.model import Budget, BudgetDraft
from ...categories import store as categories
from ...rules import renaming
from . import any_label

taken_problems = partial(any_label.taken_problems, label="budgets")


def change(db: Unit, user_id: int, budget: Budget, draft: BudgetDraft, now: str) -> None:
    store.change(db, user_id, budget.id, draft, now)
    renaming.rename(db, user_id, "budgets", {budget.name: draft.name}, now)


def remove(db: Unit, user_id: int, budget_id: int) -> None:
    """Removes a budget and its limits; its transactions stay, and no category has it as its default any more."""
    categories.forget_budget(db, user_id, budget_id)
    limits.remove_of(db, user_id, budget_id)
    any_label.remove(db, user_id, "budgets", budget_id)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Renames budgets in rules that were made since, and refuses limits that would overlap."""
    before = renaming.load_names(db, user_id, "budgets", undoing.list_touched("budgets"))
    yield
    renaming.rename(db, user_id, "budgets", renaming.find_renamed(db, user_id, "budgets", before), undoing.now)
    overlap = limits.first_overlap(db, user_id, undoing.list_touched("budget_limits"))
    if overlap:
        raise Conflict(f"Not undone: budget limit {overlap[0]} would overlap with {overlap[1]}. Delete that first.")


def copy_limits(db: Unit, user_id: int, *, from_month: int, to_month: int, now: str) -> CopiedLimits:
    """Copies limits that last the whole month, of active budgets that have none in the other month yet."""
    of, to = (DayRange(day_in_month(month, 1), day_in_month(month, 31)) for month in (from_month, to_month))
    total = limits.count_of_month(db, user_id, of)
    copied = limits.copy_month(db, user_id, of, to, now)
    return CopiedLimits(copied=copied, unchanged=total - copied)


def limit_problems(
    db: Unit,
    user_id: int,
    budget_id: int | None,
    currency: Currency | None,
    *,
    start: date | None,
    end: date | None,
    except_id: int,
) -> list[Problem]:
    """Checks that limits of one budget in one currency do not overlap, if all values are known."""
    if budget_id is None or currency is None or start is None or end is None or start > end:
        return []
    other = limits.find_overlapping(db, user_id, budget_id, currency.id, start=start, end=end, except_id=except_id)
    if other is None:
        return []
    which = f"limit {other.id} of this budget in {currency.code}, from {other.start_on} to {other.end_on}"
    return [Problem(field, f"The period overlaps with {which}.") for field in ("start_date", "end_date")]
