"""How are labels answered? What categories, budgets and tags share."""

from collections.abc import Sequence
from dataclasses import replace

from ..errors import Problem
from ..http.call import Call
from ..http.relatives import USER
from ..ledger.entry import Label
from . import store
from .model import Sums, taken_problem

# Labels always bring their owner along.
OWNER = replace(USER, default=True)


def sums_of(call: Call, label: Label, label_ids: Sequence[int]) -> dict[int, Sums]:
    """From `start` to `end`, when both are given; else of all time."""
    chosen = call.range()
    return store.sums(call.db, call.user_id, label, label_ids, (chosen.start, chosen.end) if chosen else None)


def taken(call: Call, label: Label, field: str, name: str | None, label_id: int) -> list[Problem]:
    """`label_id` is that of the label itself, 0 of a new one."""
    if name is None or not store.taken(call.db, call.user_id, label, name, except_id=label_id):
        return []
    return [taken_problem(label, field)]
