"""Serves the providers that users sign in with: links them to the signed-in user, and unlinks them."""

from urllib.parse import urlsplit

from msgspec import Struct

from farthing.http.answer import problems
from farthing.http.answer.document import All, Item, Thing, thing
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity import users
from farthing.identity.audit import Event
from farthing.identity.providers import states, store
from farthing.identity.providers.exchange import Arrival, Departing, NotProved, Proof, check_arrival, depart
from farthing.identity.providers.store import Identity, Taken
from farthing.identity.sessions import RECENT_MINUTES
from farthing.kernel.errors import Conflict, Forbidden
from farthing.kernel.settings.providers import Provider
from farthing.kernel.shown import Instant, show_as

from ..providers import travel
from ..providers import wire as provider_wire
from ..sessions.entrance import is_recent


class IdentityAttributes(Struct, gc=False):
    """`provider` is the id of the provider, or null if the provider is no longer configured.

    `email` is the address that the provider sent last.
    """

    created_at: Instant
    provider: str | None
    name: str
    email: str
    last_used_at: Instant | None


IdentityThing = Thing[IdentityAttributes]
_TAKEN = "This account at the provider is already linked to you or to another user of this installation."
_LAST = "You have no password, and this is your only way to sign in. Set a password first."
_NOT_RECENT = f"Linking a provider requires a sign-in within the last {RECENT_MINUTES} minutes. Sign out and in again."


def index(call: Call) -> Answer:
    return Answer(All([_thing(call, identity) for identity in store.list_for_user(call.db, call.user_id)]))


def ask_start(call: Call) -> Departing:
    """Starts linking a provider. Requires a recent sign-in, so that nobody can use a stolen session to add a way to
    sign in that outlives the session.
    """
    call.session_only("link or unlink providers")
    if not is_recent(call):
        raise Forbidden(_NOT_RECENT)
    return travel.begin_trip(call, user_id=call.user_id)


def start(call: Call) -> Answer:
    return travel.send_off(call)


def ask_return(call: Call) -> Arrival:
    call.session_only("link or unlink providers")
    body = provider_wire.read_return(call.fields)
    trip, state = travel.find_trip(call, body, user_id=call.user_id)
    return travel.arrive(call, body, trip, state)


def link(call: Call) -> Answer:
    proof = call.prepared
    if isinstance(proof, NotProved):
        note(call, Event.PROVIDER_REFUSED)
        return travel.answer_not_proved(call, proof)
    assert isinstance(proof, Proof), "it was prepared"
    _, state = travel.find_trip(call, provider_wire.read_return(call.fields), user_id=call.user_id)
    states.finish(call.db, state.hash)
    if store.find(call.db, proof.issuer, proof.subject):
        return problems.answer_to(Conflict(_TAKEN))
    try:
        made = store.add(
            call.db, call.user_id, issuer=proof.issuer, subject=proof.subject, email=proof.email, now=call.now
        )
    except Taken:
        raise Conflict(_TAKEN) from None
    note(call, Event.PROVIDER_LINKED, about=_name(call, made))
    return Answer(Item(_thing(call, made)))


def unlink(call: Call) -> Answer:
    identity = or_404(store.get(call.db, call.user_id, call.id))
    call.session_only("link or unlink providers")
    users.hold(call.db, call.user_id)  # so that the second of two concurrent requests sees what the first has done
    if not users.has_password(call.db, call.user_id) and len(store.list_for_user(call.db, call.user_id)) == 1:
        raise Conflict(_LAST)
    store.remove(call.db, identity)
    note(call, Event.PROVIDER_UNLINKED, about=_name(call, identity))
    return NOTHING


def _thing(call: Call, identity: Identity) -> IdentityThing:
    provider = _find_provider(call, identity)
    key = provider.key if provider else None
    attributes = show_as(IdentityAttributes, identity, provider=key, name=_name(call, identity))
    return thing(call.base, "identities", identity.id, attributes)


def _find_provider(call: Call, identity: Identity) -> Provider | None:
    issuer = identity.issuer.rstrip("/")
    return next((provider for provider in call.settings.providers if provider.issuer.rstrip("/") == issuer), None)


def _name(call: Call, identity: Identity) -> str:
    """Returns the title of the provider, or the host of the provider if it is no longer configured."""
    provider = _find_provider(call, identity)
    return provider.title if provider else urlsplit(identity.issuer).hostname or identity.issuer


ROUTES = (
    Route(
        "GET", "/identities", index, "List the providers that you can sign in with",
        gives=All[IdentityThing], gate=Gate.IDENTITY,
    ),
    Route(
        "POST", "/identities/start", start, "Start linking a provider, and get the address to redirect to",
        gives=Item[provider_wire.Departure], takes=provider_wire.StartBody, requires=("provider",), gate=Gate.IDENTITY,
        runs=Runs(before=Before(ask=ask_start, compute=depart, waits=True)), fails=(Forbidden,),
    ),
    Route(
        "POST", "/identities", link, "Finish linking a provider, with the parameters of its callback",
        gives=Item[IdentityThing], takes=provider_wire.ReturnBody, requires=("state",), gate=Gate.IDENTITY,
        runs=Runs(before=Before(ask=ask_return, compute=check_arrival, waits=True)), fails=(Forbidden, Conflict),
    ),
    Route(
        "DELETE", "/identities/{id}", unlink, "Unlink a provider, unless it is your only way to sign in",
        gate=Gate.IDENTITY, fails=(Forbidden, Conflict),
    ),
)  # fmt: skip
