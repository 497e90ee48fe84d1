"""Stores the events of piggy banks: money put in or taken out."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.storage import changes
from farthing.storage.unit import Unit, columns_of, page_of

from .model import Event

_EVENT = f"""
SELECT e.id, e.piggy_bank_id, e.entry_id, e.units, e.on_day AS "on", e.created_at,
    {columns_of(Currency, "c", "currency")}
FROM piggy_bank_events e
JOIN piggy_banks p ON p.user_id = e.user_id AND p.id = e.piggy_bank_id
JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
JOIN currencies c ON c.id = a.currency_id
"""
_NEWEST_FIRST = "e.on_day DESC, e.id DESC"


class EventDraft(Struct, frozen=True):
    piggy_bank_id: int
    entry_id: int | None
    units: int
    on: str


class TransferMove(Struct, frozen=True):
    """What a transfer moved into a piggy bank."""

    piggy_bank_id: int
    units: int
    on: str


def page(db: Unit, user_id: int, piggy_bank_id: int, *, limit: int, offset: int) -> tuple[int, list[Event]]:
    where, of = "e.user_id = :user_id AND e.piggy_bank_id = :id", {"user_id": user_id, "id": piggy_bank_id}
    return page_of(db, Event, _EVENT, "piggy_bank_events e", where, _NEWEST_FIRST, limit=limit, offset=offset, **of)


def of_piggy_banks(db: Unit, user_id: int, ids: Collection[int], *, limit: int) -> list[Event]:
    """The newest events of each, in one query."""
    return db.structs(
        Event,
        f"""
        {_EVENT} WHERE e.user_id = :user_id AND e.id IN (
            SELECT id FROM (
                SELECT id, ROW_NUMBER() OVER (PARTITION BY piggy_bank_id ORDER BY on_day DESC, id DESC) AS place
                FROM piggy_bank_events WHERE user_id = :user_id AND piggy_bank_id IN :ids
            ) AS ranked WHERE place <= :limit
        ) ORDER BY {_NEWEST_FIRST}
        """,
        user_id=user_id,
        ids=sorted(ids),
        limit=limit,
    )


def of_entries(db: Unit, user_id: int, entry_ids: Collection[int]) -> list[Event]:
    sql = f"{_EVENT} WHERE e.user_id = :user_id AND e.entry_id IN :entry_ids ORDER BY {_NEWEST_FIRST}"
    return db.structs(Event, sql, user_id=user_id, entry_ids=sorted(entry_ids))


def add(db: Unit, user_id: int, events: Sequence[EventDraft], now: str) -> None:
    rows = db.many_returning(
        """
        INSERT INTO piggy_bank_events (user_id, piggy_bank_id, entry_id, units, on_day, created_at)
        VALUES (:user_id, :piggy_bank_id, :entry_id, :units, :on_day, :now) RETURNING id
        """,
        [
            {
                "user_id": user_id,
                "piggy_bank_id": one.piggy_bank_id,
                "entry_id": one.entry_id,
                "units": one.units,
                "on_day": one.on,
                "now": now,
            }
            for one in events
        ],
    )
    changes.log_created(db, "piggy_bank_events", [event_id for (event_id,) in rows])


def take_of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> list[TransferMove]:
    """Deletes the events of these entries, and returns what they had moved."""
    moves = db.structs(
        TransferMove,
        """
        SELECT piggy_bank_id, units, on_day AS "on" FROM piggy_bank_events
        WHERE user_id = :user_id AND entry_id IN :entry_ids ORDER BY id
        """,
        user_id=user_id,
        entry_ids=entry_ids,
    )
    if moves:
        changes.log_removing(db, "piggy_bank_events", "entry_id IN :entry_ids", entry_ids=entry_ids)
        db.run(
            "DELETE FROM piggy_bank_events WHERE user_id = :user_id AND entry_id IN :entry_ids",
            user_id=user_id,
            entry_ids=entry_ids,
        )
    return moves


def detach_from_transfers(db: Unit, user_id: int, piggy_bank_id: int) -> None:
    """Keeps the events, but detaches them from their transfers, so that nothing will revert them."""
    where = "piggy_bank_id = :id AND entry_id IS NOT NULL"
    changes.log_changing(db, "piggy_bank_events", where, id=piggy_bank_id)
    db.run(
        f"UPDATE piggy_bank_events SET entry_id = NULL WHERE user_id = :user_id AND {where}",
        user_id=user_id,
        id=piggy_bank_id,
    )


def detach_from_entries(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """The same for these transfers, whatever their piggy banks are."""
    changes.log_changing(db, "piggy_bank_events", "entry_id IN :entry_ids", entry_ids=entry_ids)
    db.run(
        "UPDATE piggy_bank_events SET entry_id = NULL WHERE user_id = :user_id AND entry_id IN :entry_ids",
        user_id=user_id,
        entry_ids=entry_ids,
    )


def remove_of(db: Unit, user_id: int, ids: list[int]) -> None:
    changes.log_removing(db, "piggy_bank_events", "piggy_bank_id IN :ids", ids=ids)
    db.run("DELETE FROM piggy_bank_events WHERE user_id = :user_id AND piggy_bank_id IN :ids", user_id=user_id, ids=ids)
