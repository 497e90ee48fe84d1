"""Checks that restored rows still fit the current ones; an undo bypasses the checks of the routes."""

from collections.abc import Sequence

from farthing.books.accounts import store as accounts
from farthing.books.budget_limits import store as budget_limits
from farthing.books.piggy_banks import store as piggy_banks
from farthing.books.transactions import derived
from farthing.kernel.errors import Conflict
from farthing.storage.unit import Unit

from . import store
from .model import Change, Image

# What is looked at here; it takes no more than a few of these at once.
KINDS = ("accounts", "piggy_banks", "budget_limits")


def find_currency_changes(db: Unit, user_id: int, done: Sequence[Image]) -> list[int]:
    """The accounts whose currency the undo would change."""
    before = {
        one.object_id: one.before["currency_id"]
        for one in done
        if one.kind == "accounts" and one.action == "changed" and one.before and "currency_id" in one.before
    }
    now = accounts.currencies(db, user_id, list(before))
    return [account_id for account_id, currency_id in before.items() if now.get(account_id) != currency_id]


def refuse_currency_conflicts(
    db: Unit, user_id: int, change: Change, done: Sequence[Image], recoins: Sequence[int]
) -> None:
    """Piggy banks are counted in the currency of their account, so that must not change under them."""
    for account_id in recoins:
        if piggy_banks.has_any(db, user_id, account_id):
            raise Conflict(f"Not undone: account {account_id} now has piggy banks in its current currency.")
    filled = sorted({int(one.before["account_id"]) for one in done if one.kind == "piggy_banks" and one.before})
    now = accounts.currencies(db, user_id, filled)
    for account_id, currency_id in store.load_currencies_at(db, user_id, filled, change.revision).items():
        if now.get(account_id) != currency_id:
            raise Conflict(f"Not undone: account {account_id} now has another currency. Change it back first.")


def refuse_misfits(db: Unit, user_id: int, done: Sequence[Image], entry_ids: list[int], recoins: list[int]) -> None:
    """Called after all rows are restored and before sums are updated."""
    account_id = derived.find_account_opened_in_other_currency(db, user_id, entry_ids, recoins)
    if account_id is not None:
        raise Conflict(f"Not undone: the opening balance of account {account_id} would be in another currency.")
    limit_ids = [one.object_id for one in done if one.kind == "budget_limits" and one.action != "created"]
    overlap = budget_limits.first_overlap(db, user_id, limit_ids)
    if overlap:
        raise Conflict(f"Not undone: budget limit {overlap[0]} would overlap with {overlap[1]}. Delete that first.")
