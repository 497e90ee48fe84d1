"""What can be done with sessions over HTTP? Sign in and out, see where one is signed in, change the password."""

import logging
from functools import partial

from msgspec import structs

from ..errors import Forbidden, Forged, NotFound, TooMany, refuse_field
from ..http.auth import idle_since
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page, Thing, thing
from ..http.entrance import CurrentSession, let_in, visitor
from ..http.pages import asked, page
from ..http.route import PAGED, Parameter, Route, Slow
from ..users import passwords
from ..users import store as users
from ..users.model import User
from ..users.passwords import Changed, Checked
from . import attempts, links, store, wire
from .model import Session

_LOG = logging.getLogger("farthing.sign_in")
SessionThing = Thing[wire.SessionAttributes]
_WRONG = "The email address and the password do not fit together."
_USED_UP = "This link was used before, or it is too old: ask for a new one."


def sign_in_before(call: Call) -> Slow:
    """Counted before anything is looked at. A password takes as long to check whether or not there is such a user."""
    given = wire.sign_in(call.fields)
    attempts.from_address(call.db, visitor(call).address, call.now)
    if given.code:
        return _nothing
    assert given.email is not None
    assert given.password is not None
    attempts.at_account(call.db, given.email, call.now)
    return partial(passwords.check, users.password_hash(call.db, given.email), given.password)


def sign_in(call: Call) -> Answer:
    given = wire.sign_in(call.fields)
    user = _of_link(call, given.code) if given.code else _of_password(call, given)
    if user is None:
        _LOG.warning("sign-in refused", extra={"address": visitor(call).address})
        refuse_field("code" if given.code else "password", _USED_UP if given.code else _WRONG)
    attempts.forgive(call.db, visitor(call).address, given.email if not given.code else None, call.now)
    _LOG.info("signed in", extra={"user_id": user.id, "address": visitor(call).address})
    return let_in(call, user)


def current(call: Call) -> Answer:
    session, secret = _current(call), visitor(call).secret
    assert secret is not None, "there is a session, so there was a cookie"
    return Answer(Item(thing(call.base, "sessions", session.id, wire.show_current(session, call.caller.user, secret))))


def sign_out(call: Call) -> Answer:
    return _ended(call, _current(call).id)


def index(call: Call) -> Answer:
    at = asked(call)
    total, sessions = store.page(call.db, call.user_id, call.now, _idle_since(call), limit=at.size, offset=at.offset)
    return Answer(page(call, "/sessions", [_thing(call, session) for session in sessions], total))


def show(call: Call) -> Answer:
    return Answer(Item(_thing(call, _found(call, call.id))))


def end(call: Call) -> Answer:
    return _ended(call, _found(call, call.id).id)


def end_all(call: Call) -> Answer:
    keeps = call.query.get("others", "").lower() in ("1", "true")
    store.end_all(call.db, call.user_id, besides=call.caller.session_id if keeps else None)
    return NOTHING if keeps else _without_cookie(call)


def change_password_before(call: Call) -> Slow:
    """Guessing the current one counts like guessing at the door."""
    user = call.caller.user
    if call.caller.session_id is None:
        raise Forbidden("A token cannot change the password: sign in, or use `farthing user set-password`.")
    old, new = wire.new_password(call.fields, user.email)
    attempts.from_address(call.db, visitor(call).address, call.now)
    attempts.at_account(call.db, user.email, call.now)
    kept = users.password_hash(call.db, user.email) or ""
    return partial(passwords.change, kept, old, new)


def change_password(call: Call) -> Answer:
    """Everybody else is signed out, also whoever had copied the cookie of this very session."""
    user = call.caller.user
    new = call.outcome
    if not isinstance(new, Changed) or not users.change_password(call.db, user.id, new.before, new.after, call.now):
        refuse_field("current_password", "This is not the current password.")
    attempts.forgive(call.db, visitor(call).address, user.email, call.now)
    _LOG.info("password changed", extra={"user_id": user.id})
    return let_in(call, user)


def _nothing() -> None:
    return None


def _of_link(call: Call, code: str) -> User | None:
    """The user is held first, and the link taken then: in this order they are shut out as well."""
    user_id = links.whose(call.db, code, call.now)
    user = users.hold(call.db, user_id) if user_id else None
    return user if user and links.use(call.db, code) else None


def _of_password(call: Call, given: wire.SignInBody) -> User | None:
    """The password may have been changed while it was checked, or the user blocked."""
    checked = call.outcome
    assert isinstance(checked, Checked)
    if not checked.right:
        return None
    return users.with_password(call.db, given.email or "", checked.hash, checked.renewed)


def _idle_since(call: Call) -> str:
    return idle_since(call.now, call.settings.session_idle_hours)


def _found(call: Call, session_id: int) -> Session:
    return found(store.get(call.db, call.user_id, session_id, call.now, _idle_since(call)))


def _current(call: Call) -> Session:
    if call.caller.session_id is None:
        raise NotFound("Resource not found")  # a token has no session
    return _found(call, call.caller.session_id)


def _ended(call: Call, session_id: int) -> Answer:
    store.end(call.db, call.user_id, session_id)
    return _without_cookie(call) if session_id == call.caller.session_id else NOTHING


def _without_cookie(call: Call) -> Answer:
    return structs.replace(NOTHING, headers=(visitor(call).jar.emptied(),)) if call.caller.session_id else NOTHING


def _thing(call: Call, session: Session) -> SessionThing:
    shown = wire.show(session, current=session.id == call.caller.session_id)
    return thing(call.base, "sessions", session.id, shown)


_OTHERS = Parameter("others", {"type": "boolean", "default": False}, "All but the one that this request came with.")

ROUTES = (
    Route(
        "POST", "/session", sign_in, "Sign in, with a password or with the code of a link",
        gives=Item[CurrentSession], takes=wire.SignInBody, open=True, books=False, before=sign_in_before,
        fails=(Forged, TooMany),
    ),
    Route(
        "GET", "/session", current, "Show the session that this request came with, and its CSRF token",
        gives=Item[CurrentSession], books=False, fails=(NotFound,),
    ),
    Route("DELETE", "/session", sign_out, "Sign out here", books=False, fails=(NotFound,)),
    Route(
        "GET", "/sessions", index, "List where you are signed in",
        gives=Page[SessionThing], parameters=PAGED, books=False,
    ),
    Route("DELETE", "/sessions", end_all, "Sign out everywhere", parameters=(_OTHERS,), books=False),
    Route("GET", "/sessions/{id}", show, "Show one session", gives=Item[SessionThing], books=False),
    Route("DELETE", "/sessions/{id}", end, "End one session", books=False),
    Route(
        "PUT", "/password", change_password, "Change your password; everywhere else you are signed out",
        gives=Item[CurrentSession], takes=wire.PasswordBody, requires=("current_password", "password"), books=False,
        before=change_password_before, fails=(Forbidden, TooMany),
    ),
)  # fmt: skip
