"""Reads and shows categories."""

from collections.abc import Collection

from msgspec import Struct

from farthing.books.categories.model import Category, CategoryDraft
from farthing.books.labels.model import Sums
from farthing.kernel.fields import Id, Name, RequestBody
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Instant, show_as

from ..objects.sums import SumShown, show_sums

REQUIRED = ("name",)


class CategoryBody(RequestBody):
    """`parent_id` is the parent category. Withdrawals of this category without a budget get `budget_id`."""

    name: Name | None = None
    parent_id: Id | None = None
    budget_id: Id | None = None


def draft(parsed: Parsed[CategoryBody], category: Category | None, sent: Collection[str]) -> CategoryDraft:
    """Keeps ids that a change omits, because old clients do not send them; null clears them."""
    parsed.finish()
    values = parsed.values
    return CategoryDraft(
        name=ensure(values.name),
        parent_id=category.parent_id if category and "parent_id" not in sent else values.parent_id,
        budget_id=category.budget_id if category and "budget_id" not in sent else values.budget_id,
    )


class CategoryAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    spent: list[SumShown]
    earned: list[SumShown]
    transactions_count: int
    parent_id: int | None
    budget_id: int | None


def show(category: Category, sums: Sums) -> CategoryAttributes:
    return show_as(
        CategoryAttributes,
        category,
        spent=show_sums(sums.spent),
        earned=show_sums(sums.earned),
        transactions_count=sums.splits,
    )
