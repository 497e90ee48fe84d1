"""Asks users for their second factor, if they have one, whatever their first factor was."""

import logging

from farthing.http.answer import problems
from farthing.http.callers.noting import note_sign_in
from farthing.http.request.call import Answer, Call
from farthing.identity.audit import Event
from farthing.identity.factors import challenges
from farthing.identity.factors import store as factors
from farthing.identity.factors.challenges import Purpose
from farthing.identity.factors.passkeys import Assertion, CheckedAssertion
from farthing.identity.factors.site import find_usable_site
from farthing.identity.factors.store import Factor, FactorKind
from farthing.identity.signing_in.attempts import count_code, forgive_codes
from farthing.identity.user import User
from farthing.kernel.errors import Invalid, Problem

from .checking import use_passkey
from .entrance import WRONG_CODE
from .passkeys import PasskeyRequest, show_request

_LOG = logging.getLogger("farthing.sign_in")
_ASK_CODE = "Enter the code of your authenticator app, or a recovery code."
_ASK_PASSKEY = "Use your passkey, or enter a recovery code."
_ASK_EITHER = "Use your passkey, or enter the code of your authenticator app or a recovery code."
_RECOVERY_CODE = "recovery_code"


def ask_second_factor(call: Call, user: User) -> Answer:
    """Answers with the available factors and the challenge for a passkey. No one-time code is used up."""
    confirmed = factors.list_confirmed(call.db, user.id)
    kinds = [kind.value for kind in FactorKind if any(factor.kind is kind for factor in confirmed)]
    if factors.count_recovery_codes(call.db, user.id):
        kinds.append(_RECOVERY_CODE)
    passkey_request = _ask_passkey(call, user, [factor for factor in confirmed if factor.kind is FactorKind.PASSKEY])
    sentence = _ASK_CODE if passkey_request is None else _ASK_EITHER if FactorKind.TOTP in kinds else _ASK_PASSKEY
    return problems.answer_to(
        Invalid([Problem("otp", sentence)]), {"second_factors": kinds, "public_key": passkey_request}
    )


def refuse_second_factor(
    call: Call, user: User, otp: str | None, passkey: Assertion | None, checked: CheckedAssertion | None
) -> Answer | None:
    """Checks the second factor. Returns the refusal, or None if the factor is right.

    If `passkey` was sent, `checked` is the result of checking it. Otherwise, the code `otp` is checked here.
    """
    count_code(call.db, call.visitor.origin, user, call.now)
    if passkey:
        field, wrong = "passkey", use_passkey(call, checked, Purpose.SECOND_FACTOR, user)
    else:
        is_right = factors.use_code(call.db, user.id, otp or "", call.now)
        field, wrong = "otp", None if is_right else WRONG_CODE
    if wrong is None:
        forgive_codes(call.db, call.visitor.origin, user)
        return None
    _LOG.warning("second factor refused", extra={"user_id": user.id, "address": call.visitor.address})
    note_sign_in(call, Event.SECOND_FACTOR_REFUSED, user)
    return problems.answer_field(field, wrong)


def _ask_passkey(call: Call, user: User, passkeys: list[Factor]) -> PasskeyRequest | None:
    """Returns the request for a passkey, or None if the user has none or browsers do not offer them at this address."""
    site = find_usable_site(call.base)
    if not passkeys or site is None:
        return None
    challenge = challenges.make(call.db, Purpose.SECOND_FACTOR, user.id, call.now)
    return show_request(challenge, site, passkeys, instead_of_password=False)
