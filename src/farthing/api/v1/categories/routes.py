"""Serves categories."""

from collections.abc import Sequence
from typing import Any

from farthing.books.categories import store
from farthing.books.categories.model import Category, CategoryDraft
from farthing.books.lifecycle.labels import categories as lifecycle
from farthing.http.answer.document import Item, Page, Thing, thing
from farthing.http.answer.includes import answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED, Route
from farthing.kernel.fields import parse
from farthing.overviews.label_months import store as label_months

from ..objects import transactions as listing
from ..objects.labels import OWNER, UNUSED, read_unused, sums_of
from ..objects.merging import REQUIRED as INTO
from ..objects.merging import MergeBody, find_target
from ..objects.sums import MonthsDocument, answer_months
from . import wire

CategoryThing = Thing[wire.CategoryAttributes]


def index(call: Call) -> Answer:
    at = read_page_request(call)
    only = read_unused(call)
    total, categories = store.page(call.db, call.user_id, limit=at.size, offset=at.offset, unused=bool(only))
    document = page(call, "/categories", _things(call, categories), total, only)
    return answer(call, document, categories, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, None), call.now))


def change(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.change(call.db, call.user_id, category, _draft(call, category), call.now)
    return _answer(call, category.id)


def remove(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, category.id)
    return NOTHING


def merge(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    into = find_target(call, category, store.get, noun="category")
    lifecycle.merge(call.db, call.user_id, category, into, call.now)
    return _answer(call, into.id)


def transactions(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    return listing.of_label(call, "categories", category.id)


def by_month(call: Call) -> Answer:
    category = or_404(store.get(call.db, call.user_id, call.id))
    return answer_months(
        call, lambda within: label_months.of_label(call.db, call.user_id, "categories", category.id, within)
    )


def _draft(call: Call, kept: Category | None) -> CategoryDraft:
    parsed = parse(wire.CategoryBody, call.fields)
    category_id = kept.id if kept else 0
    parsed.require(*wire.REQUIRED)
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, parsed.values.name, except_id=category_id))
    parsed.report_all(
        lifecycle.reference_problems(
            call.db,
            call.user_id,
            parent_id=parsed.values.parent_id,
            budget_id=parsed.values.budget_id,
            except_id=category_id,
        )
    )
    return wire.draft(parsed, kept, call.fields.keys())


def _answer(call: Call, category_id: int) -> Answer:
    category = or_404(store.get(call.db, call.user_id, category_id))
    return answer(call, Item(_things(call, [category])[0]), [category], INCLUDES_OF_ONE)


def _things(call: Call, categories: Sequence[Category]) -> list[CategoryThing]:
    sums = sums_of(call, "categories", [one.id for one in categories])
    return [
        thing(call.base, "categories", one.id, wire.show(one, sums[one.id]), uri=f"/categories/{one.id}")
        for one in categories
    ]


INCLUDES = registry(OWNER, listing.newest_with("categories"))
INCLUDES_OF_ONE = registry(OWNER, listing.page_with("categories"))
_ONE: Any = Item[CategoryThing]

ROUTES = (
    Route(
        "GET", "/categories", index, "List categories, with what was spent and earned",
        gives=Page[CategoryThing], parameters=(UNUSED, *RANGED, *PAGED), includes=INCLUDES,
    ),
    Route(
        "POST", "/categories", create, "Make a category",
        gives=_ONE, takes=wire.CategoryBody, requires=wire.REQUIRED, includes=INCLUDES_OF_ONE,
    ),
    Route(
        "GET", "/categories/{id}", show, "Show a category, with what was spent and earned",
        gives=_ONE, parameters=(*RANGED, *PAGED), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "PUT", "/categories/{id}", change, "Change a category; a new name shows everywhere at once",
        gives=_ONE, takes=wire.CategoryBody, requires=wire.REQUIRED, includes=INCLUDES_OF_ONE,
    ),
    Route(
        "GET", "/categories/{id}/months", by_month, "Show what was spent and earned with a category, month by month",
        gives=MonthsDocument, parameters=RANGED,
    ),
    Route(
        "POST", "/categories/{id}/merge", merge, "Merge a category into another, which gets its transactions",
        gives=_ONE, takes=MergeBody, requires=INTO, includes=INCLUDES_OF_ONE, runs=LARGE,
    ),
    Route("DELETE", "/categories/{id}", remove, "Delete a category; its transactions stay", runs=LARGE),
    Route(
        "GET", "/categories/{id}/transactions", transactions, "List the transactions of a category",
        gives=Page[listing.TransactionThing], parameters=listing.PARAMETERS, includes=listing.INCLUDES,
    ),
)  # fmt: skip
