"""How does the API name what a budget is?"""

from msgspec import Struct
from pydantic import BaseModel

from ..errors import Problem
from ..fields import Flag, Name, Parsed, required
from ..labels.model import Sums
from ..labels.wire import SumShown, show_sums
from ..shown import Instant
from .model import Budget, Draft

REQUIRED = ("name", "active")


class BudgetBody(BaseModel):
    name: Name | None = None
    active: Flag | None = None


def problems(parsed: Parsed[BudgetBody]) -> list[Problem]:
    return required(parsed, *REQUIRED)


def draft(values: BudgetBody) -> Draft:
    """Of values without problems."""
    assert values.name is not None
    return Draft(values.name, bool(values.active))


class BudgetAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    active: bool
    spent: list[SumShown]
    transactions_count: int


def show(budget: Budget, sums: Sums) -> BudgetAttributes:
    return BudgetAttributes(
        updated_at=budget.updated_at,
        created_at=budget.created_at,
        name=budget.name,
        active=budget.active,
        spent=show_sums(sums.spent),
        transactions_count=sums.splits,
    )
