"""Chooses the accounts that charts show if nothing else is requested."""

from collections.abc import Sequence

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.books.preferences import store as preferences
from farthing.ledger.kinds import ASSETS
from farthing.storage.unit import Unit


def choose(db: Unit, user_id: int, *, most: int) -> list[Account]:
    """Returns the accounts in the preference `frontPageAccounts`, or else the active asset accounts."""
    preference = preferences.get_named(db, user_id, "frontPageAccounts")
    if preference and isinstance(preference.data, list) and preference.data:
        return in_order(db, user_id, [int(str(account_id)) for account_id in preference.data[:most]])
    _, owned = accounts.page(db, user_id, ASSETS, limit=most, offset=0)
    return [account for account in owned if account.active]


def in_order(db: Unit, user_id: int, account_ids: Sequence[int]) -> list[Account]:
    by_id = {account.id: account for account in accounts.get_some(db, user_id, account_ids)}
    return [by_id[account_id] for account_id in dict.fromkeys(account_ids) if account_id in by_id]
