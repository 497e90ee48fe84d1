"""Serves categories, with what was spent and earned in a range of days."""

from farthing.books.attachments.model import Model
from farthing.books.categories import store
from farthing.books.categories.model import Category, CategoryDraft
from farthing.books.lifecycle import labels as lifecycle
from farthing.books.transactions.counts import LabelFilter
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, RANGED
from farthing.kernel.fields import parse
from farthing.kernel.parsed import ensure

from ..objects.attachments import list_route
from ..objects.groups import GROUPS, PARAMETERS, answer_groups
from ..parts.partial import keep, need, over
from ..parts.resource import Resource
from .wire import CategoryBody, CategoryThing, make_things


def _draft(call: Call, category: Category | None) -> CategoryDraft:
    parsed = parse(CategoryBody, call.fields)
    name = need(parsed, "name", category.name if category else None)
    notes = over(parsed, "notes", category.notes if category else None)
    category_id = category.id if category else 0
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, "categories", name, except_id=category_id))
    parsed.finish()
    return keep(CategoryDraft, category, name=ensure(name), notes=notes)


def transactions(call: Call) -> Answer:
    category_id = CATEGORIES.find(call).id
    return answer_groups(call, f"/categories/{category_id}/transactions", LabelFilter("categories", category_id))


CATEGORIES = Resource(
    path="/categories",
    shows=CategoryThing,
    things=make_things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, category, draft: lifecycle.change_category(call.db, call.user_id, category, draft, call.now),
    delete=lambda call, category: lifecycle.remove(call.db, call.user_id, "categories", category.id),
    takes=CategoryBody,
    requires=("name",),
)

ROUTES = (
    CATEGORIES.index("List categories; with a range, with what was spent and earned", *RANGED),
    CATEGORIES.create("Create a category"),
    CATEGORIES.show("Show a category; with a range, with what was spent and earned", *RANGED),
    CATEGORIES.change("Change a category; omitted fields are kept", requires=()),
    CATEGORIES.remove("Delete a category; its transactions stay", runs=LARGE),
    list_route(CATEGORIES, Model.CATEGORY, "List the attachments of a category"),
    CATEGORIES.own(
        "GET", "transactions", transactions, "List the transactions with a category", *PARAMETERS, gives=GROUPS
    ),
)  # fmt: skip
