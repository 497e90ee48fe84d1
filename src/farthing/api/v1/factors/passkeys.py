"""Adds passkeys, and creates the challenges that passkeys sign."""

import secrets

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity.audit import Event
from farthing.identity.factors import challenges, store
from farthing.identity.factors.challenges import Purpose
from farthing.identity.factors.passkeys import AttestationCheck, CheckedAttestation, check_attestation
from farthing.identity.factors.site import find_site
from farthing.identity.factors.store import CredentialTaken, Factor, PasskeyDraft
from farthing.kernel.errors import Conflict, Forbidden, TooMany, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.parsed import ensure

from ..sessions.checking import ProofCheck, check_proof
from ..sessions.entrance import has_password
from ..sessions.passkeys import PasskeyCreation, PasskeyRequest, show_creation, show_request
from . import wire
from .proving import ask_person, refuse_other_person

NewPasskeyThing = Thing[wire.NewPasskeyAttributes]
_NOT_OURS = "This passkey was not created for this address, or creating it took longer than five minutes. Try again."
_TAKEN = "This passkey is already registered."


def begin_proof(call: Call) -> Answer:
    """Creates a challenge that any of the caller's passkeys can sign.

    The route that receives the signed challenge decides what it allows.
    """
    call.session_only("change second factors")
    site, passkeys = find_site(call.base), store.list_passkeys(call.db, call.user_id)
    if not passkeys:
        raise Conflict("You have no passkey. Use your password or a code.")
    challenge = challenges.make(call.db, Purpose.PROOF, call.user_id, call.now)
    return Answer(Item(show_request(challenge, site, passkeys, instead_of_password=False)))


def ask_to_begin(call: Call) -> ProofCheck:
    """Refuses addresses where passkeys do not work, before the user types a password."""
    call.session_only("change second factors")
    find_site(call.base)
    return ask_person(call, wire.read_person(call.fields, has_password=has_password(call)))


def begin(call: Call) -> Answer:
    """Answers with a challenge that the new passkey must sign, so that nobody else can add a passkey."""
    refusal = refuse_other_person(call, wire.read_person(call.fields, has_password=has_password(call)))
    if refusal:
        return refusal
    passkeys = store.list_passkeys(call.db, call.user_id)
    if len(passkeys) >= store.PASSKEYS_MAX:
        raise Conflict(f"You already have {store.PASSKEYS_MAX} passkeys, the maximum. Remove one first.")
    handle = _choose_handle(passkeys)
    challenge = challenges.make(call.db, Purpose.ENROLMENT, call.user_id, call.now, handle=handle)
    site = find_site(call.base)
    return Answer(Item(show_creation(challenge, site, call.caller.user, handle, passkeys)))


def ask_to_add(call: Call) -> AttestationCheck:
    call.session_only("change second factors")
    body = _read(call)
    return AttestationCheck(attestation=ensure(body.credential), site=find_site(call.base))


def _read(call: Call) -> wire.PasskeyBody:
    return parse_complete(wire.PasskeyBody, call.fields, "name", "credential")


def add(call: Call) -> Answer:
    """Adds the passkey. Answers with recovery codes if the user had no second factor before."""
    name, made = ensure(_read(call).name), call.prepared
    if not isinstance(made, CheckedAttestation):
        refuse_field("credential", _NOT_OURS)
    used = challenges.use(call.db, made.challenge, Purpose.ENROLMENT, call.user_id, call.now)
    if used is None:
        refuse_field("credential", _NOT_OURS)
    is_first = not store.is_needed(call.db, call.user_id)
    passkey = _store(call, name, made, ensure(used.handle))
    note(call, Event.FACTOR_ADDED, about=name)
    codes = store.make_recovery_codes(call.db, call.user_id) if is_first else []
    return Answer(Item(thing(call.base, "factors", passkey.id, wire.show_passkey(passkey, codes))))


def _store(call: Call, name: str, made: CheckedAttestation, handle: str) -> Factor:
    draft = PasskeyDraft(
        name=name,
        credential=made.credential,
        public_key=made.public_key,
        counter=made.counter,
        handle=handle,
        transports=made.transports,
    )
    try:
        return store.add_passkey(call.db, call.user_id, draft, call.now)
    except CredentialTaken:
        refuse_field("credential", _TAKEN)


def _choose_handle(passkeys: list[Factor]) -> str:
    """Returns the id under which authenticators store the user's passkeys.

    All passkeys of a user share this handle, so that an authenticator keeps only one of them.
    """
    return next((passkey.handle for passkey in passkeys if passkey.handle), None) or secrets.token_urlsafe(32)


ROUTES = (
    Route(
        "POST", "/factors/challenge", begin_proof, "Start proving who you are with a passkey",
        gives=Item[PasskeyRequest], gate=Gate.IDENTITY, fails=(Forbidden, Conflict),
    ),
    Route(
        "POST", "/factors/passkeys/challenge", begin, "Start adding a passkey",
        gives=Item[PasskeyCreation], takes=wire.PersonBody, gate=Gate.IDENTITY,
        runs=Runs(before=Before(ask=ask_to_begin, compute=check_proof)), fails=(Forbidden, Conflict, TooMany),
    ),
    Route(
        "POST", "/factors/passkeys", add, "Add a passkey that the browser has created",
        gives=Item[NewPasskeyThing], takes=wire.PasskeyBody, requires=("name", "credential"),
        gate=Gate.IDENTITY, shows_secret=True,
        runs=Runs(before=Before(ask=ask_to_add, compute=check_attestation)), fails=(Forbidden, Conflict),
    ),
)  # fmt: skip
