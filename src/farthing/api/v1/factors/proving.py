"""Verifies that second factors are changed by the user, and not by somebody with a stolen session."""

from farthing.http.answer import problems
from farthing.http.request.call import Answer, Call
from farthing.identity import users
from farthing.identity.factors import store
from farthing.identity.factors.challenges import Purpose
from farthing.identity.signing_in.attempts import count_attempt, count_code, forgive_attempt, forgive_codes
from farthing.kernel.parsed import ensure

from ..sessions.checking import NOT_VERIFIED, CheckedProof, ProofCheck, ask_passkey, use_passkey
from ..sessions.entrance import NOT_CURRENT, WRONG_CODE, PasswordCheck, has_password, refuse_without_password
from . import wire


def ask_person(call: Call, body: wire.PersonBody) -> ProofCheck:
    """Asks for the password or a passkey, and limits guesses as at sign-in.

    A user without a password must have signed in recently.
    """
    email = call.caller.user.email
    count_attempt(call.db, call.visitor.origin, email, call.now)
    if body.passkey:
        return ProofCheck(passkey=ask_passkey(call, body.passkey))
    refuse_without_password(call)
    password_hash = users.password_hash(call.db, email)
    if not password_hash:
        return ProofCheck()
    return ProofCheck(password=PasswordCheck(hash=password_hash, password=ensure(body.current_password)))


def refuse_other_person(call: Call, body: wire.PersonBody) -> Answer | None:
    """Returns None if the password or the passkey is right, and otherwise the answer that refuses the request.

    Raises no error, because an error would roll back the audit entry about a copied passkey.
    """
    checked = call.prepared
    assert isinstance(checked, CheckedProof)
    if body.passkey:
        field, wrong = "passkey", use_passkey(call, checked.passkey, Purpose.PROOF, call.caller.user)
        if wrong is None and checked.passkey and not checked.passkey.is_user_verified:
            wrong = NOT_VERIFIED
    else:
        is_right = checked.password.right if checked.password else not has_password(call)
        field, wrong = "current_password", None if is_right else NOT_CURRENT
    return _forgive_or_answer(call, field, wrong)


def ask_factor(call: Call, body: wire.ProofBody) -> ProofCheck:
    """Asks for a code or a passkey, and counts the attempt as at sign-in.

    Attempts are also limited when the code or the passkey is checked.
    """
    count_attempt(call.db, call.visitor.origin, call.caller.user.email, call.now)
    return ProofCheck(passkey=ask_passkey(call, body.passkey) if body.passkey else None)


def refuse_without_factor(call: Call, body: wire.ProofBody) -> Answer | None:
    """Returns None if the code or the passkey is right, and otherwise the answer that refuses the request."""
    checked = call.prepared
    assert isinstance(checked, CheckedProof)
    user, origin = call.caller.user, call.visitor.origin
    count_code(call.db, origin, user, call.now)
    if body.passkey:
        field, wrong = "passkey", use_passkey(call, checked.passkey, Purpose.PROOF, user)
    else:
        is_right = store.use_code(call.db, user.id, ensure(body.otp), call.now)
        field, wrong = "otp", None if is_right else WRONG_CODE
    if wrong is None:
        forgive_codes(call.db, origin, user)
    return _forgive_or_answer(call, field, wrong)


def _forgive_or_answer(call: Call, field: str, wrong: str | None) -> Answer | None:
    if wrong:
        return problems.answer_field(field, wrong)
    forgive_attempt(call.db, call.visitor.origin, call.caller.user.email, call.now)
    return None
