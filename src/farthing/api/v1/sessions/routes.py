"""Signs users in and out, lists their sessions, and changes the password."""

import logging
from datetime import timedelta

from msgspec import Struct, structs

from farthing.http.answer import problems
from farthing.http.answer.document import Item, Page, Thing, thing
from farthing.http.answer.pages import asked, page
from farthing.http.auth import idle_since
from farthing.http.request.call import NOTHING, Answer, Call, found
from farthing.http.route import PAGED, Before, Gate, Parameter, Route, Runs
from farthing.identity import links, passwords, tokens, users
from farthing.identity import sessions as store
from farthing.identity.audit import Event
from farthing.identity.factors import store as factors
from farthing.identity.passwords import Changed, Checked
from farthing.identity.session import RECENT_MINUTES, Session
from farthing.identity.sign_in import count_attempt, forgive_attempt
from farthing.identity.user import User
from farthing.kernel.clock import shift
from farthing.kernel.errors import Forbidden, Forged, Invalid, NotFound, Problem, TooMany, refuse_field
from farthing.kernel.parsed import ensure

from ..audit.noting import note, note_sign_in
from . import wire
from .entrance import NOT_CURRENT, WRONG_CODE, CurrentSession, PasswordCheck, check_password, gather_notices, let_in

_LOG = logging.getLogger("farthing.sign_in")
SessionThing = Thing[wire.SessionAttributes]
_WRONG = "The email address and the password do not fit together."
_SECOND = "Enter the code of your authenticator app, or a recovery code."
_FIRST_PASSWORD = (
    f"You have no password yet. To set one, sign in again: it works within {RECENT_MINUTES} minutes of signing in."
)
_USED_UP = "This link was used before, or it is too old: ask for a new one."


class PasswordChange(Struct, frozen=True, kw_only=True):
    kept: str
    current: str
    new: str


def ask_sign_in(call: Call) -> PasswordCheck | None:
    """Counts the attempt before checking anything. A link needs no password."""
    given = wire.sign_in(call.fields)
    count_attempt(call.db, call.visitor.origin, None if given.code else given.email, call.now)
    if given.code:
        return None
    email = ensure(given.email)
    return PasswordCheck(kept=users.password_hash(call.db, email), given=ensure(given.password))


def sign_in(call: Call) -> Answer:
    given = wire.sign_in(call.fields)
    user = _of_link(call, given.code) if given.code else _of_password(call, given)
    if user is None:
        return _refuse(call, given)
    if factors.is_needed(call.db, user.id):
        if given.otp is None:
            return _ask_second_factor(call, given)
        if not factors.use_code(call.db, user.id, given.otp, call.now):
            return _refuse_second_factor(call, user)
    if given.code and not links.use(call.db, given.code):
        return _refuse(call, given)
    forgive_attempt(call.db, call.visitor.origin, None if given.code else given.email, call.now)
    _LOG.info("signed in", extra={"user_id": user.id, "address": call.visitor.address})
    note_sign_in(call, Event.SIGNED_IN, user)
    return let_in(call, user)


def _refuse(call: Call, given: wire.SignInBody) -> Answer:
    """Answers instead of raising, because the audit is to keep it."""
    _LOG.warning("sign-in refused", extra={"address": call.visitor.address})
    user = None if given.code else users.find_by_email(call.db, ensure(given.email))
    if user:
        note_sign_in(call, Event.SIGN_IN_REFUSED, user)
    problem = Problem("code", _USED_UP) if given.code else Problem("password", _WRONG)
    return problems.answer_to(Invalid([problem]))


def _ask_second_factor(call: Call, given: wire.SignInBody) -> Answer:
    """Nobody is let in, and no link used up. So far nothing was wrong."""
    forgive_attempt(call.db, call.visitor.origin, None if given.code else given.email, call.now)
    return problems.answer_to(Invalid([Problem("otp", _SECOND)]))


def _refuse_second_factor(call: Call, user: User) -> Answer:
    _LOG.warning("second factor refused", extra={"user_id": user.id, "address": call.visitor.address})
    note_sign_in(call, Event.SECOND_FACTOR_REFUSED, user)
    return problems.answer_to(Invalid([Problem("otp", WRONG_CODE)]))


def current(call: Call) -> Answer:
    session, secret = _current(call), call.visitor.secret
    assert secret is not None, "there is a session, so there was a cookie"
    shown = wire.show_current(session, call.caller.user, secret, gather_notices(call, call.caller.user, session.id))
    return Answer(Item(thing(call.base, "sessions", session.id, shown)))


def sign_out(call: Call) -> Answer:
    return _end(call, _current(call).id)


def index(call: Call) -> Answer:
    at = asked(call)
    total, sessions = store.page(call.db, call.user_id, call.now, _idle_since(call), limit=at.size, offset=at.offset)
    return Answer(page(call, "/sessions", [_thing(call, session) for session in sessions], total))


def show(call: Call) -> Answer:
    return Answer(Item(_thing(call, _found(call, call.id))))


