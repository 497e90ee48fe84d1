"""Serves sign-in with an OpenID Connect provider, or through a proxy that has already authenticated users."""

import logging

import msgspec

from farthing.http.answer import problems
from farthing.http.answer.document import Item
from farthing.http.callers.noting import note_sign_in
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import Before, Gate, Mode, Route, Runs
from farthing.identity import addresses, users
from farthing.identity.audit import COMMAND_LINE, AuditSource, Event
from farthing.identity.audit import note as note_in
from farthing.identity.factors import store as factors
from farthing.identity.providers import sessions, states, store
from farthing.identity.providers.exchange import (
    Arrival,
    Departing,
    NotProved,
    Proof,
    SignOutOrder,
    SignOutQuestion,
    check_arrival,
    check_sign_out,
    depart,
)
from farthing.identity.providers.sessions import ProviderSession
from farthing.identity.providers.states import ProviderState
from farthing.identity.signing_in.attempts import count_attempt, forgive_attempt
from farthing.identity.user import User
from farthing.kernel.errors import Forged, Malformed, TooMany, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.parsed import ensure

from ..sessions.checking import CheckedProof, ProofCheck, ask_passkey, check_proof
from ..sessions.entrance import CurrentSession, let_in
from ..sessions.second_factor import ask_second_factor, refuse_second_factor
from . import travel, wire
from .joining import SHUT_OUT, SignInRefusal, find_user, make_user, settle
from .travel import OVER

_LOG = logging.getLogger("farthing.sign_in")
_NOBODY_NAMED = "The proxy in front of this server did not name a user."
_UNKNOWN_HERE = (
    "No user here has the email address that the proxy names. Ask the owner of this installation for a user."
)
_LOOKS_LIKE_ANOTHER = (
    "The email address that the proxy names looks like that of a user here, but is not the same."
    " Ask the owner of this installation."
)


def index(call: Call) -> Answer:
    offered = [wire.OfferedProvider(id=provider.key, name=provider.title) for provider in call.settings.providers]
    return Answer(
        Item(
            wire.SignInWays(
                providers=offered,
                remote_user=call.visitor.remote_user is not None,
                password_by_mail=call.settings.mail_url is not None,
            )
        )
    )


def ask_start(call: Call) -> Departing:
    """Begins a sign-in. It is counted as an attempt until it succeeds, so that nobody can begin too many."""
    count_attempt(call.db, call.visitor.origin, None, call.now)
    return travel.begin_trip(call, user_id=None)


def start(call: Call) -> Answer:
    return travel.send_off(call)


def ask_return(call: Call) -> Arrival | ProofCheck:
    """Returns what to check: the provider's answer, or only the second factor if that answer was checked before."""
    body = wire.read_return(call.fields)
    trip, state = travel.find_trip(call, body, user_id=None)
    if state.proof is None:
        return travel.arrive(call, body, trip, state)
    proof = msgspec.json.decode(state.proof, type=Proof)
    identity = store.find(call.db, proof.issuer, proof.subject)
    user = users.get(call.db, identity.user_id) if identity else None
    count_attempt(call.db, call.visitor.origin, user.email if user else None, call.now)
    return _ask_second_proof(call, body)


def _ask_second_proof(call: Call, body: wire.SecondFactorBody) -> ProofCheck:
    return ProofCheck(passkey=ask_passkey(call, body.passkey) if body.passkey else None)


def check_return(question: Arrival | ProofCheck) -> Proof | NotProved | CheckedProof:
    return check_arrival(question) if isinstance(question, Arrival) else check_proof(question)


def sign_in(call: Call) -> Answer:
    if isinstance(call.prepared, NotProved):
        return travel.answer_not_proved(call, call.prepared)
    body = wire.read_return(call.fields)
    _, state = travel.find_trip(call, body, user_id=None)
    provider, proof = travel.find_provider(call, state.provider), _find_proof(call, state)
    if provider is None or proof is None:
        refuse_field("state", OVER)
    user = find_user(call, provider, proof)
    if isinstance(user, SignInRefusal):
        states.finish(call.db, state.hash)
        return _refuse(call, user, provider.title)
    if factors.is_needed(call.db, user.id):
        # A second factor that was sent with the provider's answer was not counted as a guess, so it is asked for again.
        if state.proof is None or _is_without_second_factor(body):
            states.keep_proof(call.db, state.hash, msgspec.json.encode(proof).decode())
            return ask_second_factor(call, user)
        refusal = _refuse_second_factor(call, user, body)
        if refusal:
            return refusal
        forgive_attempt(call.db, call.visitor.origin, user.email, call.now)
    if not states.finish(call.db, state.hash):
        refuse_field("state", OVER)
    forgive_attempt(call.db, call.visitor.origin, None, call.now)
    return _let_in(call, settle(call, user, provider, proof), provider.title, proof.session)


def _find_proof(call: Call, state: ProviderState) -> Proof | None:
    """Returns the provider's proof, from this request or from an earlier one that lacked the second factor."""
    if isinstance(call.prepared, Proof):
        return call.prepared
    return msgspec.json.decode(state.proof, type=Proof) if state.proof else None


def _is_without_second_factor(body: wire.SecondFactorBody) -> bool:
    return body.otp is None and body.passkey is None


def _refuse_second_factor(call: Call, user: User, body: wire.SecondFactorBody) -> Answer | None:
    checked = call.prepared
    assert isinstance(checked, CheckedProof), "the second factor comes after the first"
    return refuse_second_factor(call, user, body.otp, body.passkey, checked.passkey)


