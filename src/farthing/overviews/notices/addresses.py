"""Stores the addresses in chats and push services to which people want their notices."""

from msgspec import Struct

from farthing.storage import tables
from farthing.storage.unit import Unit

ADDRESSES_MAX = 10


class Address(Struct, frozen=True):
    """Holds an address, which is a secret. `sent_at` and `failure` say what came of the last message."""

    id: int
    title: str
    url: str
    sent_at: str | None
    failure: str | None
    created_at: str

    @property
    def masked(self) -> str:
        """Returns only the name of the service."""
        return f"{self.url.partition(':')[0]}://…"


_ADDRESSES = f"SELECT {tables.columns_of(Address)} FROM notice_addresses WHERE user_id = :user_id ORDER BY id"


def list_all(db: Unit, user_id: int) -> list[Address]:
    return db.structs(Address, _ADDRESSES, user_id=user_id)


def has_any(db: Unit, user_id: int) -> bool:
    return tables.has(db, "notice_addresses", user_id=user_id)


def get(db: Unit, user_id: int, address_id: int) -> Address | None:
    return tables.find(db, Address, "notice_addresses", user_id=user_id, id=address_id)


def add(db: Unit, user_id: int, *, title: str, url: str, now: str) -> Address:
    return tables.add_and_get(db, Address, "notice_addresses", user_id=user_id, title=title, url=url, created_at=now)


def remove(db: Unit, user_id: int, address_id: int) -> None:
    tables.remove(db, "notice_addresses", user_id=user_id, id=address_id)


def note(db: Unit, user_id: int, address_id: int, failure: str | None, now: str) -> None:
    """Stores what came of a message, for the owner of the address to see."""
    sent = {} if failure else {"sent_at": now}
    tables.change(db, "notice_addresses", {"user_id": user_id, "id": address_id}, failure=failure, **sent)
