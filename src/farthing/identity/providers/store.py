"""Stores which accounts at providers belong to which users."""

from msgspec import Struct

from farthing.storage import tables
from farthing.storage.unit import Clash, Unit


class Identity(Struct, frozen=True, kw_only=True):
    """Links a user to an account at a provider. `email` is the address that the provider sent last, only for display.

    The account is identified by `issuer` and `subject`.
    """

    id: int
    user_id: int
    issuer: str
    subject: str
    email: str
    created_at: str
    last_used_at: str | None


class Taken(Exception):
    """The account at the provider is already linked, to this user or to another."""


def find(db: Unit, issuer: str, subject: str) -> Identity | None:
    """Finds the identity of somebody who signs in with a provider, and whose user id is not known yet."""
    return tables.find(db, Identity, "identities", issuer=issuer, subject=subject)


def get(db: Unit, user_id: int, identity_id: int) -> Identity | None:
    return tables.find(db, Identity, "identities", user_id=user_id, id=identity_id)


def list_for_user(db: Unit, user_id: int) -> list[Identity]:
    return tables.find_all(db, Identity, "identities", user_id=user_id)


def add(db: Unit, user_id: int, *, issuer: str, subject: str, email: str, now: str) -> Identity:
    values = {"issuer": issuer, "subject": subject, "email": email, "created_at": now}
    try:
        return tables.add_and_get(db, Identity, "identities", user_id=user_id, **values)
    except Clash as error:
        raise Taken(subject) from error


def touch(db: Unit, identity: Identity, email: str, now: str) -> None:
    which = {"user_id": identity.user_id, "id": identity.id}
    tables.change(db, "identities", which, last_used_at=now, email=email)


def remove(db: Unit, identity: Identity) -> None:
    tables.remove(db, "identities", user_id=identity.user_id, id=identity.id)
