"""Orders the user's own accounts. The order is the preference `accountOrder`; accounts that it omits follow by name.

Assets and liabilities are numbered separately, from 1.
"""

from collections.abc import Collection, Sequence

from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind
from farthing.storage.unit import Unit

from ...accounts import store as accounts
from ...accounts.model import Account
from ...preferences import store as preferences
from ...preferences.model import ACCOUNT_ORDER, put_first

_TYPES = (ASSETS, LIABILITIES)


def page(db: Unit, user_id: int, kinds: frozenset[Kind], *, limit: int, offset: int) -> tuple[int, list[Account]]:
    """Lists the user's own assets and then liabilities in their order, followed by all other accounts by name."""
    ordered = _list_ordered(db, user_id).items()
    own_ids = [account_id for type_ in _TYPES for account_id, kind in ordered if kind in type_ & kinds]
    ids = own_ids[offset : offset + limit]
    own = {account.id: account for account in accounts.get_some(db, user_id, ids)}
    others = kinds - ASSETS - LIABILITIES
    count, rest = 0, list[Account]()
    if others:
        left = max(0, offset - len(own_ids))
        count, rest = accounts.page(db, user_id, others, limit=limit - len(ids), offset=left)
    return len(own_ids) + count, [*(own[account_id] for account_id in ids), *rest]


def number(db: Unit, user_id: int) -> dict[int, int]:
    """Maps the id of each of the user's own accounts to its number."""
    ordered = _list_ordered(db, user_id).items()
    ids = ([account_id for account_id, kind in ordered if kind in type_] for type_ in _TYPES)
    return {account_id: order for of_type in ids for order, account_id in enumerate(of_type, start=1)}


def move(db: Unit, user_id: int, account_id: int, order: int, now: str) -> None:
    """Moves one of the user's own accounts to a place among those of its type. Other accounts have no order."""
    before = _list_ordered(db, user_id)
    type_ = next((type_ for type_ in _TYPES if before.get(account_id) in type_), frozenset[Kind]())
    moved = [other for other, kind in before.items() if kind in type_ and other != account_id]
    moved.insert(order - 1, account_id)
    following = iter(moved)
    after = [next(following) if kind in type_ else other for other, kind in before.items()]
    preference = preferences.get_named(db, user_id, ACCOUNT_ORDER)
    if after != list(before) and preference:
        names: list[str | int] = [str(other) for other in after]
        preferences.change(db, user_id, preference.id, names, now)


def arrange(db: Unit, user_id: int, ids: Sequence[int], now: str) -> None:
    """Puts accounts into this order, before all others, unless the user has ordered accounts already."""
    preference = preferences.get_named(db, user_id, ACCOUNT_ORDER)
    ordered = [account_id for account_id in _list_ordered(db, user_id) if account_id in set(ids)]
    if preference and not preference.data and ordered != list(ids):
        preferences.change(db, user_id, preference.id, [str(account_id) for account_id in ids], now)


def forget(db: Unit, user_id: int, ids: Collection[int], now: str) -> None:
    """Removes accounts from the order."""
    preference = preferences.get_named(db, user_id, ACCOUNT_ORDER)
    if preference is None or not isinstance(preference.data, list):
        return
    left = [each for each in preference.data if str(each) not in set(map(str, ids))]
    if left != preference.data:
        preferences.change(db, user_id, preference.id, left, now)


def _list_ordered(db: Unit, user_id: int) -> dict[int, Kind]:
    own = accounts.list_kinds(db, user_id, ASSETS | LIABILITIES)
    first = preferences.values(db, user_id, (ACCOUNT_ORDER,))[ACCOUNT_ORDER]
    return dict(put_first(list(own.items()), first, key=lambda account: account[0]))
