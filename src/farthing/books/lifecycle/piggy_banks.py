"""Adds, changes and removes piggy banks, and checks that they hold no more than their account."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date

from farthing.kernel.errors import Conflict, Problem
from farthing.kernel.money import as_text
from farthing.ledger.kinds import ASSETS
from farthing.storage.change_log import restoring
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..accounts import store as accounts
from ..accounts.model import Account
from ..attachments import store as attachments
from ..attachments.model import Model
from ..object_groups import store as object_groups
from ..piggy_banks import events, move, store
from ..piggy_banks.model import PiggyBank, PiggyBankDraft
from ..recurrences import labels as recurrences
from ..transactions import links


def taken_problems(db: Unit, user_id: int, name: str | None, *, except_id: int) -> list[Problem]:
    if not name or not store.is_name_taken(db, user_id, name, except_id=except_id):
        return []
    return [Problem("name", "The name has already been taken by another of your piggy banks.")]


def account_problems(account: Account | None, stored: PiggyBank | None) -> list[Problem]:
    """Checks that the account is an asset account.

    A stored piggy bank may only move to an account in the same currency.
    """
    if account is None or account.kind not in ASSETS:
        reason = "it must be an asset account of yours"
    elif stored and account.currency != stored.currency:
        reason = f"it must be an account in {stored.currency.code}, like the previous account"
    else:
        return []
    return [Problem("account_id", f"The selected account id is invalid: {reason}.")]


def too_much_problems(
    db: Unit, user_id: int, account: Account, draft: PiggyBankDraft, stored: PiggyBank | None, today: date
) -> list[Problem]:
    """Refuses to add money if the piggy banks would then hold more than their account. Never refuses a removal."""
    before = stored.current_units if stored and stored.account_id == account.id else 0
    target_units = draft.current_units if draft.current_units is not None else stored.current_units if stored else 0
    if target_units <= before:
        return []
    later = accounts.sum_booked_after(db, user_id, [account.id], today)[account.id]
    elsewhere = store.sum_set_aside(db, user_id, account.id, except_id=stored.id if stored else 0)
    free = max(0, account.total_units - later - elsewhere)
    if target_units <= free:
        return []
    amount = f"{as_text(free, account.currency.places)} {account.currency.code}"
    field = "current_amount" if draft.current_units is not None else "account_id"
    return [Problem(field, f"The account “{account.name}” holds only {amount} that is not yet set aside.")]


def add(db: Unit, user_id: int, draft: PiggyBankDraft, today: date, now: str) -> int:
    piggy_bank_id = store.add(db, user_id, draft, now)
    units = draft.current_units or 0
    if units:
        store.fill(db, user_id, {piggy_bank_id: units}, now)
    move.by_hand(db, user_id, piggy_bank_id, units, today, now)
    store.move_to_order(db, user_id, piggy_bank_id, draft.order)
    return piggy_bank_id


def change(db: Unit, user_id: int, piggy_bank: PiggyBank, draft: PiggyBankDraft, today: date, now: str) -> None:
    units = piggy_bank.current_units if draft.current_units is None else draft.current_units
    moves = draft.account_id != piggy_bank.account_id
    if moves:
        events.detach_from_transfers(db, user_id, piggy_bank.id)  # past moves stay as they are
        links.release_piggy_banks(db, user_id, [piggy_bank.id])
    store.change(db, user_id, piggy_bank.id, draft, now, current_units=units)
    if moves:
        recurrences.release_stranded(db, user_id, [piggy_bank.id], [])
    move.by_hand(db, user_id, piggy_bank.id, units - piggy_bank.current_units, today, now)
    store.move_to_order(db, user_id, piggy_bank.id, draft.order)
    if draft.object_group_id != piggy_bank.object_group_id:
        object_groups.remove_empty(db, user_id)


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


def remove_of_accounts(db: Unit, user_id: int, account_ids: Collection[int]) -> None:
    piggy_banks = store.of_accounts(db, user_id, account_ids)
    remove(db, user_id, [piggy_bank.id for of_account in piggy_banks.values() for piggy_bank in of_account])


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
    stranded = links.find_stranded(db, user_id, piggy_bank_ids, entry_ids)
    if stranded:
        events.detach_from_entries(db, user_id, stranded)
        links.leave_piggy_banks(db, user_id, stranded)
    recurrences.release_stranded(db, user_id, piggy_bank_ids, recurrence_ids)
    if piggy_bank_ids:
        store.close_gaps(db, user_id)


def _refuse_other_currency(db: Unit, user_id: int, undoing: Undoing) -> None:
    """Refuses the undo if a piggy bank's account has another currency now, as the restored amounts are in the former
    one.
    """
    if not undoing.list_touched("piggy_banks"):
        return
    account_ids = set(restoring.read_former(db, user_id, undoing.revision, "piggy_banks", "account_id").values())
    now = accounts.currencies(db, user_id, sorted(account_ids))
    then = restoring.read_former_at(db, user_id, undoing.revision, "accounts", "currency_id", account_ids)
    for account_id, currency_id in then.items():
        if now.get(account_id) != currency_id:
            raise Conflict(f"Not undone: the currency of account {account_id} has changed since. Change it back first.")
