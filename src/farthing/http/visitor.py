"""Who stands at the door? An address, a browser, and the session it had before, if any."""

from collections.abc import Mapping
from typing import NamedTuple

from starlette.types import Scope

from .cookies import Jar, jar
from .proxies import Proxies


class Visitor(NamedTuple):
    """`secret` is the one of the cookie that came along, whether it counts or not."""

    address: str
    agent: str
    secret: str | None
    jar: Jar


def visitor_of(scope: Scope, headers: Mapping[bytes, bytes], proxies: Proxies) -> Visitor:
    kept = jar(scope["state"]["base"])
    agent = headers.get(b"user-agent", b"").decode("latin-1")
    return Visitor(proxies.client(scope, headers), agent, kept.secret(headers), kept)
