"""Sets a new password with a link that comes by e-mail."""

import logging

from msgspec import Struct

from farthing.http.callers.noting import note_sign_in
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity import users
from farthing.identity.audit import Event
from farthing.identity.signing_in import forgotten, passwords
from farthing.identity.signing_in.attempts import count_attempt, count_forgotten, forgive_attempt, may_send_link
from farthing.identity.user import password_problems
from farthing.kernel.errors import Conflict, Forged, TooMany, refuse_field
from farthing.kernel.fields import RequestBody, described, parse, parse_complete
from farthing.kernel.parsed import ensure

from . import wire

_LOG = logging.getLogger("farthing.sign_in")
_NO_MAIL = "This installation sends no e-mail. Ask its owner for a new password."
_USED_UP = "This link was used before, or has expired. Ask for a new one."


class ForgottenBody(RequestBody):
    email: wire.Email | None = described("The e-mail address with which you sign in.")


class ResetBody(RequestBody):
    code: wire.Code | None = described("The code in the link.")
    password: wire.Password | None = described("The new password. Must have at least 8 characters.")


class _Reset(Struct, frozen=True, kw_only=True):
    user_id: int | None
    code: str
    password: str


class _HashedReset(Struct, frozen=True, kw_only=True):
    user_id: int | None
    code: str
    hash: str


def ask_for_link(call: Call) -> Answer:
    """Notes the address. The job process looks for the user and sends the link, so the answer reveals nothing."""
    email = ensure(parse_complete(ForgottenBody, call.fields, "email").email)
    if call.settings.mail_url is None:
        raise Conflict(_NO_MAIL)
    count_forgotten(call.db, call.visitor.origin.address, email, call.now)
    if may_send_link(call.db, email, call.now):
        forgotten.ask(call.db, email, call.now)
    return NOTHING


def ask_reset(call: Call) -> _Reset:
    parsed = parse(ResetBody, call.fields)
    parsed.require("code", "password")
    code, password = parsed.values.code or "", parsed.values.password or ""
    user_id = forgotten.find_user_id(call.db, code, call.now)
    user = users.get(call.db, user_id) if user_id else None
    if password:
        parsed.report_all(password_problems("password", password, user.email if user else ""))
    parsed.finish()
    count_attempt(call.db, call.visitor.origin, None, call.now)
    return _Reset(user_id=user_id, code=code, password=password)


def hash_reset(reset: _Reset) -> _HashedReset:
    return _HashedReset(user_id=reset.user_id, code=reset.code, hash=passwords.hash_password(reset.password))


def reset(call: Call) -> Answer:
    """Sets the password, and ends all sessions. A second factor is still needed to sign in afterwards."""
    new = call.prepared
    assert isinstance(new, _HashedReset)
    user = users.hold(call.db, new.user_id) if new.user_id else None
    if user is None or not forgotten.use(call.db, new.code):
        refuse_field("code", _USED_UP)
    forgive_attempt(call.db, call.visitor.origin, None, call.now)
    note_sign_in(call, Event.PASSWORD_RESET, user)
    users.set_password(call.db, user.id, new.hash, call.now)
    _LOG.info("password set with a link", extra={"user_id": user.id})
    return NOTHING


ROUTES = (
    Route(
        "POST", "/password/forgotten", ask_for_link, "Ask for an e-mail with a link that sets a new password",
        takes=ForgottenBody, requires=("email",), gate=Gate.OPEN, fails=(Forged, Conflict, TooMany),
    ),
    Route(
        "POST", "/password/reset", reset, "Set a new password with the link, and sign out everywhere",
        takes=ResetBody, requires=("code", "password"), gate=Gate.OPEN,
        runs=Runs(before=Before(ask=ask_reset, compute=hash_reset)), fails=(Forged, TooMany),
    ),
)  # fmt: skip
