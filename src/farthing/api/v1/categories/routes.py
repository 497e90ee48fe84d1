"""Serves categories."""

from collections.abc import Sequence
from typing import Annotated

from farthing.books.attachments.model import Model
from farthing.books.categories import store
from farthing.books.categories.model import COLOURS, ICONS, Category, CategoryDraft
from farthing.books.labels.model import Sums
from farthing.books.lifecycle import labels as lifecycle
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import Call
from farthing.http.route import LARGE, PAGED, RANGED, Parameter
from farthing.kernel.fields import Id, Name, Notes, RequestBody, choice, described, parse
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Dated, show_as

from ..labels.routes import UNUSED, merge_route, months_route, read_unused
from ..resources.lists import make_thing
from ..resources.resource import Resource
from ..search.filters import FOLD
from ..serializers import attachments
from ..serializers import transactions as listing
from ..serializers.labels import OWNER, SumShown, show_sums, sums_of


class CategoryBody(RequestBody):
    """`parent_id` is the parent category. Withdrawals with this category but no budget get the budget `budget_id`."""

    name: Name | None = None
    parent_id: Id | None = None
    budget_id: Id | None = None
    colour: Annotated[str, choice(*COLOURS)] | None = described("The colour of the category in lists and charts.")
    icon: Annotated[str, choice(*ICONS)] | None = described("The icon of the category in lists.")
    notes: Notes | None = None


class CategoryAttributes(Dated, gc=False):
    name: str
    spent: list[SumShown]
    earned: list[SumShown]
    transactions_count: int
    parent_id: int | None
    budget_id: int | None
    colour: str | None
    icon: str | None
    notes: str | None


CategoryThing = Thing[CategoryAttributes]


def _show(category: Category, sums: Sums) -> CategoryAttributes:
    return show_as(
        CategoryAttributes,
        category,
        spent=show_sums(sums.spent),
        earned=show_sums(sums.earned),
        transactions_count=sums.splits,
    )


def _things(call: Call, categories: Sequence[Category]) -> list[CategoryThing]:
    sums = sums_of(call, "categories", [category.id for category in categories])
    return [make_thing(call, "categories", category.id, _show(category, sums[category.id])) for category in categories]


def _find_folded(call: Call, category_id: int) -> list[int]:
    folds = call.query.get("children") == FOLD
    return [category_id, *(store.find_children(call.db, call.user_id, category_id) if folds else [])]


def _draft(call: Call, category: Category | None) -> CategoryDraft:
    """Reads the body. Fields that a change omits are kept, except the name, because old clients do not send them.

    Null clears a field.
    """
    parsed = parse(CategoryBody, call.fields)
    values, category_id = parsed.values, category.id if category else 0
    parsed.require("name")
    taken = lifecycle.taken_problems(call.db, call.user_id, "categories", values.name, except_id=category_id)
    parsed.report_all(taken)
    parsed.report_all(
        lifecycle.category_problems(
            call.db, call.user_id, parent_id=values.parent_id, budget_id=values.budget_id, except_id=category_id
        )
    )
    parsed.finish()
    kept = {name: getattr(category, name) for name in _KEPT if category and name not in call.fields}
    sent = {name: getattr(values, name) for name in _KEPT}
    return CategoryDraft(name=ensure(values.name), **{**sent, **kept})


_KEPT = ("parent_id", "budget_id", "colour", "icon", "notes")


CHILDREN = Parameter(
    "children", {"type": "string", "enum": [FOLD]}, "With `fold`, amounts include those of sub-categories."
)
CATEGORIES = Resource(
    path="/categories",
    shows=CategoryThing,
    things=_things,
    get=store.get,
    page=store.page,
    filters=lambda call: {"unused": bool(read_unused(call))},
    links=read_unused,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, category, draft: lifecycle.change_category(call.db, call.user_id, category, draft, call.now),
    delete=lambda call, category: lifecycle.remove(call.db, call.user_id, "categories", category.id),
    takes=CategoryBody,
    requires=("name",),
    includes=registry(OWNER, listing.newest_with("categories")),
    includes_of_one=registry(OWNER, listing.page_with("categories")),
)

ROUTES = (
    CATEGORIES.index("List categories, with what was spent and earned", UNUSED, *RANGED),
    CATEGORIES.create("Create a category"),
    CATEGORIES.show("Show a category, with what was spent and earned", *RANGED, *PAGED),
    attachments.list_route(CATEGORIES, Model.CATEGORY, "List the attachments of a category"),
    CATEGORIES.change("Change a category; a new name appears everywhere at once"),
    months_route(CATEGORIES, "categories", "category", CHILDREN, find_ids=_find_folded),
    merge_route(CATEGORIES, "category", lifecycle.merge_category),
    CATEGORIES.remove("Delete a category; its transactions stay", runs=LARGE),
    listing.label_route(CATEGORIES, "categories", "List the transactions of a category"),
)
