"""Checks the credentials of a request: a bearer token, or a session cookie with proof that one of our pages sent it."""

import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from ipaddress import ip_network
from urllib.parse import urlsplit

from farthing.identity import callers
from farthing.identity.sessions import csrf_token
from farthing.identity.user import Caller
from farthing.kernel.clock import stamp
from farthing.kernel.errors import Forged, Unauthenticated
from farthing.kernel.network.networks import is_within
from farthing.storage.unit import Unit

from ..request.visitor import OUR_PAGES, cookie_for

_TOKEN_CHARACTERS_MAX = 500
_CSRF = b"x-csrf-token"

Headers = Mapping[bytes, bytes]


def is_stranger(headers: Headers, base: str) -> bool:
    """Tells whether the request has neither token nor session, so that nothing has to be looked up."""
    return b"authorization" not in headers and cookie_for(base).read(headers) is None


def by_token(db: Unit, authorization: bytes, now: str) -> Caller:
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _TOKEN_CHARACTERS_MAX:
        raise Unauthenticated("Unauthenticated")
    return _or_401(callers.find_by_token(db, token, now))


def by_session(db: Unit, headers: Headers, base: str, now: str, idle_hours: int, *, unsafe: bool) -> Caller:
    """Demands proof of origin for unsafe requests, because any page can make a browser send our cookie."""
    secret = cookie_for(base).read(headers)
    if secret is None:
        raise Unauthenticated("Unauthenticated")
    caller = _or_401(callers.find_by_session(db, secret, now, idle_since(now, idle_hours)))
    if unsafe:
        refuse_foreign(headers, base)
        _refuse_forged(headers, secret)
    return caller


def refuse_other_networks(caller: Caller, address: str) -> None:
    """Answers as if there were no such token, so that a thief learns nothing."""
    assert caller.networks is not None, "only tokens with networks are checked"
    if not is_within(address, [ip_network(network) for network in caller.networks.split()]):
        raise Unauthenticated("Unauthenticated")


def idle_since(now: str, idle_hours: int) -> str:
    """Returns the time since which a session must have been used; otherwise it has expired."""
    return stamp(datetime.fromisoformat(now) - timedelta(hours=idle_hours))


def refuse_foreign(headers: Headers, base: str) -> None:
    """Raises Forged for requests from pages of other sites. Browsers tell where a request comes from, and no page can
    make them lie; other programs send neither header."""
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
    text = origin.decode("latin-1")
    host = headers.get(b"host", b"").decode("latin-1")
    return text not in (f"http://{host}", f"https://{host}") and text != _origin(base)


def _origin(base: str) -> str:
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}"


def _refuse_forged(headers: Headers, secret: str) -> None:
    token = headers.get(_CSRF)
    if token is None:
        raise Forged("A page must send an X-CSRF-Token with every request that changes something; GET session has it.")
    if not hmac.compare_digest(token, csrf_token(secret).encode()):
        raise Forged("The X-CSRF-Token does not belong to this session; GET session has the right one.")


def _or_401(caller: Caller | None) -> Caller:
    if caller is None:
        raise Unauthenticated("Unauthenticated")
    return caller
