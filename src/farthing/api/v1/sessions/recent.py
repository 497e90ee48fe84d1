"""Decides whether a user has signed in recently, so that they need not prove again who they are."""

from datetime import timedelta

from farthing.http.request.call import Call
from farthing.identity import sessions, users
from farthing.identity.sessions import RECENT_MINUTES
from farthing.kernel.clock import shift
from farthing.kernel.errors import Forbidden
from farthing.kernel.parsed import ensure

_SIGN_IN_AGAIN = f"You have no password to confirm this. Sign in again, and do this within {RECENT_MINUTES} minutes."


def is_recent(call: Call) -> bool:
    since = shift(call.now, -timedelta(minutes=RECENT_MINUTES))
    return sessions.began_at(call.db, call.caller.user.id, ensure(call.caller.session_id)) > since


def has_password(call: Call) -> bool:
    """Users who sign in by other means may have none."""
    return users.has_password(call.db, call.caller.user.id)


def refuse_without_password(call: Call) -> None:
    if not has_password(call) and not is_recent(call):
        raise Forbidden(_SIGN_IN_AGAIN)


def needs_password(call: Call) -> bool:
    """Tells whether to ask for the password before creating what outlasts the session, which may be stolen."""
    refuse_without_password(call)
    return not is_recent(call)
