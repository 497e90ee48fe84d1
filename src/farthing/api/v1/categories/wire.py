"""Reads and shows categories."""

from msgspec import Struct
from pydantic import BaseModel

from farthing.books.categories.model import Category
from farthing.books.labels.model import Sums
from farthing.kernel.fields import Name
from farthing.kernel.shown import Instant

from ..objects.sums import SumShown, show_sums

REQUIRED = ("name",)


class CategoryBody(BaseModel):
    name: Name | None = None


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
