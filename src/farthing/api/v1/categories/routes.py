"""Serves categories."""

from collections.abc import Sequence

from farthing.books.categories import store
from farthing.books.categories.model import Category, CategoryDraft
from farthing.books.lifecycle import labels as lifecycle
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED
from farthing.kernel.fields import parse
from farthing.overviews.label_months import store as label_months

from ..objects import transactions as listing
from ..objects.labels import OWNER, UNUSED, read_unused, sums_of
from ..objects.merging import REQUIRED as INTO
from ..objects.merging import MergeBody, find_target
from ..objects.sums import MonthsDocument, answer_months
from ..resources.lists import answer_one, answer_page, make_thing
from ..resources.resource import Resource
from . import wire

CategoryThing = Thing[wire.CategoryAttributes]


def index(call: Call) -> Answer:
    only = read_unused(call)
    return answer_page(call, "/categories", store.page, _things, INCLUDES, only, unused=bool(only))


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, None), call.now))


def change(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.change_category(call.db, call.user_id, category, _draft(call, category), call.now)
    return _answer(call, category.id)


def remove(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, "categories", category.id)
    return NOTHING


def merge(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    into = find_target(call, category, store.get, noun="category")
    lifecycle.merge_category(call.db, call.user_id, category, into, call.now)
    return _answer(call, into.id)


def transactions(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    return listing.of_label(call, "categories", category.id)


def by_month(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    return answer_months(
        call, lambda within: label_months.of_label(call.db, call.user_id, "categories", category.id, within)
    )


def _draft(call: Call, category: Category | None) -> CategoryDraft:
    parsed = parse(wire.CategoryBody, call.fields)
    category_id = category.id if category else 0
    parsed.require(*wire.REQUIRED)
    taken = lifecycle.taken_problems(call.db, call.user_id, "categories", parsed.values.name, except_id=category_id)
    parsed.report_all(taken)
    parsed.report_all(
        lifecycle.category_problems(
            call.db,
            call.user_id,
            parent_id=parsed.values.parent_id,
            budget_id=parsed.values.budget_id,
            except_id=category_id,
        )
    )
    return wire.draft(parsed, category, call.fields.keys())


def _answer(call: Call, category_id: int) -> Answer:
    return answer_one(call, or_404(store.get(call.db, call.user_id, category_id)), _things, INCLUDES_OF_ONE)


def _things(call: Call, categories: Sequence[Category]) -> list[CategoryThing]:
    sums = sums_of(call, "categories", [category.id for category in categories])
    return [
        make_thing(call, "categories", category.id, wire.show(category, sums[category.id])) for category in categories
    ]


INCLUDES = registry(OWNER, listing.newest_with("categories"))
INCLUDES_OF_ONE = registry(OWNER, listing.page_with("categories"))
_CATEGORIES = Resource(
    path="/categories",
    shows=CategoryThing,
    takes=wire.CategoryBody,
    requires=wire.REQUIRED,
    includes=INCLUDES,
    includes_of_one=INCLUDES_OF_ONE,
)

ROUTES = (
    _CATEGORIES.index(index, "List categories, with what was spent and earned", UNUSED, *RANGED),
    _CATEGORIES.create(create, "Create a category"),
    _CATEGORIES.show(show, "Show a category, with what was spent and earned", *RANGED, *PAGED),
    _CATEGORIES.change(change, "Change a category; a new name appears everywhere at once"),
    _CATEGORIES.own(
        "GET", "months", by_month, "Show what was spent and earned with a category, month by month", *RANGED,
        gives=MonthsDocument,
    ),
    _CATEGORIES.act(
        "merge", merge, "Merge a category into another, which gets its transactions",
        takes=MergeBody, requires=INTO, runs=LARGE,
    ),
    _CATEGORIES.remove(remove, "Delete a category; its transactions stay", runs=LARGE),
    _CATEGORIES.own(
        "GET", "transactions", transactions, "List the transactions of a category",
        *listing.PARAMETERS, **listing.LISTED,
    ),
)  # fmt: skip
