"""Identifies the caller of a request, and limits the requests of each token.

A caller has either a token or a session. A session also needs proof that one of our pages sent the request.
"""

import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from ipaddress import ip_network
from urllib.parse import urlsplit

from farthing.identity import callers
from farthing.identity.sessions import csrf_token
from farthing.identity.user import NOBODY, Caller
from farthing.kernel.clock import stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import Forbidden, Forged, TooMany, Unauthenticated
from farthing.kernel.network.networks import is_within
from farthing.kernel.text import pluralize
from farthing.storage.unit import Unit

from ..request.language import note_language
from ..request.request import Askers, Request
from ..request.visitor import OUR_PAGES, cookie_for
from ..route import ADDRESS_KEY, BOOKS, Gate, Route
from .last_used import LastUsed
from .permissions import enter_books

_TOKEN_CHARACTERS_MAX = 500
_CSRF = b"x-csrf-token"

Headers = Mapping[bytes, bytes]


def is_stranger(headers: Headers, base: str) -> bool:
    """Returns whether the request has neither a token nor a session, so that nothing has to be looked up."""
    return b"authorization" not in headers and cookie_for(base).read(headers) is None


def by_token(db: Unit, authorization: bytes, now: str) -> Caller:
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _TOKEN_CHARACTERS_MAX:
        raise Unauthenticated("Unauthenticated")
    return _or_401(callers.find_by_token(db, token, now))


def by_address(db: Unit, scope: str, token: str, now: str) -> Caller:
    """Identifies the caller by the token in the address, which may have no other scope than this one."""
    caller = by_token(db, b"bearer " + token.encode("latin-1", "replace"), now)
    if caller.scopes != scope:
        raise Forbidden(f"The token in this address may do too much. Use one whose only scope is {scope}.")
    return caller


def by_session(db: Unit, headers: Headers, base: str, now: str, idle_hours: int, *, unsafe: bool) -> Caller:
    """Identifies the caller of a session. An unsafe request must also prove that one of our pages sent it, because any
    page can make a browser send our cookie."""
    secret = cookie_for(base).read(headers)
    if secret is None:
        raise Unauthenticated("Unauthenticated")
    caller = _or_401(callers.find_by_session(db, secret, now, idle_since(now, idle_hours)))
    if unsafe:
        refuse_foreign(headers, base)
        _refuse_forged(headers, secret)
    return caller


def refuse_other_networks(caller: Caller, address: str) -> None:
    """Refuses a token that is used outside its networks. The answer is the same as for an unknown token, so that a
    thief learns nothing."""
    assert caller.networks is not None, "only tokens with networks are checked"
    if not is_within(address, [ip_network(network) for network in caller.networks.split()]):
        raise Unauthenticated("Unauthenticated")


def idle_since(now: str, idle_hours: int) -> str:
    """Returns the time after which a session must have been used. A session that was last used earlier has expired."""
    return stamp(datetime.fromisoformat(now) - timedelta(hours=idle_hours))


def refuse_foreign(headers: Headers, base: str) -> None:
    """Raises Forged for requests from pages of other sites.

    Browsers state where a request comes from, in `Sec-Fetch-Site` or `Origin`, and pages cannot forge these headers.
    Other programs send neither of them.
    """
    if _is_foreign(headers, base):
        raise Forged(
            "This request comes from a page of another site. If the page is your own, check that the proxy passes on"
            " the Host header, or set FARTHING_BASE_URL."
        )


def _is_foreign(headers: Headers, base: str) -> bool:
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in OUR_PAGES
    origin = headers.get(b"origin")
    if origin is None:
        return False
    host, ours = headers.get(b"host", b"").decode("latin-1"), urlsplit(base)
    return origin.decode("latin-1") not in (f"http://{host}", f"https://{host}", f"{ours.scheme}://{ours.netloc}")


def _refuse_forged(headers: Headers, secret: str) -> None:
    token = headers.get(_CSRF)
    if token is None:
        raise Forged(
            "Pages must send an X-CSRF-Token with every request that changes something. GET session returns it."
        )
    if not hmac.compare_digest(token, csrf_token(secret).encode()):
        raise Forged("The X-CSRF-Token does not belong to this session. GET session returns the right one.")


def _or_401(caller: Caller | None) -> Caller:
    if caller is None:
        raise Unauthenticated("Unauthenticated")
    return caller


_WINDOW_S = 60


class RateLimit:
    def __init__(self) -> None:
        self._minute = 0
        self._counts: dict[int, int] = {}

    def count(self, caller: Caller, now: datetime) -> None:
        """Counts one request and raises TooMany beyond the limit. Most callers have no limit."""
        if caller.requests_max is None or caller.token_id is None:
            return
        minute, second = divmod(int(now.timestamp()), _WINDOW_S)
        if minute != self._minute:
            self._minute, self._counts = minute, {}
        count = self._counts[caller.token_id] = self._counts.get(caller.token_id, 0) + 1
        if count > caller.requests_max:
            left = _WINDOW_S - second
            raise TooMany(
                f"This token may make {caller.requests_max} requests a minute and has used them up. "
                f"Try again in {pluralize(left, 'second')}.",
                left,
            )


class Identification:
    """Identifies callers. Notes each request, to let users take turns, to limit requests and to show the last use."""

    def __init__(self, settings: Settings, askers: Askers, last_used: LastUsed) -> None:
        self._idle_hours = settings.session_idle_hours
        self._askers = askers
        self._last_used = last_used
        self._rate_limit = RateLimit()

    def identify(self, db: Unit, route: Route, request: Request, now: datetime) -> Caller:
        """Identifies the caller by token or session, with one query. Raises Unauthenticated, Forged or TooMany."""
        headers = request.headers
        if route.is_open:
            if route.is_unsafe and route.gate is Gate.OPEN:
                refuse_foreign(headers, request.root)  # another site's page must not sign anybody in
            return NOBODY
        caller = self._find(db, route, request, stamp(now))
        self._askers.note(headers, caller.user.id)
        note_language(request.state, caller.language)
        self._last_used.note(caller, now)
        if route.is_shared:
            caller = enter_books(db, caller, headers, request.query.get(BOOKS) if route.is_linked else None)
        if "is_counted" not in request.state:  # a request that needs several units of work counts as one
            request.state["is_counted"] = True
            self._rate_limit.count(caller, now)
        return caller

    def _find(self, db: Unit, route: Route, request: Request, now: str) -> Caller:
        """Finds the caller. If a request has both a token and a cookie, the cookie is ignored."""
        authorization = request.headers.get(b"authorization")
        if authorization is None and route.address_scope and ADDRESS_KEY in request.query:
            caller = by_address(db, route.address_scope, request.query[ADDRESS_KEY], now)
        elif authorization is None:
            unsafe = route.is_unsafe
            return by_session(db, request.headers, request.root, now, self._idle_hours, unsafe=unsafe)
        else:
            caller = by_token(db, authorization, now)
        if caller.networks:
            refuse_other_networks(caller, request.peer.client)
        return caller