def ask_remote_user(call: Call) -> ProofCheck:
    """Returns the second factor for checking, after counting the attempt as at sign-in."""
    body = parse_complete(wire.RemoteUserBody, call.fields)
    if not _is_without_second_factor(body):
        count_attempt(call.db, call.visitor.origin, call.visitor.remote_user, call.now)
    return _ask_second_proof(call, body)


def enter_by_proxy(call: Call) -> Answer:
    """Signs in the user whose email address the proxy names. The proxy is trusted."""
    body, named = parse_complete(wire.RemoteUserBody, call.fields), call.visitor.remote_user
    if named is None:
        refuse_field("remote_user", _NOBODY_NAMED)
    user = _find_named(call, named)
    if isinstance(user, SignInRefusal):
        return _refuse(call, user, "remote_user", field="remote_user")
    if factors.is_needed(call.db, user.id):
        if _is_without_second_factor(body):
            return ask_second_factor(call, user)
        refusal = _refuse_second_factor(call, user, body)
        if refusal:
            return refusal
        forgive_attempt(call.db, call.visitor.origin, named, call.now)
    return _let_in(call, user, ensure(call.settings.remote_user_header), None)


def _find_named(call: Call, email: str) -> User | SignInRefusal:
    user = users.find_by_email(call.db, email)
    if user and not addresses.is_same(email, user.email):
        return SignInRefusal(_LOOKS_LIKE_ANOTHER, user)
    if user is None:
        how = ensure(call.settings.remote_user_header)
        return make_user(call, email, told_by=how) if call.settings.remote_user_create else SignInRefusal(_UNKNOWN_HERE)
    return users.hold(call.db, user.id) or SignInRefusal(SHUT_OUT, user)


def ask_sign_out(call: Call) -> SignOutQuestion:
    token = ensure(parse_complete(wire.SignOutBody, call.fields, "logout_token").logout_token)
    return SignOutQuestion(providers=call.settings.providers, token=token, now=call.now)


def end_sessions(call: Call) -> Answer:
    order = call.prepared
    if not isinstance(order, SignOutOrder):
        assert isinstance(order, NotProved), "it was prepared"
        _LOG.warning("sign-out by a provider refused: %s", order.reason, extra={"address": call.visitor.address})
        return problems.answer_to(Malformed(order.sentence))
    origin = AuditSource(address=call.visitor.address, device=order.issuer, is_known=COMMAND_LINE.is_known)
    for user_id in _end_sessions(call, order):
        note_in(call.db, user_id, Event.SIGNED_OUT_BY_PROVIDER, origin, now=call.now)
    return NOTHING


def _end_sessions(call: Call, order: SignOutOrder) -> list[int]:
    if order.session_name is not None:
        return sessions.end_named(call.db, order.issuer, order.session_name)
    identity = store.find(call.db, order.issuer, order.subject or "")
    ended = sessions.end_of_user(call.db, identity.user_id, order.issuer) if identity else 0
    return [identity.user_id] if identity and ended else []


def _let_in(call: Call, user: User, through: str, session: ProviderSession | None) -> Answer:
    _LOG.info("signed in", extra={"user_id": user.id, "address": call.visitor.address, "through": through})
    note_sign_in(call, Event.SIGNED_IN, user, about=through)
    return let_in(call, user, session)


def _refuse(call: Call, refusal: SignInRefusal, about: str, *, field: str = "provider") -> Answer:
    """Answers with the refusal. It is not raised, because raising an error would undo its entry in the audit log."""
    _LOG.warning("sign-in refused", extra={"address": call.visitor.address, "through": about})
    if refusal.user:
        note_sign_in(call, Event.PROVIDER_REFUSED, refusal.user, about=about)
    return problems.answer_field(field, refusal.sentence)


ROUTES = (
    Route(
        "GET", "/providers", index, "List the providers that users can sign in with",
        gives=Item[wire.SignInWays], gate=Gate.OPEN,
    ),
    Route(
        "POST", "/providers/start", start, "Start signing in with a provider, and get the address to redirect to",
        gives=Item[wire.Departure], takes=wire.StartBody, requires=("provider",), gate=Gate.OPEN,
        runs=Runs(before=Before(ask=ask_start, compute=depart, waits=True)), fails=(Forged, TooMany),
    ),
    Route(
        "POST", "/providers/session", sign_in, "Finish signing in, with the parameters of the provider's callback",
        gives=Item[CurrentSession], takes=wire.SignInReturnBody, requires=("state",), gate=Gate.OPEN,
        runs=Runs(before=Before(ask=ask_return, compute=check_return, waits=True)), fails=(Forged, TooMany),
    ),
    Route(
        "POST", "/providers/remote_user", enter_by_proxy, "Sign in as the user that the trusted proxy names",
        gives=Item[CurrentSession], takes=wire.RemoteUserBody, gate=Gate.OPEN,
        runs=Runs(before=Before(ask=ask_remote_user, compute=check_proof)), fails=(Forged, TooMany),
    ),
    Route(
        "POST", "/providers/sign_out", end_sessions, "End the sessions of a user who signed out at the provider",
        takes=wire.SignOutBody, requires=("logout_token",), gate=Gate.OPEN,
        runs=Runs(before=Before(ask=ask_sign_out, compute=check_sign_out, mode=Mode.READ, waits=True)), fails=(Forged,),
    ),
)  # fmt: skip
