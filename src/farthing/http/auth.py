"""Finds the caller by a bearer token, or else by the session of one of our own pages."""

import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from farthing.identity import callers
from farthing.identity.session import csrf_token
from farthing.identity.user import Access, Caller
from farthing.kernel.clock import stamp
from farthing.kernel.errors import Forbidden, Forged, Unauthenticated
from farthing.storage.unit import Unit

from .request.cookies import cookie_for

_TOKEN_CHARACTERS_MAX = 500
_CSRF = b"x-csrf-token"
_OUR_PAGES = (b"same-origin", b"none")

Headers = Mapping[bytes, bytes]


def by_token(db: Unit, authorization: bytes, now: str) -> Caller:
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _TOKEN_CHARACTERS_MAX:
        raise Unauthenticated("Unauthenticated")
    return _known(callers.find_by_token(db, token, now))


def by_session(db: Unit, headers: Headers, base: str, now: str, idle_hours: int, *, unsafe: bool) -> Caller:
    """What a cookie authorises any page could ask for: what changes things must prove where it comes from."""
    secret = cookie_for(base).read(headers)
    if secret is None:
        raise Unauthenticated("Unauthenticated")
    caller = _known(callers.find_by_session(db, secret, now, idle_since(now, idle_hours)))
    if unsafe:
        refuse_foreign(headers, base)
        _refuse_forged(headers, secret)
    return caller


def refuse_read_only(caller: Caller) -> None:
    if caller.access != Access.FULL:
        raise Forbidden("This token may only read. Use one with full access to change anything.")


def idle_since(now: str, idle_hours: int) -> str:
    """Sessions last used before this time have expired."""
    return stamp(datetime.fromisoformat(now) - timedelta(hours=idle_hours))


def refuse_foreign(headers: Headers, base: str) -> None:
    """The browser says where a request comes from, and pages cannot make it lie. Other programs say nothing."""
    if _is_foreign(headers, base):
        raise Forged(
            "This request comes from a page of another address. If it is your own: does the proxy pass on the Host"
            " header, or is FARTHING_BASE_URL set?"
        )


def _is_foreign(headers: Headers, base: str) -> bool:
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in _OUR_PAGES
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
    given = headers.get(_CSRF)
    if given is None:
        raise Forged("A page must send its X-CSRF-Token with everything that changes something; GET session has it.")
    if not hmac.compare_digest(given, csrf_token(secret).encode()):
        raise Forged("The X-CSRF-Token is not the one of this session; GET session has it.")


def _known(caller: Caller | None) -> Caller:
    if caller is None:
        raise Unauthenticated("Unauthenticated")
    return caller
