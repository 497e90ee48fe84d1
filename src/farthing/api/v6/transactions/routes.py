"""Serves transactions as groups of splits."""

from farthing.books.bookkeeping import record
from farthing.books.transactions import groups
from farthing.http.answer.document import Item
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Route
from farthing.kernel.errors import Invalid

from ..objects.groups import GROUPS, PARAMETERS, GroupThing, answer_groups, make_groups
from ..parts.documents import answer_one


def index(call: Call) -> Answer:
    return answer_groups(call, "/transactions", usual="default")


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def remove(call: Call) -> Answer:
    or_404(next(iter(groups.of_entries(call.db, call.user_id, [call.id])), None))
    record.erase(call.db, call.user_id, [call.id])
    return NOTHING


def _answer(call: Call, entry_id: int) -> Answer:
    things = make_groups(call, groups.of_entries(call.db, call.user_id, [entry_id]))
    return answer_one(or_404(next(iter(things), None)))


_ONE = Item[GroupThing]
ROUTES = (
    Route("GET", "/transactions", index, "List transactions", gives=GROUPS, parameters=PARAMETERS),
    Route("GET", "/transactions/{id}", show, "Show a transaction", gives=_ONE),
    Route("DELETE", "/transactions/{id}", remove, "Delete a transaction with all its splits", fails=(Invalid,)),
)
