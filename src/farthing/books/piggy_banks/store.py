"""Stores piggy banks, and what they hold."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage import changes
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
    """All of a user, or those of one account."""
    where = "p.user_id = :user_id" if account_id is None else "p.user_id = :user_id AND p.account_id = :account_id"
    of = {"user_id": user_id} if account_id is None else {"user_id": user_id, "account_id": account_id}
    return page_of(db, PiggyBank, _PIGGY_BANK, "piggy_banks p", where, _ORDER, limit=limit, offset=offset, **of)


def of_accounts(db: Unit, user_id: int, account_ids: Collection[int]) -> dict[int, list[PiggyBank]]:
    """Keyed by account, in one query."""
    sql = f"{_PIGGY_BANK} WHERE p.user_id = :user_id AND p.account_id IN :account_ids ORDER BY {_ORDER}"
    piggy_banks: dict[int, list[PiggyBank]] = defaultdict(list)
    for piggy_bank in db.structs(PiggyBank, sql, user_id=user_id, account_ids=sorted(account_ids)):
        piggy_banks[piggy_bank.account_id].append(piggy_bank)
    return piggy_banks


def has_any(db: Unit, user_id: int, account_id: int) -> bool:
    sql = "SELECT 1 FROM piggy_banks WHERE user_id = :user_id AND account_id = :account_id LIMIT 1"
    return bool(db.value(sql, user_id=user_id, account_id=account_id))


def sum_set_aside(db: Unit, user_id: int, account_id: int, *, except_id: int) -> int:
    """The total in the account's other piggy banks; summed in Python, where integers cannot overflow."""
    rows = db.all(
        "SELECT current_units FROM piggy_banks WHERE user_id = :user_id AND account_id = :account_id AND id <> :id",
        user_id=user_id,
        account_id=account_id,
        id=except_id,
    )
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
    """Those with one of these ids or names; no query if there are none."""
    if not ids and not folds:
        return []
    return db.structs(
        NamedPiggyBank,
        """
        SELECT id, name_fold, account_id FROM piggy_banks WHERE user_id = :user_id AND id IN :ids
        UNION
        SELECT id, name_fold, account_id FROM piggy_banks WHERE user_id = :user_id AND name_fold IN :folds
        """,
        user_id=user_id,
        ids=sorted(ids),
        folds=sorted(folds),
    )


def pots(db: Unit, user_id: int, ids: Collection[int]) -> dict[int, Pot]:
    pots = db.structs(
        Pot,
        """
        SELECT id, account_id, target_units, current_units FROM piggy_banks
        WHERE user_id = :user_id AND id IN :ids ORDER BY id
        """,
        user_id=user_id,
        ids=sorted(ids),
    )
    return {pot.id: pot for pot in pots}


def fill(db: Unit, user_id: int, current: Mapping[int, int], now: str) -> None:
    """Sets the amount in each piggy bank; the caller records the events."""
    changes.log_changing(db, "piggy_banks", "id IN :ids", ids=sorted(current))
    db.many(
        """
        UPDATE piggy_banks SET current_units = :units, updated_at = :now WHERE user_id = :user_id AND id = :id
        """,
        [{"user_id": user_id, "id": one, "units": units, "now": now} for one, units in sorted(current.items())],
    )


_COLUMNS = ("account_id", "name", "name_fold", "target_units", "start_on", "target_on", "notes")
_ADD = f"""
INSERT INTO piggy_banks (user_id, {", ".join(_COLUMNS)}, current_units, position, created_at, updated_at)
VALUES (:user_id, {", ".join(f":{column}" for column in _COLUMNS)}, 0, :position, :now, :now) RETURNING id
"""
_CHANGE = f"""
UPDATE piggy_banks SET {", ".join(f"{column} = :{column}" for column in _COLUMNS)}, current_units = :current_units,
    updated_at = :now
WHERE user_id = :user_id AND id = :id
"""


def add(db: Unit, user_id: int, draft: PiggyBankDraft, now: str) -> int:
    """Empty, and last in order."""
    last = db.value("SELECT MAX(position) FROM piggy_banks WHERE user_id = :user_id", user_id=user_id)
    position = int(last or 0) + 1
    added = int(db.value(_ADD, user_id=user_id, position=position, now=now, **_columns(draft)))
    changes.log_created(db, "piggy_banks", [added])
    return added


def change(db: Unit, user_id: int, piggy_bank_id: int, draft: PiggyBankDraft, current_units: int, now: str) -> None:
    changes.log_changing(db, "piggy_banks", "id = :id", id=piggy_bank_id)
    db.run(_CHANGE, user_id=user_id, id=piggy_bank_id, current_units=current_units, now=now, **_columns(draft))


def place(db: Unit, user_id: int, piggy_bank_id: int, order: int) -> None:
    """Moves it to a position and renumbers the others 1, 2, 3 and so on."""
    rows = db.all(
        "SELECT id, position FROM piggy_banks WHERE user_id = :user_id ORDER BY position, id", user_id=user_id
    )
    ids = [one for one, _ in rows if one != piggy_bank_id]
    ids.insert(order - 1, piggy_bank_id)
    _put(db, user_id, rows, ids)


def close_gaps(db: Unit, user_id: int) -> None:
    rows = db.all(
        "SELECT id, position FROM piggy_banks WHERE user_id = :user_id ORDER BY position, id", user_id=user_id
    )
    _put(db, user_id, rows, [one for one, _ in rows])


def _put(db: Unit, user_id: int, rows: Sequence[Row], ids: Sequence[int]) -> None:
    kept: dict[int, int] = dict(rows)
    moved = [(one, position) for position, one in enumerate(ids, 1) if kept[one] != position]
    if not moved:
        return
    changes.log_changing(db, "piggy_banks", "id IN :ids", ids=[one for one, _ in moved])
    db.many(
        "UPDATE piggy_banks SET position = :position WHERE user_id = :user_id AND id = :id",
        [{"user_id": user_id, "id": one, "position": position} for one, position in moved],
    )


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    """Remove their events and all references first."""
    changes.log_removing(db, "piggy_banks", "id IN :ids", ids=ids)
    db.run("DELETE FROM piggy_banks WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=ids)
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
