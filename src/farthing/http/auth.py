"""Finds the caller by a bearer token, or else by the session of one of our own pages; refuses what they may not do."""

import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from ipaddress import ip_network
from urllib.parse import urlsplit

from farthing.identity import callers, scopes
from farthing.identity.session import csrf_token
from farthing.identity.sharing import members
from farthing.identity.user import Access, Caller, Share
from farthing.kernel.clock import stamp
from farthing.kernel.errors import Forbidden, Forged, NotFound, Unauthenticated
from farthing.kernel.networks import is_within
from farthing.kernel.text import parse_id
from farthing.storage.unit import Unit

from .answer.includes import Include
from .request.cookies import OUR_PAGES, cookie_for
from .route import Gate, Mode, Route

_TOKEN_CHARACTERS_MAX = 500
_CSRF = b"x-csrf-token"
_BOOKS = b"farthing-books"

Headers = Mapping[bytes, bytes]


def is_stranger(headers: Headers, base: str) -> bool:
    """Comes with neither token nor session, so that nothing has to be looked up."""
    return b"authorization" not in headers and cookie_for(base).read(headers) is None


def by_token(db: Unit, authorization: bytes, now: str) -> Caller:
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _TOKEN_CHARACTERS_MAX:
        raise Unauthenticated("Unauthenticated")
    return _known(callers.find_by_token(db, token, now))


def by_session(db: Unit, headers: Headers, base: str, now: str, idle_hours: int, *, unsafe: bool) -> Caller:
    """Any page can make a browser send our cookie, so requests that change things must prove where they come from."""
    secret = cookie_for(base).read(headers)
    if secret is None:
        raise Unauthenticated("Unauthenticated")
    caller = _known(callers.find_by_session(db, secret, now, idle_since(now, idle_hours)))
    if unsafe:
        refuse_foreign(headers, base)
        _refuse_forged(headers, secret)
    return caller


def enter_books(db: Unit, caller: Caller, headers: Headers, linked: str | None) -> Caller:
    """The books that the request names, else those that the token is for. Raises NotFound if they are not shared.

    An app may name only the books for which it was authorised.
    `linked` is the query parameter of a download link, which cannot send the header; the header takes precedence.
    """
    header = headers.get(_BOOKS)
    named = linked if header is None else header.decode("latin-1").strip()
    books_id = caller.books_id if named is None else parse_id(named)
    if caller.app_id is not None and named is not None and books_id != (caller.books_id or caller.id):
        raise Forbidden("This app was let into other books.")
    if books_id == caller.id or (books_id is None and named is None):
        return caller
    entered = members.enter(db, caller, books_id) if books_id else None
    if entered is None:
        raise NotFound("Resource not found")
    return entered


def refuse_forbidden(caller: Caller, route: Route, mode: Mode, query: Mapping[str, str]) -> None:
    """What the token may not do, and what the caller may not do in these books."""
    writes = mode is Mode.WRITE
    if writes and caller.access != Access.FULL:
        raise Forbidden("This token may only read. Use one with full access to change anything.")
    if caller.scopes is not None:
        _refuse_out_of_scope(caller.scopes, route, query, scopes.WRITE if writes else scopes.READ)
    if caller.share is not None:
        _refuse_too_low(caller.share, route, writes=writes)


def _refuse_out_of_scope(has: str, route: Route, query: Mapping[str, str], may: str) -> None:
    """Tokens, sessions and the like need a token without scopes. Relatives that are included have to be read."""
    if not route.groups and route.gate is not Gate.SELF:
        raise Forbidden("This needs a token without scopes, or to be signed in.")
    missing = scopes.find_missing(has, route.groups, may)
    if "include" in query:
        missing += scopes.find_missing(has, _groups_of_relatives(route.includes, query["include"]), scopes.READ)
    if missing:
        raise Forbidden(f"This token lacks a scope: {', '.join(dict.fromkeys(missing))}.")


def _groups_of_relatives(includes: Mapping[str, Include], include: str) -> list[str]:
    """Those of relatives' relatives as well: `transactions.attachments` needs both."""
    names = {name.strip() for path in include.split(",") for name in path.split(".")}
    asked = [one for one in includes.values() if one.name in names]
    of_these = [group for one in asked if (group := scopes.find_group(one.name))]
    return of_these + [group for one in asked for group in _groups_of_relatives(one.further, include)]


def _refuse_too_low(share: Share, route: Route, *, writes: bool) -> None:
    needed = Share.FULL if route.gate is Gate.WHOLE else Share.BOOKKEEPER if writes else Share.VIEWER
    if not share.includes(needed):
        raise Forbidden(f"You are a {share.value} in these books, and this needs {_ROLES[needed]}.")


_ROLES = {Share.BOOKKEEPER: "a bookkeeper", Share.FULL: "somebody with full access"}


def refuse_other_networks(caller: Caller, address: str) -> None:
    """Answers as if there were no such token, so that a thief learns nothing."""
    assert caller.networks is not None, "only tokens with networks are asked"
    if not is_within(address, [ip_network(network) for network in caller.networks.split()]):
        raise Unauthenticated("Unauthenticated")


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
    given = headers.get(_CSRF)
    if given is None:
        raise Forged("A page must send its X-CSRF-Token with everything that changes something; GET session has it.")
    if not hmac.compare_digest(given, csrf_token(secret).encode()):
        raise Forged("The X-CSRF-Token is not the one of this session; GET session has it.")


def _known(caller: Caller | None) -> Caller:
    if caller is None:
        raise Unauthenticated("Unauthenticated")
    return caller
