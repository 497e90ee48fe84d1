"""Provides what categories, budgets and tags have in common."""

from collections.abc import Sequence

from msgspec.structs import replace

from farthing.books.labels import store
from farthing.books.labels.model import Sums
from farthing.http.request.call import Call
from farthing.http.route import Parameter
from farthing.ledger.entry import Label

from .users import USER

UNUSED = Parameter("unused", {"type": "string", "enum": ["1"]}, "`1` lists only those that no transaction uses.")

# Labels always include their owner.
OWNER = replace(USER, default=True)


def read_unused(call: Call) -> dict[str, str]:
    """Returns the parameter for the links of the pages, if it is `1`; any other value is ignored."""
    return {"unused": "1"} if call.query.get("unused") == "1" else {}


def sums_of(call: Call, label: Label, label_ids: Sequence[int]) -> dict[int, Sums]:
    """Adds up the days from `start` to `end` if both are set, otherwise all time."""
    chosen = call.range()
    return store.sums(call.db, call.user_id, label, label_ids, (chosen.start, chosen.end) if chosen else None)
