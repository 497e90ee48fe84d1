"""Reads forwarded headers, and believes them only from trusted proxies."""

import re
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any

from starlette.types import Scope

from farthing.kernel.errors import Forbidden
from farthing.kernel.networks import is_within
from farthing.kernel.settings.parsing import ANY_PROXY

# The headers in which a proxy names its client.
_FOR_WHOM = frozenset((b"x-forwarded-for", b"forwarded", b"x-real-ip"))
_NO_ADDRESS = "unknown"
# More proxies than any chain has.
_HOPS_MAX = 20
_WITH_PORT = re.compile(r"(?:\[(.+)\]|([^:]+))(?::[0-9]*)?")


class Proxies:
    def __init__(self, trusted: tuple[str, ...], remote_user_header: str | None = None) -> None:
        self._any = ANY_PROXY in trusted
        self._remote_user = remote_user_header.lower().encode() if remote_user_header else None
        self._networks = [] if self._any else [ip_network(one) for one in trusted]

    def trusts(self, scope: Scope) -> bool:
        """Whether the request came through a trusted proxy."""
        return self._any or bool(self._networks and is_within(peer(scope), self._networks))

    def is_unknown(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        """Whether the request comes from an untrusted proxy, or from a client that pretends to be one."""
        return not _FOR_WHOM.isdisjoint(headers) and not self.trusts(scope)

    def remote_user(self, scope: Scope) -> str | None:
        """Who has signed in at the proxy. Raises Forbidden if anybody else says so, or it is said twice."""
        if self._remote_user is None:
            return None
        named = [value for name, value in scope["headers"] if name == self._remote_user]
        if not named:
            return None
        header = self._remote_user.decode()
        if not self.trusts(scope):
            raise Forbidden(f"The header {header} is accepted from the trusted proxy only, and this is {peer(scope)}.")
        if len(named) > 1:
            raise Forbidden(f"The header {header} came more than once: the proxy must replace it, not add to it.")
        return named[0].decode("utf-8", "replace").strip() or None

    def client(self, scope: Scope, headers: Mapping[bytes, bytes]) -> str:
        """The last address that a trusted proxy vouches for; those before it may be forged."""
        address = peer(scope)
        if not self.trusts(scope):
            return address or _NO_ADDRESS
        for hop in reversed(headers.get(b"x-forwarded-for", b"").decode("latin-1").rsplit(",", _HOPS_MAX)[-_HOPS_MAX:]):
            if not hop.strip():
                continue
            address = _without_port(hop.strip())
            if self._any or not is_within(address, self._networks):
                break
        return address or _NO_ADDRESS


def _without_port(hop: str) -> str:
    """Some proxies add the port, which differs with each connection."""
    found = _WITH_PORT.fullmatch(hop)
    return found[1] or found[2] if found else hop


def peer(scope: Scope) -> str:
    """The address at the other end of the connection itself."""
    client: Any = scope.get("client") or ("", 0)
    return str(client[0])
