"""Stores the events of piggy banks: money put in or taken out."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_ids
from farthing.storage.unit import Unit, columns_of

from .model import PiggyBankEvent

_EVENT = f"""
SELECT e.id, e.piggy_bank_id, e.entry_id, e.units, e.on_day AS "on", e.created_at,
    COALESCE(e.account_id, p.account_id) AS account_id,
    {columns_of(Currency, "c", "currency")}
FROM piggy_bank_events e
JOIN piggy_banks p ON p.user_id = e.user_id AND p.id = e.piggy_bank_id
JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
JOIN currencies c ON c.id = a.currency_id
"""


class EventDraft(Struct, frozen=True):
    """An event to be stored. `account_id` is None for the first account of the piggy bank."""

    piggy_bank_id: int
    entry_id: int | None
    units: int
    on: str
    account_id: int | None = None


_EVENTS = Records[PiggyBankEvent, EventDraft](
    PiggyBankEvent, "piggy_bank_events", _EVENT, alias="e.", order="e.on_day DESC, e.id DESC"
)


def page(db: Unit, user_id: int, piggy_bank_id: int, *, limit: int, offset: int) -> tuple[int, list[PiggyBankEvent]]:
    return _EVENTS.page(db, user_id, "e.piggy_bank_id = :id", limit=limit, offset=offset, id=piggy_bank_id)


def of_piggy_banks(db: Unit, user_id: int, ids: Collection[int], *, limit: int) -> list[PiggyBankEvent]:
    """Returns the newest events of each piggy bank, in one query."""
    newest = """
        SELECT id FROM (
            SELECT id, ROW_NUMBER() OVER (PARTITION BY piggy_bank_id ORDER BY on_day DESC, id DESC) AS place
            FROM piggy_bank_events WHERE user_id = :user_id AND piggy_bank_id IN :ids
        ) AS ranked WHERE place <= :limit
    """
    return _EVENTS.find(db, user_id, f"e.id IN ({newest})", ids=sorted(ids), limit=limit)


def of_entries(db: Unit, user_id: int, entry_ids: Collection[int]) -> list[PiggyBankEvent]:
    return _EVENTS.find(db, user_id, "e.entry_id IN :entry_ids", entry_ids=sorted(entry_ids))


def add(db: Unit, user_id: int, events: Sequence[EventDraft], now: str) -> None:
    changes.insert_all(db, "piggy_bank_events", user_id, [_EVENTS.columns(event) for event in events], now)


def take_of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> list[EventDraft]:
    """Deletes the events of the given entries and returns them, so that the caller can revert what they moved."""
    sql = """
        SELECT piggy_bank_id, entry_id, units, on_day AS "on", account_id FROM piggy_bank_events
        WHERE user_id = :user_id AND entry_id IN :entry_ids ORDER BY id
    """
    moves = db.structs(EventDraft, sql, user_id=user_id, entry_ids=entry_ids)
    if moves:
        changes.delete(db, "piggy_bank_events", user_id, "entry_id IN :entry_ids", entry_ids=entry_ids)
    return moves


def find_entries(db: Unit, user_id: int, piggy_bank_id: int, account_id: int | None) -> list[int]:
    """Finds the transfers that moved money into or out of one account of a piggy bank."""
    sql = f"""
        SELECT DISTINCT entry_id FROM piggy_bank_events
        WHERE user_id = :user_id AND entry_id IS NOT NULL AND {_OF_ACCOUNT} ORDER BY entry_id
    """
    return find_ids(db, sql, user_id=user_id, id=piggy_bank_id, account_id=account_id)


def assign_account(db: Unit, user_id: int, piggy_bank_id: int, account_id: int | None, new_id: int | None) -> None:
    """Makes the events of one account of a piggy bank those of another."""
    if account_id != new_id:
        new = {"account_id": new_id}
        changes.update(db, "piggy_bank_events", user_id, _OF_ACCOUNT, new, id=piggy_bank_id, account_id=account_id)


_OF_ACCOUNT = "piggy_bank_id = :id AND account_id IS NOT DISTINCT FROM :account_id"


def make_first(db: Unit, user_id: int, share_ids: list[int]) -> None:
    """Makes the events of the given shares those of the first accounts of their piggy banks."""
    where = """
        EXISTS (
            SELECT 1 FROM piggy_bank_shares s WHERE s.user_id = :user_id AND s.id IN :share_ids
                AND s.piggy_bank_id = piggy_bank_events.piggy_bank_id AND s.account_id = piggy_bank_events.account_id
        )
    """
    changes.update(db, "piggy_bank_events", user_id, where, {"account_id": None}, share_ids=share_ids)


def detach_from_entries(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Detaches all events of the given transfers, so that nothing will revert the events."""
    where = "entry_id IN :entry_ids"
    changes.update(db, "piggy_bank_events", user_id, where, {"entry_id": None}, entry_ids=entry_ids)


def remove_of(db: Unit, user_id: int, ids: list[int]) -> None:
    changes.delete(db, "piggy_bank_events", user_id, "piggy_bank_id IN :ids", ids=ids)


def remove_of_accounts(db: Unit, user_id: int, account_ids: Collection[int], headless_ids: Collection[int]) -> None:
    """Removes the events of accounts, and those of the first account of each piggy bank in `headless_ids`."""
    where = "(account_id IN :account_ids OR account_id IS NULL AND piggy_bank_id IN :headless_ids)"
    which = {"account_ids": sorted(account_ids), "headless_ids": sorted(headless_ids)}
    changes.delete(db, "piggy_bank_events", user_id, where, **which)
