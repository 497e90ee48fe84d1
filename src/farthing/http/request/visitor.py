"""Describes who asks before they are known: an address, a browser, and the session it had before, if any."""

from collections.abc import Mapping

from msgspec import Struct
from starlette.types import Scope

from .cookies import SessionCookie, cookie_for
from .proxies import Proxies


class Visitor(Struct, frozen=True, kw_only=True):
    """`secret` is the one of the cookie that came along, whether it counts or not."""

    address: str
    agent: str
    secret: str | None
    cookie: SessionCookie


def visitor_of(scope: Scope, headers: Mapping[bytes, bytes], proxies: Proxies) -> Visitor:
    cookie = cookie_for(scope["state"]["base"])
    agent = headers.get(b"user-agent", b"").decode("latin-1")
    return Visitor(address=proxies.client(scope, headers), agent=agent, secret=cookie.read(headers), cookie=cookie)