def end(call: Call) -> Answer:
    return _end(call, _found(call, call.id).id)


def end_all(call: Call) -> Answer:
    keeps = call.flag("others")
    store.end_all(call.db, call.user_id, besides=call.caller.session_id if keeps else None)
    note(call, Event.SIGNED_OUT_EVERYWHERE)
    return NOTHING if keeps else _without_cookie(call)


def ask_change(call: Call) -> PasswordChange:
    """Guessing the current password counts like guessing at sign-in."""
    user = call.caller.user
    if call.caller.session_id is None:
        raise Forbidden("A token cannot change the password: sign in, or use `farthing user set-password`.")
    kept = users.password_hash(call.db, user.email) or ""
    asked = wire.new_password(call.fields, user.email, has_password=bool(kept))
    if not kept and not _is_recent(call):
        raise Forbidden(_FIRST_PASSWORD)
    count_attempt(call.db, call.visitor.origin, user.email, call.now)
    return PasswordChange(kept=kept, current=asked.current, new=asked.new)


def _is_recent(call: Call) -> bool:
    since = shift(call.now, -timedelta(minutes=RECENT_MINUTES))
    return store.began_at(call.db, call.user_id, ensure(call.caller.session_id)) > since


def hash_new_password(asked: PasswordChange) -> Changed | None:
    if not asked.kept:
        return Changed(before="", after=passwords.hash_password(asked.new))
    return passwords.change(asked.kept, asked.current, asked.new)


def change_password(call: Call) -> Answer:
    """Ends all other sessions, including copies of this session's cookie.

    Tokens stay unless the user wants them to end: programs that use them would stop.
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


def _of_link(call: Call, code: str) -> User | None:
    """Locks the user before the link is used up: the same order as blocking a user, so that they cannot deadlock."""
    user_id = links.find_user_id(call.db, code, call.now)
    return users.hold(call.db, user_id) if user_id else None


def _of_password(call: Call, given: wire.SignInBody) -> User | None:
    """Checks again, because the password may have changed or the user been blocked during hashing."""
    checked = call.prepared
    assert isinstance(checked, Checked)
    if not checked.right:
        return None
    return users.hold_by_password(call.db, given.email or "", checked.hash, checked.renewed)


def _idle_since(call: Call) -> str:
    return idle_since(call.now, call.settings.session_idle_hours)


def _found(call: Call, session_id: int) -> Session:
    return found(store.get(call.db, call.user_id, session_id, call.now, _idle_since(call)))


def _current(call: Call) -> Session:
    if call.caller.session_id is None:
        raise NotFound("Resource not found")  # requests with a token have no session
    return _found(call, call.caller.session_id)


def _end(call: Call, session_id: int) -> Answer:
    store.end(call.db, call.user_id, session_id)
    note(call, Event.SIGNED_OUT)
    return _without_cookie(call) if session_id == call.caller.session_id else NOTHING


def _without_cookie(call: Call) -> Answer:
    return (
        structs.replace(NOTHING, headers=(call.visitor.cookie.clear_header(),)) if call.caller.session_id else NOTHING
    )


def _thing(call: Call, session: Session) -> SessionThing:
    shown = wire.show(session, current=session.id == call.caller.session_id)
    return thing(call.base, "sessions", session.id, shown)


_OTHERS = Parameter("others", {"type": "boolean", "default": False}, "All but the one that this request came with.")

ROUTES = (
    Route(
        "POST", "/session", sign_in, "Sign in, with a password or with the code of a link",
        gives=Item[CurrentSession], takes=wire.SignInBody, gate=Gate.OPEN,
        runs=Runs(before=Before(ask=ask_sign_in, compute=check_password)), fails=(Forged, TooMany),
    ),
    Route(
        "GET", "/session", current, "Show the session that this request came with, and its CSRF token",
        gives=Item[CurrentSession], gate=Gate.IDENTITY, fails=(NotFound,),
    ),
    Route("DELETE", "/session", sign_out, "Sign out here", gate=Gate.IDENTITY, fails=(NotFound,)),
    Route(
        "GET", "/sessions", index, "List where you are signed in",
        gives=Page[SessionThing], parameters=PAGED, gate=Gate.IDENTITY,
    ),
    Route("DELETE", "/sessions", end_all, "Sign out everywhere", parameters=(_OTHERS,), gate=Gate.IDENTITY),
    Route("GET", "/sessions/{id}", show, "Show one session", gives=Item[SessionThing], gate=Gate.IDENTITY),
    Route("DELETE", "/sessions/{id}", end, "End one session", gate=Gate.IDENTITY),
    Route(
        "PUT", "/password", change_password, "Change your password; everywhere else you are signed out",
        gives=Item[CurrentSession], takes=wire.PasswordBody, requires=("password",),
        gate=Gate.IDENTITY, runs=Runs(before=Before(ask=ask_change, compute=hash_new_password)),
        fails=(Forbidden, TooMany),
    ),
)  # fmt: skip
