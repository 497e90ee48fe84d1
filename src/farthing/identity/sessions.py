"""Stores the sessions of signed-in browsers. Only the hash of a session's secret is stored."""

import base64
import hmac
import re
import secrets
from datetime import timedelta

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit, page_of

from .callers import hash_secret

# Actions whose effects outlast the session need the password again, unless the session began at most this many minutes
# ago.
RECENT_MINUTES = 10
_DEVICE_CHARACTERS_MAX = 80
# The first match decides, because most browsers also claim to be other browsers.
_BROWSERS = (
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"(?:Firefox|FxiOS)/"),
    ("Chrome", r"(?:Chrome|CriOS|Chromium)/"),
    ("Safari", r"Safari/"),
)
_SYSTEMS = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("Windows", r"Windows"),
    ("ChromeOS", r"CrOS"),
    ("macOS", r"Macintosh|Mac OS X"),
    ("Linux", r"Linux|X11"),
)
_ALIVE = "user_id = :user_id AND expires_at > :now AND last_used_at > :idle_since"


class Session(Struct, frozen=True):
    id: int
    user_id: int
    device: str
    created_at: str
    last_used_at: str
    expires_at: str


class NewSession(Struct, frozen=True):
    session: Session
    secret: str
    seconds: int


_SELECT = f"SELECT {tables.columns_of(Session)} FROM sessions"


def begin(db: Unit, user_id: int, *, agent: str, before: str | None, now: str, days: int) -> NewSession:
    """Begins a session, and ends the browser's former session if there is one. `before` is that session's secret.

    The secret of the new session is returned here and cannot be read later.
    """
    if before:
        end_with(db, before)
    secret, lasts = secrets.token_urlsafe(32), timedelta(days=days)
    session = tables.add_and_get(
        db,
        Session,
        "sessions",
        user_id=user_id,
        hash=hash_secret(secret),
        device=name_device(agent),
        created_at=now,
        last_used_at=now,
        expires_at=shift(now, lasts),
    )
    return NewSession(session=session, secret=secret, seconds=int(lasts.total_seconds()))


def get(db: Unit, user_id: int, session_id: int, now: str, idle_since: str) -> Session | None:
    alive = {"user_id": user_id, "now": now, "idle_since": idle_since}
    return db.struct(Session, f"{_SELECT} WHERE {_ALIVE} AND id = :id", id=session_id, **alive)


def began_at(db: Unit, user_id: int, session_id: int) -> str:
    """Returns the time at which the session began, or an empty text if the session has ended meanwhile."""
    session = tables.find(db, Session, "sessions", user_id=user_id, id=session_id)
    return session.created_at if session else ""


def page(db: Unit, user_id: int, now: str, idle_since: str, *, limit: int, offset: int) -> tuple[int, list[Session]]:
    """Lists active sessions, beginning with the one that was used last."""
    alive = {"user_id": user_id, "now": now, "idle_since": idle_since}
    order = "last_used_at DESC, id DESC"
    return page_of(db, Session, _SELECT, "sessions", _ALIVE, order, limit=limit, offset=offset, **alive)


def end(db: Unit, user_id: int, session_id: int) -> None:
    tables.remove(db, "sessions", user_id=user_id, id=session_id)


def end_all(db: Unit, user_id: int, *, besides: int | None = None) -> None:
    where = "user_id = :user_id AND id <> :besides"
    db.run(f"DELETE FROM sessions WHERE {where}", user_id=user_id, besides=besides or 0)


def end_with(db: Unit, secret: str) -> None:
    """Ends the session with this secret. A browser has only one session at a time, so no user has to be named."""
    tables.remove(db, "sessions", hash=hash_secret(secret))


def forget_old(db: Unit, now: str, idle_since: str) -> int:
    ended = "expires_at <= :now OR last_used_at <= :idle_since"
    return delete_some(db, "sessions", "id", ended, now=now, idle_since=idle_since)


def csrf_token(secret: str) -> str:
    """Returns the token that a page must send to act in the session. It is derived from the session's secret."""
    digest = hmac.digest(secret.encode(), b"farthing: csrf", "sha256")
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def name_device(agent: str) -> str:
    """Returns a name such as `Firefox on Linux`. For a client that is not a browser, returns the name that it sends."""
    browser, system = _first_match(_BROWSERS, agent), _first_match(_SYSTEMS, agent)
    if browser:
        return f"{browser} on {system}" if system else browser
    printable = "".join(letter for letter in agent if letter.isprintable()).strip()
    return printable.partition(" ")[0][:_DEVICE_CHARACTERS_MAX] or "unknown device"


def _first_match(kinds: tuple[tuple[str, str], ...], agent: str) -> str | None:
    return next((name for name, pattern in kinds if re.search(pattern, agent)), None)
