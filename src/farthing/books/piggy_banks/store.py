"""Stores piggy banks and the amounts in them."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records
from farthing.storage.unit import Unit, columns_of

from .model import PiggyBank, PiggyBankDraft, Pot

_PIGGY_BANK = f"""
SELECT p.id, p.name, p.account_id, a.name AS account_name, {columns_of(Currency, "c", "currency")}, p.target_units,
    p.current_units, p.start_on, p.target_on, p.position AS "order", p.active, p.notes, p.created_at, p.updated_at,
    p.object_group_id, g.title AS object_group_title, g.position AS object_group_order
FROM piggy_banks p
LEFT JOIN object_groups g ON g.user_id = p.user_id AND g.id = p.object_group_id
JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
JOIN currencies c ON c.id = a.currency_id
"""
_PIGGY_BANKS = Records[PiggyBank, PiggyBankDraft](
    PiggyBank, "piggy_banks", _PIGGY_BANK, alias="p.", order="p.position, p.id", elsewhere=["order"]
)
get, get_some, change = _PIGGY_BANKS.get, _PIGGY_BANKS.get_some, _PIGGY_BANKS.change
move_to_order, close_gaps = _PIGGY_BANKS.move_to_order, _PIGGY_BANKS.close_gaps


def page(
    db: Unit,
    user_id: int,
    *,
    limit: int,
    offset: int,
    account_id: int | None = None,
    object_group_id: int | None = None,
) -> tuple[int, list[PiggyBank]]:
    """Lists all piggy banks, or those of an account or of a group."""
    if account_id is None and object_group_id is None:
        return _PIGGY_BANKS.page(db, user_id, limit=limit, offset=offset)
    column = "account_id" if object_group_id is None else "object_group_id"
    owner_id = account_id if object_group_id is None else object_group_id
    return _PIGGY_BANKS.page(db, user_id, f"p.{column} = :owner_id", limit=limit, offset=offset, owner_id=owner_id)


def of_accounts(db: Unit, user_id: int, account_ids: Collection[int]) -> dict[int, list[PiggyBank]]:
    """Returns piggy banks by account, in one query."""
    piggy_banks: dict[int, list[PiggyBank]] = defaultdict(list)
    for piggy_bank in _PIGGY_BANKS.find(db, user_id, "p.account_id IN :ids", ids=sorted(account_ids)):
        piggy_banks[piggy_bank.account_id].append(piggy_bank)
    return piggy_banks


def has_any(db: Unit, user_id: int, account_id: int) -> bool:
    sql = "SELECT 1 FROM piggy_banks WHERE user_id = :user_id AND account_id = :account_id LIMIT 1"
    return bool(db.value(sql, user_id=user_id, account_id=account_id))


def sum_set_aside(db: Unit, user_id: int, account_id: int, *, except_id: int) -> int:
    """Sums the amounts in all piggy banks of the account but `except_id`. Sums in Python, to avoid an overflow."""
    sql = "SELECT current_units FROM piggy_banks WHERE user_id = :user_id AND account_id = :account_id AND id <> :id"
    return sum(units for (units,) in db.all(sql, user_id=user_id, account_id=account_id, id=except_id))


def is_name_taken(db: Unit, user_id: int, name: str, *, except_id: int) -> bool:
    return _PIGGY_BANKS.is_taken(db, user_id, column="name_fold", value=fold(name), except_id=except_id)


class NamedPiggyBank(Struct, frozen=True):
    """Identifies a piggy bank that a transaction refers to by its id or name."""

    id: int
    name_fold: str
    account_id: int


def find_named(db: Unit, user_id: int, ids: Collection[int], folds: Collection[str]) -> list[NamedPiggyBank]:
    if not ids and not folds:
        return []
    sql = """
        SELECT id, name_fold, account_id FROM piggy_banks WHERE user_id = :user_id AND id IN :ids
        UNION
        SELECT id, name_fold, account_id FROM piggy_banks WHERE user_id = :user_id AND name_fold IN :folds
    """
    return db.structs(NamedPiggyBank, sql, user_id=user_id, ids=sorted(ids), folds=sorted(folds))


def pots(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, Pot]:
    sql = """
        SELECT id, account_id, target_units, current_units FROM piggy_banks
        WHERE user_id = :user_id AND id IN :ids ORDER BY id
    """
    pots = db.structs(Pot, sql, user_id=user_id, ids=sorted(ids))
    return {pot.id: pot for pot in pots}


def fill(db: Unit, user_id: int, current: Mapping[int, int], now: str) -> None:
    """Sets the amount in each piggy bank; the caller records the events."""
    rows = {piggy_bank_id: {"current_units": units} for piggy_bank_id, units in current.items()}
    changes.update_each(db, "piggy_banks", user_id, rows, now=now)


def add(db: Unit, user_id: int, draft: PiggyBankDraft, now: str) -> int:
    """Adds a piggy bank, empty and last in order."""
    return _PIGGY_BANKS.add_last(db, user_id, draft, now, current_units=0)


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    """Removes piggy banks. The caller must remove their events and all references to them first."""
    changes.delete(db, "piggy_banks", user_id, "id IN :ids", ids=ids)
    close_gaps(db, user_id)
