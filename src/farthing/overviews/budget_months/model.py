"""Computes the amounts that budgets carry over from month to month. All amounts are units of one currency.

Carried amounts are not stored, but computed from limits and spending. They begin in the first month with a limit, at
most `MONTHS_BACK_MAX` months before the first requested month.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from farthing.books.budgets.model import Budget, Carry

MONTHS_MAX = 24
MONTHS_BACK_MAX = 240


class BudgetMonth(Struct, frozen=True):
    """`carried` is the amount carried over from the month before, less what was moved out of it, which is `released`.
    `left` is negative after overspending.

    `is_limited` says whether there is a limit to what may be spent. If not, the spending does not reduce what is left
    to spend.
    """

    limit: int
    carried: int
    spent: int
    is_limited: bool
    released: int = 0

    @property
    def left(self) -> int:
        return self.carried + self.limit - self.spent

    def carry_on(self, carry: Carry) -> int:
        match carry:
            case Carry.YES:
                return self.left
            case Carry.OVERSPENT:
                return min(self.left, 0)
            case _:
                return 0


class EnvelopeMonth(Struct, frozen=True):
    """The figures of all budgets together in one month.

    `to_budget` is the income since budgeting began that is not assigned to a budget. If a budget does not carry over
    its remainder or its overspending, `to_budget` rises or falls by it. Spending without a budget also lowers
    `to_budget`. If an available amount is set for the month, `to_budget` is that amount minus the limits instead, plus
    what was moved out of carried amounts.

    `unlimited` is what was spent from budgets without a limit. `left_to_spend` does not include it, and is None if no
    budget has a limit.
    """

    income: int
    limit: int
    carried: int
    spent: int
    unbudgeted: int
    left: int
    to_budget: int
    left_to_spend: int | None
    unlimited: int


class MonthlyFigures(Struct, frozen=True):
    """Figures of a range of months: limits, spending and released amounts by budget and month.

    Income, withdrawals and the amounts available to budget are given by month only.
    """

    limits: Mapping[int, Mapping[int, int]]
    spent: Mapping[int, Mapping[int, int]]
    released: Mapping[int, Mapping[int, int]]
    income: Mapping[int, int] = {}
    withdrawn: Mapping[int, int] = {}
    available: Mapping[int, int] = {}

    def find_months(self, budget: Budget, months: range) -> list[BudgetMonth]:
        limits, spent, released = (of.get(budget.id, {}) for of in (self.limits, self.spent, self.released))
        return find_months(budget.carry, limits, spent, released, months)


def is_limited(carry: Carry, *, has_limit: bool, has_begun: bool) -> bool:
    """Says whether a budget is part of what is left to spend: it has a limit now, or carries over from an earlier one.

    `has_begun` says whether the budget has had its first limit.
    """
    return has_limit or (has_begun and carry is not Carry.NO)


def find_months(
    carry: Carry, limits: Mapping[int, int], spent: Mapping[int, int], released: Mapping[int, int], months: range
) -> list[BudgetMonth]:
    """Returns the months of one budget. Carries nothing before the first limit: old spending would become a debt.

    Released amounts count only while the budget carries over what is left. Else there is nothing to take them from.
    """
    budget_months: list[BudgetMonth] = []
    carried, has_begun = 0, False
    for month in months:
        has_begun = has_begun or month in limits
        limited = is_limited(carry, has_limit=month in limits, has_begun=has_begun)
        release = released.get(month, 0) if has_begun and carry is Carry.YES else 0
        figures = BudgetMonth(
            limit=limits.get(month, 0),
            carried=carried - release,
            spent=spent.get(month, 0),
            is_limited=limited,
            released=release,
        )
        carried = figures.carry_on(carry) if has_begun else 0
        budget_months.append(figures)
    return budget_months


def find_envelopes(
    figures: MonthlyFigures, budgets: Mapping[int, Sequence[BudgetMonth]], months: range, *, begins: int
) -> list[EnvelopeMonth]:
    """Sums up all budgets in each month. Income is available to budget from the month `begins`."""
    envelopes: list[EnvelopeMonth] = []
    pool, left_before = 0, 0
    for index, month in enumerate(months):
        of_month = [of[index] for of in budgets.values()]
        limit, carried, spent = (
            sum(getattr(budget_month, name) for budget_month in of_month) for name in ("limit", "carried", "spent")
        )
        left = carried + limit - spent
        unlimited = sum(budget_month.spent for budget_month in of_month if not budget_month.is_limited)
        unbudgeted = figures.withdrawn.get(month, 0) - spent
        released = sum(budget_month.released for budget_month in of_month)
        income, available = figures.income.get(month, 0), figures.available.get(month)
        if month >= begins:
            pool += income - limit - unbudgeted + left_before - carried
            left_before = left
        envelopes.append(
            EnvelopeMonth(
                income=income,
                limit=limit,
                carried=carried,
                spent=spent,
                unbudgeted=unbudgeted,
                left=left,
                to_budget=pool if available is None else available + released - limit,
                left_to_spend=left + unlimited if any(of.is_limited for of in of_month) else None,
                unlimited=unlimited,
            )
        )
    return envelopes
