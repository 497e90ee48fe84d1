"""Reads and shows categories."""

from collections.abc import Sequence
from typing import Any

from farthing.books.categories.model import Category
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.fields import Name, Notes, RequestBody
from farthing.kernel.shown import Instant

from ..parts.documents import make_thing
from ..parts.labels import LabelSums, load_sums
from ..parts.primary import PrimaryCurrency, Sum, load_primary


class CategoryBody(RequestBody):
    name: Name | None = None
    notes: Notes | None = None


class CategoryAttributes(PrimaryCurrency, gc=False, kw_only=True):
    """All sums are empty without a range. Those of transfers are always empty."""

    created_at: Instant
    updated_at: Instant
    name: str
    notes: str | None
    object_has_currency_setting: bool
    spent: list[Sum]
    pc_spent: list[Sum]
    earned: list[Sum]
    pc_earned: list[Sum]
    transferred: list[Sum]
    pc_transferred: list[Sum]


CategoryThing = Thing[CategoryAttributes]


def make_things(call: Call, categories: Sequence[Category]) -> list[CategoryThing]:
    primary = load_primary(call)
    shown = primary.show()
    sums = load_sums(call, primary, "categories", [category.id for category in categories])
    return [
        make_thing(call, "categories", category.id, _show(category, of_category, shown))
        for category, of_category in zip(categories, sums, strict=True)
    ]


def _show(category: Category, sums: LabelSums, primary: dict[str, Any]) -> CategoryAttributes:
    return CategoryAttributes(
        created_at=category.created_at,
        updated_at=category.updated_at,
        name=category.name,
        notes=category.notes,
        object_has_currency_setting=False,
        spent=sums.spent,
        pc_spent=sums.pc_spent,
        earned=sums.earned,
        pc_earned=sums.pc_earned,
        transferred=[],
        pc_transferred=[],
        **primary,
    )
