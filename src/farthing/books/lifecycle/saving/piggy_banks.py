"""Adds, changes and removes piggy banks."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date

from farthing.kernel.errors import Conflict, Problem
from farthing.storage.change_log import restoring
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ...accounts import store as accounts
from ...attachments import store as attachments
from ...attachments.model import Model
from ...object_groups import store as object_groups
from ...piggy_banks import events, move, store
from ...piggy_banks.model import PiggyBank, PiggyBankDraft, Share
from ...recurrences import labels as recurrences
from ...transactions import links


def taken_problems(db: Unit, user_id: int, name: str | None, *, except_id: int) -> list[Problem]:
    if not name or not store.is_name_taken(db, user_id, name, except_id=except_id):
        return []
    return [Problem("name", "The name has already been taken by another of your piggy banks.")]


def add(db: Unit, user_id: int, draft: PiggyBankDraft, today: date, now: str) -> int:
    piggy_bank_id = store.add(db, user_id, draft, now)
    move.by_hand(db, user_id, piggy_bank_id, draft.shares, next(iter(draft.shares)), today, now)
    store.move_to_order(db, user_id, piggy_bank_id, draft.order)
    return piggy_bank_id


def change(db: Unit, user_id: int, piggy_bank: PiggyBank, draft: PiggyBankDraft, today: date, now: str) -> None:
    stored = store.load_shares(db, user_id, [piggy_bank.id])[piggy_bank.id]
    first_id = next(iter(draft.shares))
    held = _follow_accounts(db, user_id, piggy_bank.id, stored, draft.shares)
    store.change(db, user_id, piggy_bank.id, draft, stored, now)
    if any(share.account_id not in draft.shares for share in stored):
        _release_stranded(db, user_id, [piggy_bank.id], [], [])
    moved = {account_id: units - held.get(account_id, 0) for account_id, units in draft.shares.items()}
    move.by_hand(db, user_id, piggy_bank.id, moved, first_id, today, now)
    store.move_to_order(db, user_id, piggy_bank.id, draft.order)
    if draft.object_group_id != piggy_bank.object_group_id:
        object_groups.remove_empty(db, user_id)


def _follow_accounts(
    db: Unit, user_id: int, piggy_bank_id: int, stored: Sequence[Share], account_ids: Collection[int]
) -> dict[int, int]:
    """Assigns the events of a piggy bank to its new accounts, and returns what they add up to for each.

    The events of accounts that leave become events of the first account, and nothing will revert them.
    """
    first_id, former_id = next(iter(account_ids)), stored[0].account_id
    held = {share.account_id: share.units for share in stored}
    if first_id != former_id and former_id in account_ids:
        events.assign_account(db, user_id, piggy_bank_id, None, former_id)
    for share in stored:
        if share.account_id not in account_ids:
            event_account_id = share.account_id if share.share_id else None
            _release(db, user_id, events.find_entries(db, user_id, piggy_bank_id, event_account_id))
            events.assign_account(db, user_id, piggy_bank_id, event_account_id, None)
            held[first_id] = held.get(first_id, 0) + held.pop(share.account_id)
    if first_id in held and first_id != former_id:
        events.assign_account(db, user_id, piggy_bank_id, first_id, None)
    return held


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    """Removes piggy banks and their events. Transfers and recurrences stay, and so does the money in the account."""
    if not ids:
        return
    events.remove_of(db, user_id, ids)
    attachments.remove_of(db, user_id, Model.PIGGY_BANK, ids)
    links.release_piggy_banks(db, user_id, ids)
    recurrences.release_piggy_banks(db, user_id, ids)
    store.remove(db, user_id, ids)
    object_groups.remove_empty(db, user_id)


def leave_accounts(db: Unit, user_id: int, account_ids: Collection[int], now: str) -> None:
    """Takes accounts, which will be deleted, out of their piggy banks, together with the money and the events there.

    A piggy bank is removed with its last account.
    """
    shares = store.load_shares(db, user_id, store.find_of_accounts(db, user_id, account_ids))
    left = {bank: [share for share in all_ if share.account_id not in account_ids] for bank, all_ in shares.items()}
    remove(db, user_id, [piggy_bank_id for piggy_bank_id, rest in left.items() if not rest])
    left = {piggy_bank_id: rest for piggy_bank_id, rest in left.items() if rest}
    if left:
        headless = {piggy_bank_id: rest[0] for piggy_bank_id, rest in left.items() if rest[0].share_id}
        events.remove_of_accounts(db, user_id, account_ids, headless)
        events.make_first(db, user_id, [share.share_id for share in headless.values()])
        store.reduce(db, user_id, left, account_ids, now)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Unlinks transfers and recurrences from piggy banks whose account they no longer touch after the undo.

    Refuses the undo if the account of a restored piggy bank has another currency now.
    """
    piggy_bank_ids = undoing.list_touched("piggy_banks")
    _refuse_other_currency(db, user_id, undoing)
    yield
    entry_ids, recurrence_ids = undoing.list_touched("entries"), undoing.list_touched("recurrences")
    if not (piggy_bank_ids or entry_ids or recurrence_ids):
        return
    _release_stranded(db, user_id, piggy_bank_ids, entry_ids, recurrence_ids)
    if piggy_bank_ids:
        store.close_gaps(db, user_id)


def _release_stranded(
    db: Unit, user_id: int, piggy_bank_ids: list[int], entry_ids: list[int], recurrence_ids: list[int]
) -> None:
    _release(db, user_id, links.find_stranded(db, user_id, piggy_bank_ids, entry_ids))
    recurrences.release_stranded(db, user_id, piggy_bank_ids, recurrence_ids)


def _release(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    if entry_ids:
        events.detach_from_entries(db, user_id, entry_ids)
        links.leave_piggy_banks(db, user_id, entry_ids)


def _refuse_other_currency(db: Unit, user_id: int, undoing: Undoing) -> None:
    """Refuses the undo if a piggy bank's account has another currency now, as the restored amounts are in the former
    one.
    """
    if not undoing.list_touched("piggy_banks"):
        return
    account_ids = {
        account_id
        for table in ("piggy_banks", "piggy_bank_shares")
        for account_id in restoring.read_former(db, user_id, undoing.revision, table, "account_id").values()
    }
    now = accounts.currencies(db, user_id, sorted(account_ids))
    then = restoring.read_former_at(db, user_id, undoing.revision, "accounts", "currency_id", account_ids)
    for account_id, currency_id in then.items():
        if now.get(account_id) != currency_id:
            raise Conflict(f"Not undone: the currency of account {account_id} has changed since. Change it back first.")
