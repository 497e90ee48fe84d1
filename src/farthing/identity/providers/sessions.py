"""Stores which provider began a session, so that signing out there can end it here."""

from msgspec import Struct

from farthing.storage import tables
from farthing.storage.unit import Unit


class ProviderSession(Struct, frozen=True, kw_only=True):
    """`name` is the provider's name of its session, if any; `sign_out_url` is where users sign out there."""

    issuer: str
    name: str | None
    sign_out_url: str | None


def note(db: Unit, user_id: int, session_id: int, of: ProviderSession) -> None:
    which = {"user_id": user_id, "id": session_id}
    tables.change(db, "sessions", which, issuer=of.issuer, issuer_session=of.name, sign_out_url=of.sign_out_url)


def find_sign_out_url(db: Unit, user_id: int, session_id: int) -> str | None:
    statement = "SELECT sign_out_url FROM sessions WHERE user_id = :user_id AND id = :id"
    url = db.value(statement, user_id=user_id, id=session_id)
    return str(url) if url else None


def end_of_user(db: Unit, user_id: int, issuer: str) -> int:
    """Ends all sessions that this provider began."""
    return tables.remove_and_count(db, "sessions", user_id=user_id, issuer=issuer)


def end_named(db: Unit, issuer: str, name: str) -> list[int]:
    """Finds the sessions by the provider's name for them, as by a secret. Returns whose sessions ended."""
    statement = "DELETE FROM sessions WHERE issuer = :issuer AND issuer_session = :name RETURNING user_id"
    return sorted({int(user_id) for (user_id,) in db.all(statement, issuer=issuer, name=name)})
