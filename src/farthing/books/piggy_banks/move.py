"""Moves money into and out of piggy banks, either by hand or together with a transfer in the same unit of work."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from farthing.kernel.errors import Invalid, Problem
from farthing.ledger.entry import Entry
from farthing.storage.unit import Unit

from . import events, store
from .events import EventDraft
from .model import Pot, misfit, sides, units_moved

_FIELD = "piggy_bank_id"
NO_SUCH = "The selected piggy bank ID is invalid: there is no such piggy bank."
# Entries reverted per batch.
_BATCH = 1000


def apply(db: Unit, user_id: int, numbered: Sequence[tuple[int, Entry]], now: str) -> None:
    """Moves the amounts of the given transfers into or out of their piggy banks, in order.

    The number of statements does not depend on the number of transfers.
    """
    saving = [(entry_id, entry) for entry_id, entry in numbered if entry.piggy_bank_id]
    if not saving:
        return
    before = store.pots(db, user_id, {entry.piggy_bank_id for _, entry in saving if entry.piggy_bank_id})
    pots, drafts = dict(before), []
    for entry_id, entry in saving:
        assert entry.piggy_bank_id is not None
        pot, on = _refuse_misfit(entry, pots.get(entry.piggy_bank_id)), entry.on.isoformat()
        touched = {share.account_id for share in pot.shares} & sides(entry)
        moved = {account_id: units_moved(entry, account_id) for account_id in touched}
        for after, account_id, units in pot.move(moved):
            pots[pot.id] = after
            drafts.append(
                EventDraft(piggy_bank_id=pot.id, entry_id=entry_id, units=units, on=on, account_id=account_id)
            )
    _write(db, user_id, before, pots, drafts, now)


def undo(db: Unit, user_id: int, entry_ids: Sequence[int]) -> None:
    """Reverts what the given entries moved into or out of piggy banks. Call it before changing or deleting entries."""
    for first in range(0, len(entry_ids), _BATCH):
        _undo(db, user_id, list(entry_ids[first : first + _BATCH]))


def _undo(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Reverts what the given entries moved into or out of piggy banks.

    An amount that cannot be reverted, because the piggy bank was emptied or filled since, stays in its history as an
    event without a transfer.
    """
    moves = events.take_of_entries(db, user_id, entry_ids)
    if not moves:
        return
    assert db.author is not None, "a write takes its user first"
    before = store.pots(db, user_id, {move.piggy_bank_id for move in moves})
    pots, rest = dict(before), []
    for pot in before.values():
        of_pot = [move for move in moves if move.piggy_bank_id == pot.id]
        on, units_by_account = max(move.on for move in of_pot), Counter[int]()
        for move in of_pot:
            units_by_account[pot.account_id_of(move.account_id)] += move.units
        left = Counter(units_by_account)
        for after, account_id, back in pot.move({each: -units for each, units in units_by_account.items()}):
            pots[pot.id] = after
            left[pot.account_id_of(account_id)] += back
        rest += _write_events(pot.id, left, pot.shares[0].account_id, on)
    _write(db, user_id, before, pots, rest, db.author.at)


def by_hand(
    db: Unit, user_id: int, piggy_bank_id: int, units_by_account: Mapping[int, int], first_id: int, on: date, now: str
) -> None:
    """Records events for a change by hand; the amounts of the piggy bank are already updated.

    `first_id` is the first account of the piggy bank.
    """
    events.add(db, user_id, _write_events(piggy_bank_id, units_by_account, first_id, on.isoformat()), now)


def _write_events(piggy_bank_id: int, units_by_account: Mapping[int, int], first_id: int, on: str) -> list[EventDraft]:
    return [
        EventDraft(
            piggy_bank_id=piggy_bank_id,
            entry_id=None,
            units=units,
            on=on,
            account_id=None if account_id == first_id else account_id,
        )
        for account_id, units in units_by_account.items()
        if units
    ]


def keep_piggy_bank(db: Unit, user_id: int, entry: Entry, piggy_bank_id: int | None) -> Entry:
    """Restores the previous piggy bank if a changed transfer names none and still touches that piggy bank's account."""
    if piggy_bank_id is None or entry.piggy_bank_id is not None:
        return entry
    pot = store.pots(db, user_id, [piggy_bank_id]).get(piggy_bank_id)
    if pot is None or misfit(entry.type, [share.account_id for share in pot.shares], sides(entry)):
        return entry
    return replace(entry, piggy_bank_id=piggy_bank_id)


def _refuse_misfit(entry: Entry, pot: Pot | None) -> Pot:
    """Raises an error if the piggy bank does not fit the transfer. Only transfers in requests were checked earlier."""
    if pot is None:
        raise Invalid([Problem(_FIELD, NO_SUCH)])
    reason = misfit(entry.type, [share.account_id for share in pot.shares], sides(entry))
    if reason:
        raise Invalid([Problem(_FIELD, f"The piggy bank ID {reason}.")])
    return pot


def _write(
    db: Unit, user_id: int, before: dict[int, Pot], after: dict[int, Pot], drafts: Sequence[EventDraft], now: str
) -> None:
    filled = [pot for pot in after.values() if pot != before[pot.id]]
    if filled:
        store.fill(db, user_id, filled, now)
    if drafts:
        events.add(db, user_id, drafts, now)
