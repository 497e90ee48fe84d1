"""Lets helper accounts follow the accounts that they help."""

from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit

from .model import helper_name


def follow(db: Unit, user_id: int, account_ids: list[int], now: str) -> None:
    """Gives each helper account the name and the currency of its account."""
    sql = """
        SELECT h.id, h.kind, h.name, h.currency_id, a.name, a.currency_id FROM accounts h
        JOIN accounts a ON a.user_id = h.user_id AND a.id = h.helps_id
        WHERE h.user_id = :user_id AND h.helps_id IN :account_ids ORDER BY h.id
    """
    rows = db.all(sql, user_id=user_id, account_ids=account_ids)
    following = {
        helper_id: {"name": new_name, "name_fold": fold(new_name), "currency_id": currency_id}
        for helper_id, kind, name, helper_currency_id, account_name, currency_id in rows
        if (new_name := helper_name(Kind(kind), account_name), currency_id) != (name, helper_currency_id)
    }
    changes.update_each(db, "accounts", user_id, following, now=now)
