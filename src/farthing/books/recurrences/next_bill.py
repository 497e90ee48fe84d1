"""Tells which bill the next transaction of a recurrence will pay, as firing decides it; nothing is written."""

from collections.abc import Sequence
from datetime import date

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..bills import pay
from ..rules.foresee import foresee_new
from . import fire
from .model import Recurrence


def find_next_bills(db: Unit, user_id: int, recurrences: Sequence[Recurrence], today: date) -> dict[int, int]:
    """By recurrence; a few queries for any number of them."""
    paying = [one for one in recurrences if one.type == Type.WITHDRAWAL]
    ruled, plain = ([one for one in paying if one.apply_rules is applies] for applies in (True, False))
    entries = foresee_new(db, user_id, [fire.next_entry(one, today) for one in ruled], [one.tags for one in ruled])
    entries += [fire.next_entry(one, today) for one in plain]
    chosen = pay.choose_bills(db, user_id, entries)
    return {one.id: entry.bill_id for one, entry in zip([*ruled, *plain], chosen, strict=True) if entry.bill_id}
