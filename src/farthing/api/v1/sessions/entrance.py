"""Asks signed-in users for their password, and starts the session of a user who has signed in."""

from datetime import timedelta

from msgspec import Struct

from farthing.books.accounts import store as accounts
from farthing.books.preferences import store as preferences
from farthing.http.answer.document import Item, Thing, thing
from farthing.http.request.call import Answer, Call
from farthing.identity import audit, callers, devices, sessions, users
from farthing.identity.devices import DEVICE_LASTS
from farthing.identity.providers import sessions as provider_sessions
from farthing.identity.providers.sessions import ProviderSession
from farthing.identity.sessions import RECENT_MINUTES, Session, begin
from farthing.identity.sharing import members
from farthing.identity.signing_in import passwords
from farthing.identity.signing_in.attempts import count_attempt, forgive_attempt
from farthing.identity.signing_in.passwords import Checked
from farthing.identity.user import User
from farthing.kernel.clock import shift
from farthing.kernel.errors import Forbidden, refuse_field
from farthing.kernel.parsed import ensure
from farthing.storage import installation

from . import wire

CurrentSession = Thing[wire.CurrentSessionAttributes]
# For how long a sign-in on a new device is reported, and how many such sign-ins are reported at most.
_NEW_FOR = timedelta(days=30)
_NEW_DEVICES_MAX = 5

NOT_CURRENT = "This is not the current password."
WRONG_CODE = "This code is not valid now. Codes work once, and only for half a minute."
_SIGN_IN_AGAIN = f"You have no password to confirm this. Sign in again, and do this within {RECENT_MINUTES} minutes."


class PasswordCheck(Struct, frozen=True, kw_only=True):
    """Holds a password, and the hash to compare it with. `hash` is None if there is no such user."""

    hash: str | None
    password: str


def check_password(check: PasswordCheck) -> Checked:
    """Checks a password. Takes the same time if there is no such user, so that nobody learns which users exist."""
    return passwords.check(check.hash, check.password)


def ask_current_password(call: Call, password: str) -> PasswordCheck:
    """Returns the signed-in user's password for checking, after counting the attempt as at sign-in."""
    email = call.caller.user.email
    count_attempt(call.db, call.visitor.origin, email, call.now)
    return PasswordCheck(hash=users.password_hash(call.db, email), password=password)


def refuse_wrong_password(call: Call) -> None:
    """Refuses the request if its password was checked and is wrong."""
    if isinstance(call.prepared, Checked):
        if not call.prepared.right:
            refuse_field("current_password", NOT_CURRENT)
        forgive_attempt(call.db, call.visitor.origin, call.caller.user.email, call.now)


def is_recent(call: Call) -> bool:
    since = shift(call.now, -timedelta(minutes=RECENT_MINUTES))
    return sessions.began_at(call.db, call.caller.user.id, ensure(call.caller.session_id)) > since


def has_password(call: Call) -> bool:
    """Tells whether the caller has a password. Users who sign in with a provider or a proxy may have none."""
    return users.has_password(call.db, call.caller.user.id)


def refuse_without_password(call: Call) -> None:
    if not has_password(call) and not is_recent(call):
        raise Forbidden(_SIGN_IN_AGAIN)


def needs_password(call: Call) -> bool:
    """Tells whether to ask for the password before creating something that outlives the session.

    This is necessary because the session may be stolen.
    """
    refuse_without_password(call)
    return not is_recent(call)


def gather_notices(call: Call, user: User, session: Session) -> wire.Notices:
    proxy = installation.find_unknown_proxy(call.db, call.settings, call.now) if user.is_owner else None
    since = shift(call.now, -_NEW_FOR)
    revisions = callers.find_revisions(call.db, user.id)
    shared_books = members.list_of_person(call.db, user.id)
    works_elsewhere = bool(shared_books) and not accounts.has_own(call.db, user.id)
    return wire.Notices(
        undo_days=call.settings.trash_days,
        unknown_proxy=proxy,
        has_password=users.has_password(call.db, user.id),
        sign_out_url=provider_sessions.find_sign_out_url(call.db, user.id, session.id),
        revision=revisions[0] if revisions else 0,
        is_shared=bool(members.list_of_books(call.db, user.id)),
        shared_books=shared_books,
        new_devices=audit.list_new_devices(
            call.db, user.id, since, besides_at=session.created_at, limit=_NEW_DEVICES_MAX
        ),
        language=str(preferences.values(call.db, user.id, ["language"])["language"]),
        home_books_id=shared_books[0].user_id if works_elsewhere else user.id,
    )


def let_in(call: Call, user: User, through: ProviderSession | None = None) -> Answer:
    """Starts a session for the user, and answers with it.

    The previous session of the browser ends, so that an attacker cannot plant one (session fixation). `through` is the
    session at the provider with which the user signed in.
    """
    who = call.visitor
    begun = begin(call.db, user.id, agent=who.agent, before=who.secret, now=call.now, days=call.settings.session_days)
    if through:
        provider_sessions.note(call.db, user.id, begun.session.id, through)
    attributes = wire.show_current(begun.session, user, begun.secret, gather_notices(call, user, begun.session))
    device = devices.remember(call.db, user.id, who.device, call.now)
    return Answer(
        Item(thing(call.base, "sessions", begun.session.id, attributes)),
        headers=(
            who.cookie.set_header(begun.secret, begun.seconds),
            who.device_cookie.set_header(device, int(DEVICE_LASTS.total_seconds())),
        ),
    )
