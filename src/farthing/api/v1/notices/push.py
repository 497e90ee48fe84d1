"""Serves the browsers that show the caller's notices by web push."""

from typing import Annotated

from msgspec import Struct

from farthing.books.preferences.notices import Channel
from farthing.http.answer.document import Item, Page, Thing
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.resources.lists import answer_page
from farthing.http.route import PAGED, Gate, Route
from farthing.identity.signing_in import attempts
from farthing.kernel.errors import Conflict, Forbidden, TooMany
from farthing.kernel.fields import FieldParser, Refused, RequestBody, described, parse_complete, text
from farthing.kernel.network import web_push
from farthing.kernel.network.outgoing import URL_CHARACTERS_MAX, NotAllowed, check_url
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant
from farthing.overviews.notices import push, search
from farthing.overviews.notices.push import PushDraft, PushSubscription

from ..resources.lists import things_without_uri

_read_text = text(URL_CHARACTERS_MAX).read


def _read_endpoint(value: object) -> str:
    endpoint = str(_read_text(value))
    try:
        check_url(endpoint)
    except NotAllowed as error:
        raise Refused(str(error)) from error
    return endpoint


def _decode(value: object) -> bytes:
    try:
        return web_push.decode(str(_read_text(value)))
    except ValueError:
        return b""


def _read_point(value: object) -> str:
    point = _decode(value)
    if not web_push.is_on_curve(point):
        raise Refused("The {label} must be a public key of the curve P-256, in Base64.")
    return web_push.encode(point)


def _read_auth(value: object) -> str:
    auth = _decode(value)
    if len(auth) != web_push.AUTH_BYTES:
        raise Refused(f"The {{label}} must be {web_push.AUTH_BYTES} bytes in Base64.")
    return web_push.encode(auth)


_TEXT = {"type": "string"}


class PushBody(RequestBody):
    """Takes a subscription as the browser shows it. Requires all fields."""

    endpoint: Annotated[str, FieldParser(_read_endpoint, {"type": "string", "format": "uri"})] | None = described(
        "The browser's address at its push service."
    )
    p256dh: Annotated[str, FieldParser(_read_point, _TEXT)] | None = described("The browser's public key, in Base64.")
    auth: Annotated[str, FieldParser(_read_auth, _TEXT)] | None = described("The browser's secret, in Base64.")


class PushKeyShown(Struct, gc=False):
    """Shows the public key that a browser needs in order to subscribe, in Base64."""

    public_key: str


class PushAttributes(Struct, gc=False):
    """Shows a browser that gets notices. `current` marks the browser of this request."""

    created_at: Instant
    last_used_at: Instant | None
    device: str
    current: bool


PushThing = Thing[PushAttributes]


def list_browsers(call: Call) -> Answer:
    return answer_page(call, "/notices/push", push.page, _things)


def begin_subscription(call: Call) -> Answer:
    return Answer(Item(PushKeyShown(push.obtain_keys(call.db).public_key)))


def subscribe(call: Call) -> Answer:
    call.session_only("subscribe a browser")
    session_id = ensure(call.caller.session_id)
    body = parse_complete(PushBody, call.fields, "endpoint", "p256dh", "auth")
    draft = PushDraft(endpoint=ensure(body.endpoint), p256dh=ensure(body.p256dh), auth=ensure(body.auth))
    if push.is_full(call.db, call.user_id, session_id):
        raise Conflict(f"You already get notices on {push.SUBSCRIPTIONS_MAX} devices, the maximum. Remove one first.")
    return Answer(Item(_things(call, [push.store(call.db, call.user_id, session_id, draft, call.now)])[0]))


def end_browser(call: Call) -> Answer:
    subscription = or_404(push.get(call.db, call.user_id, call.id))
    push.remove(call.db, call.user_id, subscription.id)
    return NOTHING


def send_test_push(call: Call) -> Answer:
    """Plans a message to all browsers of the caller, which the job process sends. Only a few are allowed."""
    if not push.has_any(call.db, call.user_id):
        raise Conflict("None of your devices gets notices. Turn them on first.")
    attempts.count_letter(call.db, call.caller.user.id, call.now)
    search.plan_test(call.db, call.user_id, Channel.PUSH, call.now)
    return NOTHING


def _show(call: Call, subscription: PushSubscription) -> PushAttributes:
    return PushAttributes(
        created_at=subscription.created_at,
        last_used_at=subscription.last_used_at,
        device=subscription.device,
        current=subscription.session_id == call.caller.session_id,
    )


_things = things_without_uri("push_subscriptions", _show)
ROUTES = (
    Route(
        "GET", "/notices/push", list_browsers, "List the browsers in which you get notices",
        gives=Page[PushThing], parameters=PAGED, gate=Gate.IDENTITY,
    ),
    Route(
        "POST", "/notices/push", subscribe, "Get notices in this browser",
        gives=Item[PushThing], takes=PushBody, requires=("endpoint", "p256dh", "auth"),
        gate=Gate.IDENTITY, fails=(Forbidden, Conflict),
    ),
    Route(
        "POST", "/notices/push/key", begin_subscription, "Show the key with which a browser subscribes",
        gives=Item[PushKeyShown], gate=Gate.IDENTITY,
    ),
    Route(
        "POST", "/notices/push/test", send_test_push, "Send a test notice to your browsers",
        gate=Gate.IDENTITY, fails=(Conflict, TooMany),
    ),
    Route("DELETE", "/notices/push/{id}", end_browser, "End notices in a browser", gate=Gate.IDENTITY),
)  # fmt: skip
