"""Sends users to a provider and receives them back, either to sign in or to link the provider."""

import logging

from farthing.http.answer import problems
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.service.other_addresses import SIGN_IN_CALLBACK
from farthing.identity.providers import states
from farthing.identity.providers.exchange import Arrival, Departing, NotProved
from farthing.identity.providers.states import ProviderState, RoundTrip
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.parsed import ensure
from farthing.kernel.settings.providers import Provider

from . import wire

_LOG = logging.getLogger("farthing.sign_in")
OVER = "This sign-in has expired, was started in another browser, or was used before. Start again."
_UNKNOWN = "There is no such provider. `GET providers` lists the available ones."


def find_provider(call: Call, key: str) -> Provider | None:
    return next((provider for provider in call.settings.providers if provider.key == key), None)


def begin_trip(call: Call, *, user_id: int | None) -> Departing:
    """Begins a round trip to a provider. `user_id` is the user who wants to link the provider, or None at sign-in."""
    provider = find_provider(call, ensure(parse_complete(wire.StartBody, call.fields, "provider").provider))
    if provider is None:
        refuse_field("provider", _UNKNOWN)
    trip = states.begin(call.db, provider.key, browser=call.visitor.trip, user_id=user_id, now=call.now)
    return Departing(provider=provider, trip=trip, callback=f"{call.base}{SIGN_IN_CALLBACK}")


def send_off(call: Call) -> Answer:
    """Answers with the provider's address, and sets the cookie by which the returning browser is recognized."""
    left = call.prepared
    if isinstance(left, NotProved):
        return answer_not_proved(call, left)
    assert isinstance(left, tuple), "it was prepared"
    address, browser = left
    cookie = call.visitor.trip_cookie.set_header(browser, int(states.LASTS.total_seconds()))
    return Answer(Item(wire.Departure(address=address)), headers=(cookie,))


def find_trip(call: Call, body: wire.ReturnBody, *, user_id: int | None) -> tuple[RoundTrip, ProviderState]:
    """Finds the round trip from which the browser returns.

    It must have begun in the same browser and for the same purpose.
    """
    trip = RoundTrip(state=ensure(body.state), browser=call.visitor.trip or "")
    state = states.find(call.db, trip, call.now)
    if state is None or state.user_id != user_id:
        refuse_field("state", OVER)
    return trip, state


def arrive(call: Call, body: wire.ReturnBody, trip: RoundTrip, state: ProviderState) -> Arrival:
    """Returns the provider's answer for checking. The state becomes invalid, even if the provider reports an error."""
    provider = find_provider(call, state.provider)
    if provider is None or not states.use(call.db, state, call.now):
        refuse_field("state", OVER)
    return Arrival(
        provider=provider,
        trip=trip,
        callback=f"{call.base}{SIGN_IN_CALLBACK}",
        code=body.code or "",
        issuer=body.iss,
        error=body.error,
        now=call.now,
    )


def answer_not_proved(call: Call, why: NotProved) -> Answer:
    _LOG.warning("provider refused: %s", why.reason, extra={"address": call.visitor.address})
    return problems.answer_field("provider", why.sentence)
