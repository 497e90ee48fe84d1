"""Finds out which client is at the other end of a connection. Only trusted proxies may name another client."""

import re
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any

from msgspec import Struct
from starlette.types import Scope

from farthing.kernel.errors import Forbidden
from farthing.kernel.network.networks import is_within
from farthing.kernel.settings.parsing import ANY_PROXY

# The headers in which a proxy names its client.
_CLIENT_HEADERS = frozenset((b"x-forwarded-for", b"forwarded", b"x-real-ip"))
_UNKNOWN_ADDRESS = "unknown"
# More proxies than any real chain has.
_HOPS_MAX = 20
_WITH_PORT = re.compile(r"(?:\[(.+)\]|([^:]+))(?::[0-9]*)?")


class Peer(Struct, frozen=True, kw_only=True, gc=False):
    """Describes the other end of a connection and the client behind it. It is worked out once per request.

    `address` is the address at the other end of the connection, and `client` the last one that a trusted proxy vouches
    for. `remote_users` are the values of the configured remote-user header. Call `Proxies.refuse_forged_user` before
    you use them, because they may be forged.
    """

    address: str
    client: str
    is_trusted_proxy: bool = False
    # An untrusted proxy, or a client that pretends to be one.
    is_unknown_proxy: bool = False
    remote_users: tuple[bytes, ...] = ()

    @property
    def remote_user(self) -> str | None:
        """Returns the name of the user who has signed in at the proxy."""
        return self.remote_users[0].decode("utf-8", "replace").strip() or None if self.remote_users else None


class Proxies:
    def __init__(self, trusted: tuple[str, ...], remote_user_header: str | None = None) -> None:
        self._trusts_all = ANY_PROXY in trusted
        self._remote_user_header = remote_user_header.lower().encode() if remote_user_header else None
        self._networks = [] if self._trusts_all else [ip_network(network) for network in trusted]

    def identify(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Peer:
        client: Any = scope.get("client")
        address = str(client[0]) if client else ""
        is_trusted = self._trusts_all or bool(self._networks and is_within(address, self._networks))
        return Peer(
            address=address,
            client=(self._find_client(address, headers) if is_trusted else address) or _UNKNOWN_ADDRESS,
            is_trusted_proxy=is_trusted,
            is_unknown_proxy=not is_trusted and not _CLIENT_HEADERS.isdisjoint(headers),
            remote_users=self._find_remote_users(scope),
        )

    def _find_remote_users(self, scope: Scope) -> tuple[bytes, ...]:
        """Reads every value of the remote-user header, because a client may have added a forged one to the proxy's."""
        if self._remote_user_header is None:
            return ()
        return tuple(value for name, value in scope["headers"] if name == self._remote_user_header)

    def refuse_forged_user(self, peer: Peer) -> None:
        """Raises Forbidden if a signed-in user is named by anybody but a trusted proxy, or if two users are named."""
        if not peer.remote_users or self._remote_user_header is None:
            return
        header = self._remote_user_header.decode()
        if not peer.is_trusted_proxy:
            raise Forbidden(
                f"The header {header} is accepted only from trusted proxies, and {peer.address} is not one."
            )
        if len(peer.remote_users) > 1:
            raise Forbidden(f"The header {header} was sent more than once: the proxy must replace it, not add to it.")

    def _find_client(self, address: str, headers: Mapping[bytes, bytes]) -> str:
        """Returns the last untrusted address in `X-Forwarded-For`. The addresses before it may be forged."""
        hops = headers.get(b"x-forwarded-for", b"").decode("latin-1").rsplit(",", _HOPS_MAX)[-_HOPS_MAX:]
        for hop in filter(None, (hop.strip() for hop in reversed(hops))):
            address = _strip_port(hop)
            if self._trusts_all or not is_within(address, self._networks):
                break
        return address


def _strip_port(hop: str) -> str:
    """Removes the port that some proxies add, because it differs with each connection."""
    match = _WITH_PORT.fullmatch(hop)
    return match[1] or match[2] if match else hop
