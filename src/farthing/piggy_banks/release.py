"""What happens when piggy banks go, or change their account? Transfers and recurrences stay, without them."""

from ..recurrences import store as recurrences
from ..storage.unit import Unit
from ..transactions import links
from . import events, store


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    """With all that moved in and out of them; the money itself never left its account."""
    if not ids:
        return
    events.remove_of(db, user_id, ids)
    links.release_piggy_banks(db, user_id, ids)
    recurrences.release_piggy_banks(db, user_id, ids)
    store.remove(db, user_id, ids)


def remove_of_account(db: Unit, user_id: int, account_id: int) -> None:
    found = store.of_accounts(db, user_id, [account_id])[account_id]
    remove(db, user_id, [one.id for one in found])


def leave_account(db: Unit, user_id: int, piggy_bank_id: int, account_id: int) -> None:
    """What old transfers moved stays moved; recurrences that do not touch the new account lose their piggy bank."""
    events.let_go(db, user_id, piggy_bank_id)
    links.release_piggy_banks(db, user_id, [piggy_bank_id])
    recurrences.release_piggy_banks(db, user_id, [piggy_bank_id], except_account_id=account_id)
