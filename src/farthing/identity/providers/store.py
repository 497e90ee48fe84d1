"""Stores the identities of users at providers."""

from msgspec import Struct

from farthing.storage.unit import Clash, Unit

_IDENTITY = "id, user_id, issuer, subject, email, created_at, last_used_at"


class Identity(Struct, frozen=True, kw_only=True):
    """`email` is what the provider sent last; it identifies nobody."""

    id: int
    user_id: int
    issuer: str
    subject: str
    email: str
    created_at: str
    last_used_at: str | None


class Taken(Exception):
    """The provider's user is linked already: to this user, or to another."""


def find(db: Unit, issuer: str, subject: str) -> Identity | None:
    """Finds the user by their identity, as by a session's secret."""
    return db.struct(
        Identity,
        f"SELECT {_IDENTITY} FROM identities WHERE issuer = :issuer AND subject = :subject",
        issuer=issuer,
        subject=subject,
    )


def get(db: Unit, user_id: int, identity_id: int) -> Identity | None:
    return db.struct(
        Identity,
        f"SELECT {_IDENTITY} FROM identities WHERE user_id = :user_id AND id = :id",
        user_id=user_id,
        id=identity_id,
    )


def list_for_user(db: Unit, user_id: int) -> list[Identity]:
    return db.structs(
        Identity, f"SELECT {_IDENTITY} FROM identities WHERE user_id = :user_id ORDER BY id", user_id=user_id
    )


def add(db: Unit, user_id: int, *, issuer: str, subject: str, email: str, now: str) -> Identity:
    try:
        identity = db.struct(
            Identity,
            f"""
            INSERT INTO identities (user_id, issuer, subject, email, created_at)
            VALUES (:user_id, :issuer, :subject, :email, :now) RETURNING {_IDENTITY}
            """,
            user_id=user_id,
            issuer=issuer,
            subject=subject,
            email=email,
            now=now,
        )
    except Clash as error:
        raise Taken(subject) from error
    assert identity is not None
    return identity


def touch(db: Unit, identity: Identity, email: str, now: str) -> None:
    db.run(
        "UPDATE identities SET last_used_at = :now, email = :email WHERE user_id = :user_id AND id = :id",
        user_id=identity.user_id,
        id=identity.id,
        email=email,
        now=now,
    )


def remove(db: Unit, identity: Identity) -> None:
    db.run("DELETE FROM identities WHERE user_id = :user_id AND id = :id", user_id=identity.user_id, id=identity.id)
