"""Adds, changes and removes piggy banks, and checks that they hold no more than their account."""

from datetime import date

from farthing.kernel.errors import Problem
from farthing.kernel.money import as_text
from farthing.ledger.kinds import ASSETS
from farthing.storage.unit import Unit

from ..accounts import store as accounts
from ..accounts.model import Account
from ..piggy_banks import events, move, store
from ..piggy_banks.model import PiggyBank, PiggyBankDraft
from ..recurrences import store as recurrences
from ..transactions import links


def taken_problems(db: Unit, user_id: int, name: str | None, *, except_id: int) -> list[Problem]:
    if not name or not store.is_name_taken(db, user_id, name, except_id=except_id):
        return []
    return [Problem("name", "The name has already been taken by another of your piggy banks.")]


def account_problems(account: Account | None, kept: PiggyBank | None) -> list[Problem]:
    """Must be an asset account; on a change, one with the same currency."""
    if account is None or account.kind not in ASSETS:
        reason = "it must be an asset account of yours"
    elif kept and account.currency != kept.currency:
        reason = f"it must be an account in {kept.currency.code}, as the one before"
    else:
        return []
    return [Problem("account_id", f"The selected account id is invalid: {reason}.")]


def too_much_problems(
    db: Unit, user_id: int, account: Account, draft: PiggyBankDraft, kept: PiggyBank | None, today: date
) -> list[Problem]:
    """Nobody can set aside more than the account holds. Checked only when money is added: earlier savings may stay."""
    before = kept.current_units if kept and kept.account_id == account.id else 0
    wanted = draft.current_units if draft.current_units is not None else kept.current_units if kept else 0
    if wanted <= before:
        return []
    later = accounts.sum_booked_after(db, user_id, [account.id], today)[account.id]
    elsewhere = store.sum_set_aside(db, user_id, account.id, except_id=kept.id if kept else 0)
    free = max(0, account.total_units - later - elsewhere)
    if wanted <= free:
        return []
    amount = f"{as_text(free, account.currency.places)} {account.currency.code}"
    field = "current_amount" if draft.current_units is not None else "account_id"
    return [Problem(field, f"The account “{account.name}” holds only {amount} that is not set aside already.")]


def add(db: Unit, user_id: int, draft: PiggyBankDraft, today: date, now: str) -> int:
    piggy_bank_id = store.add(db, user_id, draft, now)
    units = draft.current_units or 0
    if units:
        store.fill(db, user_id, {piggy_bank_id: units}, now)
    move.by_hand(db, user_id, piggy_bank_id, units, today, now)
    if draft.order:
        store.place(db, user_id, piggy_bank_id, draft.order)
    return piggy_bank_id


def change(db: Unit, user_id: int, kept: PiggyBank, draft: PiggyBankDraft, today: date, now: str) -> None:
    units = kept.current_units if draft.current_units is None else draft.current_units
    if draft.account_id != kept.account_id:
        _leave_account(db, user_id, kept.id, draft.account_id)
    store.change(db, user_id, kept.id, draft, units, now)
    move.by_hand(db, user_id, kept.id, units - kept.current_units, today, now)
    if draft.order:
        store.place(db, user_id, kept.id, draft.order)


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    """Also deletes their events. The money never left its account; transfers and recurrences stay."""
    if not ids:
        return
    events.remove_of(db, user_id, ids)
    links.release_piggy_banks(db, user_id, ids)
    recurrences.release_piggy_banks(db, user_id, ids)
    store.remove(db, user_id, ids)


def remove_of_account(db: Unit, user_id: int, account_id: int) -> None:
    found = store.of_accounts(db, user_id, [account_id])[account_id]
    remove(db, user_id, [one.id for one in found])


def _leave_account(db: Unit, user_id: int, piggy_bank_id: int, account_id: int) -> None:
    """Past moves stay as they are; recurrences that do not touch the new account lose the piggy bank."""
    events.detach_from_transfers(db, user_id, piggy_bank_id)
    links.release_piggy_banks(db, user_id, [piggy_bank_id])
    recurrences.release_piggy_banks(db, user_id, [piggy_bank_id], except_account_id=account_id)
