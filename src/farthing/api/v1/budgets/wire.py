"""Reads the bodies of budgets."""

from typing import Annotated

from farthing.books.budgets.model import Budget, BudgetDraft, Carry
from farthing.kernel.fields import Flag, Name, RequestBody, choice
from farthing.kernel.parsed import Parsed, ensure

REQUIRED = ("name", "active")


class BudgetBody(RequestBody):
    name: Name | None = None
    active: Flag | None = None
    carry: Annotated[Carry, choice(*Carry)] | None = None


def draft(parsed: Parsed[BudgetBody], budget: Budget | None) -> BudgetDraft:
    """Keeps `carry` if a change omits it, because old clients do not send it."""
    parsed.finish()
    values = parsed.values
    carry = values.carry or (budget.carry if budget else Carry.NO)
    return BudgetDraft(name=ensure(values.name), active=bool(values.active), carry=carry)
