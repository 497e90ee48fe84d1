"""Predicts which bill the next transaction of a recurrence will pay, as firing decides it; writes nothing."""

from collections.abc import Sequence
from datetime import date

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..bills import pay
from ..rules.foresee import foresee_new
from . import fire
from .model import Recurrence


def find_next_bills(db: Unit, user_id: int, recurrences: Sequence[Recurrence], today: date) -> dict[int, int]:
    """Returns the ids of bills by recurrence, with a few queries for all."""
    paying = [recurrence for recurrence in recurrences if recurrence.type == Type.WITHDRAWAL]
    ruled, plain = (
        [recurrence for recurrence in paying if recurrence.apply_rules is applies] for applies in (True, False)
    )
    entries = foresee_new(
        db,
        user_id,
        [fire.next_entry(recurrence, today) for recurrence in ruled],
        [recurrence.tags for recurrence in ruled],
    )
    entries += [fire.next_entry(recurrence, today) for recurrence in plain]
    chosen = pay.choose_bills(db, user_id, entries)
    return {
        recurrence.id: entry.bill_id
        for recurrence, entry in zip([*ruled, *plain], chosen, strict=True)
        if entry.bill_id
    }
