"""Stores piggy banks, and what they hold."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.unit import Row, Unit, columns_of, page_of

from .model import PiggyBank, PiggyBankDraft, Pot

_PIGGY_BANK = f"""
SELECT p.id, p.name, p.account_id, a.name AS account_name, {columns_of(Currency, "c", "currency")}, p.target_units,
    p.current_units, p.start_on, p.target_on, p.position AS "order", p.active, p.notes, p.created_at, p.updated_at
FROM piggy_banks p
JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
JOIN currencies c ON c.id = a.currency_id
"""
_ORDER = "p.position, p.id"


def get(db: Unit, user_id: int, piggy_bank_id: int) -> PiggyBank | None:
    sql = f"{_PIGGY_BANK} WHERE p.user_id = :user_id AND p.id = :id"
    return db.struct(PiggyBank, sql, user_id=user_id, id=piggy_bank_id)


def page(
    db: Unit, user_id: int, *, limit: int, offset: int, account_id: int | None = None
) -> tuple[int, list[PiggyBank]]:
    """Lists all of a user, or those of one account."""
    where = "p.user_id = :user_id" if account_id is None else "p.user_id = :user_id AND p.account_id = :account_id"
    of = {"user_id": user_id} if account_id is None else {"user_id": user_id, "account_id": account_id}
    return page_of(db, PiggyBank, _PIGGY_BANK, "piggy_banks p", where, _ORDER, limit=limit, offset=offset, **of)


def of_accounts(db: Unit, user_id: int, account_ids: Collection[int]) -> dict[int, list[PiggyBank]]:
    """Returns piggy banks by account, in one query."""
    sql = f"{_PIGGY_BANK} WHERE p.user_id = :user_id AND p.account_id IN :account_ids ORDER BY {_ORDER}"
    piggy_banks: dict[int, list[PiggyBank]] = defaultdict(list)
    for piggy_bank in db.structs(PiggyBank, sql, user_id=user_id, account_ids=sorted(account_ids)):
        piggy_banks[piggy_bank.account_id].append(piggy_bank)
    return piggy_banks


def has_any(db: Unit, user_id: int, account_id: int) -> bool:
    sql = "SELECT 1 FROM piggy_banks WHERE user_id = :user_id AND account_id = :account_id LIMIT 1"
    return bool(db.value(sql, user_id=user_id, account_id=account_id))


def sum_set_aside(db: Unit, user_id: int, account_id: int, *, except_id: int) -> int:
    """Sums the account's other piggy banks, in Python, where integers cannot overflow."""
    sql = "SELECT current_units FROM piggy_banks WHERE user_id = :user_id AND account_id = :account_id AND id <> :id"
    rows = db.all(sql, user_id=user_id, account_id=account_id, id=except_id)
    return sum(units for (units,) in rows)


def is_name_taken(db: Unit, user_id: int, name: str, *, except_id: int) -> bool:
    sql = "SELECT 1 FROM piggy_banks WHERE user_id = :user_id AND name_fold = :name_fold AND id <> :id"
    return bool(db.value(sql, user_id=user_id, name_fold=fold(name), id=except_id))


class NamedPiggyBank(Struct, frozen=True):
    """The part of a piggy bank that a transaction needs to know."""

    id: int
    name_fold: str
    account_id: int


def find_named(db: Unit, user_id: int, ids: Collection[int], folds: Collection[str]) -> list[NamedPiggyBank]:
    """Finds piggy banks by ids or names."""
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
    last = db.value("SELECT MAX(position) FROM piggy_banks WHERE user_id = :user_id", user_id=user_id)
    values = {"position": int(last or 0) + 1, "current_units": 0, **_columns(draft)}
    return changes.insert(db, "piggy_banks", user_id, values, now)


def change(db: Unit, user_id: int, piggy_bank_id: int, draft: PiggyBankDraft, current_units: int, now: str) -> None:
    values = {"current_units": current_units, **_columns(draft)}
    changes.update(db, "piggy_banks", user_id, "id = :id", values, now=now, id=piggy_bank_id)


def move_to_order(db: Unit, user_id: int, piggy_bank_id: int, order: int) -> None:
    changes.move_to(db, "piggy_banks", user_id, _list_positions(db, user_id), piggy_bank_id, order)


def close_gaps(db: Unit, user_id: int) -> None:
    changes.renumber(db, "piggy_banks", user_id, _list_positions(db, user_id))


def _list_positions(db: Unit, user_id: int) -> list[Row]:
    sql = "SELECT id, position FROM piggy_banks WHERE user_id = :user_id ORDER BY position, id"
    return db.all(sql, user_id=user_id)


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    """Removes piggy banks; remove their events and all references first."""
    changes.delete(db, "piggy_banks", user_id, "id IN :ids", ids=ids)
    close_gaps(db, user_id)


def _columns(draft: PiggyBankDraft) -> dict[str, Any]:
    return {
        "account_id": draft.account_id,
        "name": draft.name,
        "name_fold": fold(draft.name),
        "target_units": draft.target_units,
        "start_on": draft.start_on.isoformat() if draft.start_on else None,
        "target_on": draft.target_on.isoformat() if draft.target_on else None,
        "notes": draft.notes,
    }
