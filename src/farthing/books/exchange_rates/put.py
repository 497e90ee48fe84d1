"""Stores many rates of a user at once: adds new ones, and replaces those of the same pair and day."""

from collections.abc import Sequence

from msgspec import Struct

from farthing.storage.unit import Unit

from . import store
from .model import ExchangeRateDraft, write_rate


class PutCounts(Struct, frozen=True):
    created: int
    changed: int
    unchanged: int


def put(db: Unit, user_id: int, drafts: Sequence[ExchangeRateDraft], now: str) -> PutCounts:
    """Stores the drafts, no two of which may be of the same pair and day."""
    stored = store.load_of_days(db, user_id, {draft.on.isoformat() for draft in drafts})
    added = [draft for draft in drafts if draft.pair_and_day not in stored]
    changed = {
        stored[draft.pair_and_day][0]: draft
        for draft in drafts
        if draft.pair_and_day in stored and stored[draft.pair_and_day][1] != write_rate(draft.rate)
    }
    if added:
        store.add_all(db, user_id, added, now)
    if changed:
        store.change_all(db, user_id, changed, now)
    return PutCounts(created=len(added), changed=len(changed), unchanged=len(drafts) - len(added) - len(changed))
