"""Reads forwarded headers, and believes them only from trusted proxies."""

import re
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from starlette.types import Scope

from farthing.kernel.config import ANY_PROXY

Network = IPv4Network | IPv6Network
_NO_ADDRESS = "unknown"
# More proxies than stand behind one another anywhere.
_HOPS_MAX = 20
_WITH_PORT = re.compile(r"(?:\[(.+)\]|([^:]+))(?::[0-9]*)?")


class Proxies:
    def __init__(self, trusted: tuple[str, ...]) -> None:
        self._any = ANY_PROXY in trusted
        self._networks = [] if self._any else [ip_network(one) for one in trusted]

    def trusts(self, scope: Scope) -> bool:
        """Did the request come through one of ours?"""
        return self._any or bool(self._networks and is_within(peer(scope), self._networks))

    def client(self, scope: Scope, headers: Mapping[bytes, bytes]) -> str:
        """The last address that one of ours vouches for; whatever stands before it anybody may have written."""
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
    """Some proxies name the port as well, and it is another one with each connection."""
    found = _WITH_PORT.fullmatch(hop)
    return found[1] or found[2] if found else hop


def peer(scope: Scope) -> str:
    """The address at the other end of the connection itself."""
    client: Any = scope.get("client") or ("", 0)
    return str(client[0])


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Where one socket takes both kinds of address, those of IPv4 come in the form of IPv6."""
    try:
        known = ip_address(address)
    except ValueError:
        return False
    if known.version == 6 and known.ipv4_mapped:
        known = known.ipv4_mapped
    return any(known in network for network in networks)
