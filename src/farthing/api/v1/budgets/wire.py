"""Reads the bodies of budgets."""

from pydantic import BaseModel

from farthing.books.budgets.model import BudgetDraft
from farthing.kernel.fields import Flag, Name
from farthing.kernel.parsed import Parsed, ensure

REQUIRED = ("name", "active")


class BudgetBody(BaseModel):
    name: Name | None = None
    active: Flag | None = None


def draft(parsed: Parsed[BudgetBody]) -> BudgetDraft:
    parsed.finish()
    return BudgetDraft(name=ensure(parsed.values.name), active=bool(parsed.values.active))
