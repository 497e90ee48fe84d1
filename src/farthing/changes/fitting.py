"""Would what comes back still fit what is there by now? The routes hold these rules; an undo goes around the routes."""

from collections.abc import Sequence

from ..accounts import store as accounts
from ..budget_limits import store as budget_limits
from ..errors import Conflict
from ..piggy_banks import store as piggy_banks
from ..storage.unit import Unit
from ..transactions import refit
from . import store
from .model import Change, Image


def recoined(db: Unit, user_id: int, done: Sequence[Image]) -> list[int]:
    """The accounts that get another currency back."""
    before = {
        one.object_id: one.before["currency_id"]
        for one in done
        if one.kind == "accounts" and one.action == "changed" and one.before and "currency_id" in one.before
    }
    now = accounts.currencies(db, user_id, list(before))
    return [account_id for account_id, currency_id in before.items() if now.get(account_id) != currency_id]


def refuse_other_coin(db: Unit, user_id: int, change: Change, done: Sequence[Image], recoins: Sequence[int]) -> None:
    """What is in a piggy bank is counted in its account's currency, and would be worth something else in another."""
    for account_id in recoins:
        if piggy_banks.has_any(db, user_id, account_id):
            raise Conflict(f"Not undone: account {account_id} has piggy banks by now, in its currency of today.")
    filled = sorted({int(one.before["account_id"]) for one in done if one.kind == "piggy_banks" and one.before})
    now = accounts.currencies(db, user_id, filled)
    for account_id, currency_id in store.currencies_at(db, user_id, filled, change.revision).items():
        if now.get(account_id) != currency_id:
            raise Conflict(f"Not undone: account {account_id} has another currency by now. Change it back first.")


def refuse_misfits(db: Unit, user_id: int, done: Sequence[Image], entry_ids: list[int], recoins: list[int]) -> None:
    """Once all is back, and before it is counted."""
    account_id = refit.opened_in_other_currency(db, user_id, entry_ids, recoins)
    if account_id is not None:
        raise Conflict(f"Not undone: the opening balance of account {account_id} would be in another currency.")
    limit_ids = [one.object_id for one in done if one.kind == "budget_limits" and one.action != "created"]
    overlap = budget_limits.first_overlap(db, user_id, limit_ids)
    if overlap:
        raise Conflict(f"Not undone: budget limit {overlap[0]} would overlap with {overlap[1]}. Delete that first.")
