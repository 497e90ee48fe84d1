"""Checks passwords and passkeys in a thread, before the handler runs, and returns what is wrong with them."""

from msgspec import Struct

from farthing.http.callers.noting import note_sign_in
from farthing.http.request.call import Call
from farthing.identity.audit import Event
from farthing.identity.factors import passkeys
from farthing.identity.factors import store as factors
from farthing.identity.factors.challenges import Purpose
from farthing.identity.factors.passkeys import Assertion, AssertionCheck, CheckedAssertion, PasskeyOutcome
from farthing.identity.factors.site import find_site
from farthing.identity.signing_in.passwords import Checked
from farthing.identity.user import User

from .entrance import PasswordCheck, check_password

WRONG_PASSKEY = "This is not one of your passkeys, or more than five minutes have passed. Try again."
COPIED_PASSKEY = (
    "The counter of this passkey went backwards, so there may be a copy of it. Prove who you are in another way, and"
    " remove the passkey in the settings."
)
NOT_VERIFIED = "This passkey did not ask for a PIN, a fingerprint or a face, so it does not replace the password."


class ProofCheck(Struct, frozen=True, kw_only=True):
    """Holds what is to be checked: a password, a passkey, or both."""

    password: PasswordCheck | None = None
    passkey: AssertionCheck | None = None


class CheckedProof(Struct, frozen=True, kw_only=True):
    """Holds the results of the checks. A result is None if nothing was sent to be checked.

    `passkey` is also None if anything is wrong with the passkey.
    """

    password: Checked | None
    passkey: CheckedAssertion | None


def ask_passkey(call: Call, assertion: Assertion) -> AssertionCheck:
    site = find_site(call.base)
    return AssertionCheck(assertion=assertion, passkey=factors.find_passkey(call.db, assertion.credential), site=site)


def check_proof(check: ProofCheck) -> CheckedProof:
    return CheckedProof(
        password=check_password(check.password) if check.password else None,
        passkey=passkeys.check_assertion(check.passkey) if check.passkey else None,
    )


def use_passkey(
    call: Call, checked: CheckedAssertion | None, purpose: Purpose, user: User, *, is_known: bool = True
) -> str | None:
    """Uses a passkey, and returns what is wrong with it, if anything.

    If the passkey was copied, the audit log records this. The caller must then return an answer, because raising an
    error would undo the record. `is_known` is true if the user is already known; then the passkey must be theirs.
    """
    outcome = passkeys.use(call.db, checked, purpose, user.id if is_known else None, call.now)
    if outcome is PasskeyOutcome.COPIED:
        assert checked is not None, "only a checked passkey can be a copy"
        note_sign_in(call, Event.PASSKEY_COPIED, user, about=checked.passkey.name)
    return _SENTENCES[outcome]


_SENTENCES = {PasskeyOutcome.RIGHT: None, PasskeyOutcome.WRONG: WRONG_PASSKEY, PasskeyOutcome.COPIED: COPIED_PASSKEY}
