"""Signs users in with a password or the code of a link, and then with their second factor, if they have one.

A passkey can replace both.
"""

import logging

from farthing.http.answer import problems
from farthing.http.answer.document import Item
from farthing.http.callers.noting import note_sign_in
from farthing.http.request.call import Answer, Call
from farthing.identity import links, users
from farthing.identity.audit import Event
from farthing.identity.factors import challenges
from farthing.identity.factors import store as factors
from farthing.identity.factors.challenges import Purpose
from farthing.identity.factors.passkeys import Assertion, CheckedAssertion
from farthing.identity.factors.site import find_site
from farthing.identity.signing_in.attempts import count_attempt, count_challenge, forgive_attempt
from farthing.identity.user import User
from farthing.kernel.parsed import ensure

from . import wire
from .checking import NOT_VERIFIED, CheckedProof, ProofCheck, ask_passkey, use_passkey
from .entrance import PasswordCheck, let_in
from .passkeys import show_request
from .second_factor import ask_second_factor, refuse_second_factor

_LOG = logging.getLogger("farthing.sign_in")
_WRONG = "Wrong email address or password."
_USED_UP = "This link was used before, or has expired. Ask for a new one."
_UNKNOWN_PASSKEY = "This passkey is unknown, or more than five minutes have passed. Try again, or use your password."


def begin_with_passkey(call: Call) -> Answer:
    """Starts a sign-in with a passkey.

    The user is unknown yet, so the request names no passkeys, and the authenticator offers those stored for this site.
    """
    site = find_site(call.base)
    count_challenge(call.db, call.visitor.origin, call.now)
    challenge = challenges.make(call.db, Purpose.SIGN_IN, None, call.now)
    return Answer(Item(show_request(challenge, site, (), instead_of_password=True)))


def ask_sign_in(call: Call) -> ProofCheck:
    """Returns what to check, after counting the attempt. Neither a link nor a passkey needs a password."""
    body = wire.sign_in(call.fields)
    email = wire.email_of(body)
    count_attempt(call.db, call.visitor.origin, email, call.now)
    password = (
        PasswordCheck(hash=users.password_hash(call.db, email), password=ensure(body.password)) if email else None
    )
    return ProofCheck(password=password, passkey=ask_passkey(call, body.passkey) if body.passkey else None)


def sign_in(call: Call) -> Answer:
    body, checked = wire.sign_in(call.fields), call.prepared
    assert isinstance(checked, CheckedProof)
    email = wire.email_of(body)
    if email is None and not body.code:
        return _sign_in_with_passkey(call, ensure(body.passkey), checked.passkey)
    user = _of_link(call, body.code) if body.code else _of_password(call, ensure(email), checked)
    if user is None:
        return _refuse(call, body)
    if factors.is_needed(call.db, user.id):
        if body.otp is None and body.passkey is None:
            forgive_attempt(call.db, call.visitor.origin, email, call.now)  # nothing was wrong so far
            return ask_second_factor(call, user)
        refusal = refuse_second_factor(call, user, body.otp, body.passkey, checked.passkey)
        if refusal:
            return refusal
    if body.code and not links.use(call.db, body.code):
        return _refuse(call, body)
    return _let_in(call, user, email, about="")


def _sign_in_with_passkey(call: Call, assertion: Assertion, checked: CheckedAssertion | None) -> Answer:
    """Signs in with a passkey alone. It replaces both factors, so its authenticator must have verified the user."""
    user = users.hold(call.db, checked.passkey.user_id) if checked else None
    if checked is None or user is None:
        return _refuse_passkey(call, assertion, _UNKNOWN_PASSKEY)
    wrong = use_passkey(call, checked, Purpose.SIGN_IN, user, is_known=False)
    if wrong or not checked.is_user_verified:
        return _refuse_passkey(call, assertion, wrong or NOT_VERIFIED)
    return _let_in(call, user, None, about=checked.passkey.name)


def _refuse_passkey(call: Call, assertion: Assertion, sentence: str) -> Answer:
    _LOG.warning("sign-in refused", extra={"address": call.visitor.address})
    passkey = factors.find_passkey(call.db, assertion.credential)
    user = users.get(call.db, passkey.user_id) if passkey else None
    if passkey and user:
        note_sign_in(call, Event.SIGN_IN_REFUSED, user, about=passkey.name)
    return problems.answer_field("passkey", sentence)


def _let_in(call: Call, user: User, email: str | None, *, about: str) -> Answer:
    """Completes the sign-in. `about` is the name of the passkey, if one was used."""
    forgive_attempt(call.db, call.visitor.origin, email, call.now)
    _LOG.info("signed in", extra={"user_id": user.id, "address": call.visitor.address})
    note_sign_in(call, Event.SIGNED_IN, user, about=about)
    return let_in(call, user)


def _refuse(call: Call, body: wire.SignInBody) -> Answer:
    """Answers with the refusal. It is not raised, because raising an error would undo its entry in the audit log."""
    _LOG.warning("sign-in refused", extra={"address": call.visitor.address})
    user = None if body.code else users.find_by_email(call.db, ensure(body.email))
    if user:
        note_sign_in(call, Event.SIGN_IN_REFUSED, user)
    return problems.answer_field("code", _USED_UP) if body.code else problems.answer_field("password", _WRONG)


def _of_link(call: Call, code: str) -> User | None:
    """Returns the user of a link, and locks them before the link is used.

    Blocking a user locks in the same order, which avoids a deadlock.
    """
    user_id = links.find_user_id(call.db, code, call.now)
    return users.hold(call.db, user_id) if user_id else None


def _of_password(call: Call, email: str, checked: CheckedProof) -> User | None:
    """Returns the user if the password is right.

    Reads the user again, because the password may have been changed, or the user blocked, during the check.
    """
    password = checked.password
    assert password is not None, "it was sent"
    return users.hold_by_password(call.db, email, password.hash, password.renewed) if password.right else None
