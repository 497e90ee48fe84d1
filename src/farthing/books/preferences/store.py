"""Stores preferences. Every user has one row per known preference, with ids in listing order.

Clients of version 6 of the API may add rows with names of their own.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from farthing.storage.change_log import changes
from farthing.storage.unit import Unit

from .model import (
    DASHBOARD_CARDS,
    SAVED_FILTERS,
    TWO_FACTOR,
    DashboardCard,
    FreeValue,
    Preference,
    SavedFilter,
    Value,
    defaults,
)

# Whether a user has a second factor is computed, not stored.
_DATA = f"""
    CASE WHEN name = '{TWO_FACTOR}' THEN CASE WHEN EXISTS (
        SELECT 1 FROM factors f WHERE f.user_id = preferences.user_id AND f.confirmed_at IS NOT NULL
    ) THEN 'true' ELSE 'false' END ELSE data END
    """
_PREFERENCE = f"id, name, {_DATA} AS data, created_at, updated_at"


class _Stored(Struct, frozen=True):
    """A preference whose value is still JSON, because the type of the value depends on the preference's name."""

    id: int
    name: str
    data: str
    created_at: str
    updated_at: str


def _preference(stored: _Stored) -> Preference:
    decoder = _DECODERS.get(stored.name, _VALUE)
    return Preference(**{**structs.asdict(stored), "data": decoder.decode(stored.data)})


_VALUE: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
_DECODERS: Mapping[str, msgspec.json.Decoder[Any]] = {
    SAVED_FILTERS: msgspec.json.Decoder(list[SavedFilter]),
    DASHBOARD_CARDS: msgspec.json.Decoder(list[DashboardCard]),
}


def add_all(db: Unit, user_id: int, timezone: str, now: str, chosen: Mapping[str, Value]) -> None:
    """Adds all preferences of a user, with the default value for each preference that is not in `chosen`."""
    db.many(
        """
        INSERT INTO preferences (user_id, name, data, created_at, updated_at)
        VALUES (:user_id, :name, :data, :now, :now)
        """,
        [
            {"user_id": user_id, "name": name, "data": _encode(data), "now": now}
            for name, data in {**defaults(timezone), **chosen}.items()
        ],
    )


def all_of(db: Unit, user_id: int) -> list[Preference]:
    return _find(db, user_id, "1 = 1")


def get(db: Unit, user_id: int, preference_id: int) -> Preference | None:
    return next(iter(_find(db, user_id, "id = :id", id=preference_id)), None)


def get_some(db: Unit, user_id: int, ids: Collection[int]) -> list[Preference]:
    return _find(db, user_id, "id IN :ids", ids=sorted(ids))


def get_named(db: Unit, user_id: int, name: str) -> Preference | None:
    return next(iter(_find(db, user_id, "name = :name", name=name)), None)


def _find(db: Unit, user_id: int, condition: str, **values: Any) -> list[Preference]:
    sql = f"SELECT {_PREFERENCE} FROM preferences WHERE user_id = :user_id AND {condition} ORDER BY id"
    return [_preference(stored) for stored in db.structs(_Stored, sql, user_id=user_id, **values)]


def values(db: Unit, user_id: int, names: Sequence[str]) -> dict[str, Value]:
    sql = "SELECT name, data FROM preferences WHERE user_id = :user_id AND name IN :names"
    rows = db.all(sql, user_id=user_id, names=list(names))
    return {name: msgspec.json.decode(data) for name, data in rows}


def add(db: Unit, user_id: int, name: str, data: FreeValue, now: str) -> None:
    changes.insert(db, "preferences", user_id, {"name": name, "data": _encode(data)}, now)


def count(db: Unit, user_id: int) -> int:
    return int(db.value("SELECT COUNT(*) FROM preferences WHERE user_id = :user_id", user_id=user_id))


def change(db: Unit, user_id: int, preference_id: int, data: Value | FreeValue, now: str) -> None:
    changes.update(db, "preferences", user_id, "id = :id", {"data": _encode(data)}, now=now, id=preference_id)


def _encode(data: Value | FreeValue) -> str:
    return _ENCODER.encode(data).decode()


# Numbers with decimals stay numbers.
_ENCODER = msgspec.json.Encoder(decimal_format="number")
