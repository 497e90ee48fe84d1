"""Stores with which provider a session was begun, so that signing out at the provider can end the session."""

from msgspec import Struct

from farthing.storage import tables
from farthing.storage.unit import Unit


class ProviderSession(Struct, frozen=True, kw_only=True):
    """Describes a session at a provider. `name` is the provider's own name for the session, if it has sent one.

    `sign_out_url` is the address where users can sign out at the provider.
    """

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
    """Ends all sessions that the user has begun with this provider. Returns how many there were."""
    return tables.remove_and_count(db, "sessions", user_id=user_id, issuer=issuer)


def end_named(db: Unit, issuer: str, name: str) -> list[int]:
    """Ends the sessions that the provider calls `name`. Returns the ids of their users."""
    statement = "DELETE FROM sessions WHERE issuer = :issuer AND issuer_session = :name RETURNING user_id"
    return sorted({int(user_id) for (user_id,) in db.all(statement, issuer=issuer, name=name)})
