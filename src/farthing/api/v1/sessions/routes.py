"""Serves sessions: signs users in and out, lists where they are signed in, and changes the password."""

import logging
from typing import Any

from msgspec import Struct, structs

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.callers.identification import idle_since
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Before, Gate, Parameter, Route, Runs
from farthing.identity import sessions as store
from farthing.identity import tokens, users
from farthing.identity.audit import Event
from farthing.identity.sessions import RECENT_MINUTES, Session
from farthing.identity.signing_in import passwords
from farthing.identity.signing_in.attempts import count_attempt, forgive_attempt
from farthing.identity.signing_in.passwords import Changed
from farthing.kernel.errors import Conflict, Forbidden, Forged, NotFound, TooMany, refuse_field

from ..resources.lists import things_without_uri
from ..resources.resource import Resource
from . import forgotten, wire
from .checking import check_proof
from .entrance import NOT_CURRENT, CurrentSession, gather_notices, is_recent, let_in
from .passkeys import PasskeyRequest
from .sign_in import ask_sign_in, begin_with_passkey, sign_in

_LOG = logging.getLogger("farthing.sign_in")
SessionThing = Thing[wire.SessionAttributes]
_FIRST_PASSWORD = f"You have no password yet. Sign in again, and set one within {RECENT_MINUTES} minutes."


class PasswordChange(Struct, frozen=True, kw_only=True):
    """Holds the current and the new password. `hash` is the hash of the current one, or empty if the user has none."""

    hash: str
    current: str
    new: str


def current(call: Call) -> Answer:
    session, secret = _current(call), call.visitor.secret
    assert secret is not None, "a session comes with a cookie"
    attributes = wire.show_current(session, call.caller.user, secret, gather_notices(call, call.caller.user, session))
    return Answer(Item(thing(call.base, "sessions", session.id, attributes)))


def sign_out(call: Call) -> Answer:
    return _end(call, _current(call).id)


def end(call: Call) -> Answer:
    return _end(call, _SESSIONS.find(call).id)


def end_all(call: Call) -> Answer:
    keeps = call.flag("others")
    store.end_all(call.db, call.user_id, besides=call.caller.session_id if keeps else None)
    note(call, Event.SIGNED_OUT_EVERYWHERE)
    return NOTHING if keeps else _without_cookie(call)


def ask_change(call: Call) -> PasswordChange:
    """Reads the change of a password, and counts the attempt as at sign-in."""
    user = call.caller.user
    call.session_only("change the password", "Sign in, or use `farthing user set-password`.")
    current_hash = users.password_hash(call.db, user.email) or ""
    body = wire.new_password(call.fields, user.email, has_password=bool(current_hash))
    if not current_hash and not is_recent(call):
        raise Forbidden(_FIRST_PASSWORD)
    count_attempt(call.db, call.visitor.origin, user.email, call.now)
    return PasswordChange(hash=current_hash, current=body.current, new=body.new)


def hash_new_password(change: PasswordChange) -> Changed | None:
    if not change.hash:
        return Changed(before="", after=passwords.hash_password(change.new))
    return passwords.change(change.hash, change.current, change.new)


def change_password(call: Call) -> Answer:
    """Changes the password, and ends all other sessions, including copies of this session's cookie.

    Tokens stay valid unless the user asks to revoke them, because the programs that use them would stop working.
    """
    user = call.caller.user
    new = call.prepared
    if not isinstance(new, Changed):
        refuse_field("current_password", NOT_CURRENT)
    forgive_attempt(call.db, call.visitor.origin, user.email, call.now)
    if not users.change_password(call.db, user.id, new.before, new.after, call.now):
        refuse_field("current_password", NOT_CURRENT)
    if wire.new_password(call.fields, user.email, has_password=bool(new.before)).end_tokens:
        tokens.revoke_all(call.db, user.id)
    _LOG.info("password changed", extra={"user_id": user.id})
    note(call, Event.PASSWORD_CHANGED)
    return let_in(call, user)


def _idle_since(call: Call) -> str:
    return idle_since(call.now, call.settings.session_idle_hours)


def _find(call: Call, session_id: int) -> Session:
    return or_404(store.get(call.db, call.user_id, session_id, call.now, _idle_since(call)))


def _current(call: Call) -> Session:
    if call.caller.session_id is None:
        raise NotFound("Resource not found")  # a request with a token has no session
    return _find(call, call.caller.session_id)


def _end(call: Call, session_id: int) -> Answer:
    store.end(call.db, call.user_id, session_id)
    note(call, Event.SIGNED_OUT)
    return _without_cookie(call) if session_id == call.caller.session_id else NOTHING


def _without_cookie(call: Call) -> Answer:
    if call.caller.session_id is None:
        return NOTHING
    return structs.replace(NOTHING, headers=(call.visitor.cookie.clear_header(),))


_OTHERS = Parameter(
    "others", {"type": "boolean", "default": False}, "Ends all other sessions, but keeps the session of this request."
)
_SESSIONS: Resource[Session, Any] = Resource(
    path="/sessions",
    shows=SessionThing,
    things=things_without_uri(
        "sessions", lambda call, session: wire.show(session, current=session.id == call.caller.session_id)
    ),
    finds=lambda call: _find(call, call.id),
    page=store.page,
    filters=lambda call: {"now": call.now, "idle_since": _idle_since(call)},
    gate=Gate.IDENTITY,
)

ROUTES = (
    Route(
        "POST", "/session", sign_in, "Sign in with a password, the code of a sign-in link, or a passkey",
        gives=Item[CurrentSession], takes=wire.SignInBody, gate=Gate.OPEN,
        runs=Runs(before=Before(ask=ask_sign_in, compute=check_proof)), fails=(Forged, Conflict, TooMany),
    ),
    Route(
        "POST", "/session/challenge", begin_with_passkey, "Start signing in with a passkey",
        gives=Item[PasskeyRequest], gate=Gate.OPEN, fails=(Forged, Conflict, TooMany),
    ),
    Route(
        "GET", "/session", current, "Show the session of this request, and its CSRF token",
        gives=Item[CurrentSession], gate=Gate.IDENTITY, fails=(NotFound,),
    ),
    Route("DELETE", "/session", sign_out, "Sign out of this session", gate=Gate.IDENTITY, fails=(NotFound,)),
    _SESSIONS.index("List where you are signed in"),
    Route("DELETE", "/sessions", end_all, "Sign out everywhere", parameters=(_OTHERS,), gate=Gate.IDENTITY),
    _SESSIONS.show("Show a session"),
    _SESSIONS.remove("End a session", handler=end),
    Route(
        "PUT", "/password", change_password, "Change your password, and sign out everywhere else",
        gives=Item[CurrentSession], takes=wire.PasswordBody, requires=("password",),
        gate=Gate.IDENTITY, runs=Runs(before=Before(ask=ask_change, compute=hash_new_password)),
        fails=(Forbidden, TooMany),
    ),
    *forgotten.ROUTES,
)  # fmt: skip
