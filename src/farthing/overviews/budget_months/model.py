"""What budgets hand on from month to month; pure. All amounts are units of one currency.

Nothing of this is stored: it follows from the limits and from what was spent. Carrying begins in the first month that
has a limit, at most `MONTHS_BACK_MAX` months before the first one asked for.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from farthing.books.budgets.model import Carry

MONTHS_MAX = 24
MONTHS_BACK_MAX = 240


class BudgetMonth(Struct, frozen=True):
    """`carried` came from the month before; `left` is below zero if more was spent than there was."""

    limit: int
    carried: int
    spent: int

    @property
    def left(self) -> int:
        return self.carried + self.limit - self.spent

    def hand_on(self, carry: Carry) -> int:
        match carry:
            case Carry.YES:
                return self.left
            case Carry.OVERSPENT:
                return min(self.left, 0)
            case _:
                return 0


class EnvelopeMonth(Struct, frozen=True):
    """All budgets together. `to_budget` is the income that no budget has got, since budgeting began.

    What a budget does not hand on goes back there: what is left raises it, and what was overspent lowers it, as
    spending without a budget does.
    """

    income: int
    limit: int
    carried: int
    spent: int
    unbudgeted: int
    left: int
    to_budget: int


class MonthlyFigures(Struct, frozen=True):
    """What is read for a range of months: by number of the month, and by budget."""

    limits: Mapping[int, Mapping[int, int]]
    spent: Mapping[int, Mapping[int, int]]
    income: Mapping[int, int]
    withdrawn: Mapping[int, int]


def find_months(carry: Carry, limits: Mapping[int, int], spent: Mapping[int, int], months: range) -> list[BudgetMonth]:
    """The months of one budget. Before its first limit it carries nothing, so that old spending is no debt."""
    found: list[BudgetMonth] = []
    carried, has_begun = 0, False
    for month in months:
        has_begun = has_begun or month in limits
        one = BudgetMonth(limit=limits.get(month, 0), carried=carried, spent=spent.get(month, 0))
        carried = one.hand_on(carry) if has_begun else 0
        found.append(one)
    return found


def find_envelopes(
    figures: MonthlyFigures, budgets: Mapping[int, Sequence[BudgetMonth]], months: range, *, begins: int
) -> list[EnvelopeMonth]:
    """`begins` is the month from which on income is there to be budgeted."""
    found: list[EnvelopeMonth] = []
    pool, left_before = 0, 0
    for place, month in enumerate(months):
        of_month = [of[place] for of in budgets.values()]
        limit, carried, spent = (_total(of_month, name) for name in ("limit", "carried", "spent"))
        unbudgeted = figures.withdrawn.get(month, 0) - spent
        income = figures.income.get(month, 0)
        if month >= begins:
            pool += income - limit - unbudgeted + left_before - carried
            left_before = carried + limit - spent
        found.append(
            EnvelopeMonth(
                income=income,
                limit=limit,
                carried=carried,
                spent=spent,
                unbudgeted=unbudgeted,
                left=carried + limit - spent,
                to_budget=pool,
            )
        )
    return found


def _total(months: Iterable[BudgetMonth], name: str) -> int:
    return sum(getattr(one, name) for one in months)
