"""Serves the inbox."""

from datetime import timedelta

from farthing.books.transactions import lines, store
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import FLAG_SCHEMA, Parameter, Route, Runs
from farthing.kernel.clock import shift
from farthing.kernel.errors import Invalid, refuse_field
from farthing.overviews.inbox import find
from farthing.overviews.inbox.model import InboxReason

from . import wire

# Transactions that were imported longer ago than this are not listed as imported.
_IMPORTED_SINCE = timedelta(days=90)
_SECOND = timedelta(seconds=1)
_USUAL = (InboxReason.CATEGORY, InboxReason.IMPORTED)


def index(call: Call) -> Answer:
    inbox = find.find(
        call.db, call.user_id, _read_reasons(call), _imported_since(call), counts_only=call.flag("counts_only")
    )
    return Answer(wire.show(inbox))


def mark_seen(call: Call) -> Answer:
    """Marks imported transactions as looked at.

    Only sets the time of their last change. This can be undone like every change.
    """
    parsed = wire.read_seen(call.fields)
    parsed.require("ids")
    parsed.finish()
    split_ids = parsed.values.ids or []
    spots = lines.find_positions(call.db, call.user_id, split_ids)
    if gone := [str(split_id) for split_id in split_ids if split_id not in spots]:
        refuse_field("ids", f"The selected ids are invalid: there is no transaction {', '.join(gone)}.")
    entry_ids = sorted({spot.entry_id for spot in spots.values()})
    # One second later: times have no fractions, and this time must be later than an import in this very second.
    store.touch(call.db, call.user_id, entry_ids, shift(call.now, _SECOND))
    return Answer(Item(wire.SeenShown(len(entry_ids))))


def _imported_since(call: Call) -> str:
    """Returns the day since which imported transactions are listed.

    It is a day and not a time, so that the same books have the same inbox all day.
    """
    return shift(call.now, -_IMPORTED_SINCE)[:10]


def _read_reasons(call: Call) -> tuple[InboxReason, ...]:
    words = [word.strip() for word in call.query.get("reasons", "").split(",") if word.strip()]
    if any(word not in set(InboxReason) for word in words):
        refuse_field("reasons", f"The reasons must be any of: {', '.join(InboxReason)}.")
    return tuple(dict.fromkeys(InboxReason(word) for word in words)) or _USUAL


_REASONS = Parameter(
    "reasons",
    {"type": "string"},
    f"Any of {', '.join(InboxReason)}, comma-separated. Defaults to {', '.join(_USUAL)}.",
)
_COUNTS_ONLY = Parameter("counts_only", FLAG_SCHEMA, "Returns only the counts, and no groups.")
ROUTES = (
    Route(
        "GET", "/inbox", index, "List transactions that need a label or have not been looked at, grouped by payee",
        gives=wire.InboxShown, parameters=(_REASONS, _COUNTS_ONLY), fails=(Invalid,),
        runs=Runs(large=True, replica=True, varies=_imported_since),
    ),
    Route(
        "PUT", "/inbox", mark_seen, "Mark imported transactions as looked at",
        gives=Item[wire.SeenShown], takes=wire.SeenBody, requires=("ids",),
    ),
)  # fmt: skip
