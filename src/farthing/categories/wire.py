"""How does the API name what a category is?"""

from msgspec import Struct
from pydantic import BaseModel

from ..errors import Problem
from ..fields import Name, Parsed, required
from ..labels.model import Sums
from ..labels.wire import SumShown, show_sums
from ..shown import Instant
from .model import Category

REQUIRED = ("name",)


class CategoryBody(BaseModel):
    name: Name | None = None


def problems(parsed: Parsed[CategoryBody]) -> list[Problem]:
    return required(parsed, *REQUIRED)


class CategoryAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    spent: list[SumShown]
    earned: list[SumShown]
    transactions_count: int


def show(category: Category, sums: Sums) -> CategoryAttributes:
    return CategoryAttributes(
        updated_at=category.updated_at,
        created_at=category.created_at,
        name=category.name,
        spent=show_sums(sums.spent),
        earned=show_sums(sums.earned),
        transactions_count=sums.splits,
    )
