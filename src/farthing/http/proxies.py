"""Who is really at the other end? Forwarded headers say so, and are believed only of proxies that we trust."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from starlette.types import Scope

from ..config import ANY_PROXY

_NO_ADDRESS = "unknown"


class Proxies:
    def __init__(self, trusted: tuple[str, ...]) -> None:
        self._any = ANY_PROXY in trusted
        self._networks = [] if self._any else [ipaddress.ip_network(one, strict=False) for one in trusted]

    def trusts(self, scope: Scope) -> bool:
        """Did the request come through one of ours?"""
        return self._any or bool(self._networks and self._is_ours(_peer(scope)))

    def client(self, scope: Scope, headers: Mapping[bytes, bytes]) -> str:
        """The last address that one of ours vouches for; whatever stands before it anybody may have written."""
        address = _peer(scope)
        if not self.trusts(scope):
            return address or _NO_ADDRESS
        for hop in reversed(headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")):
            if not hop.strip():
                continue
            address = hop.strip()
            if self._any or not self._is_ours(address):
                break
        return address or _NO_ADDRESS

    def _is_ours(self, address: str) -> bool:
        try:
            known = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(known in network for network in self._networks)


def _peer(scope: Scope) -> str:
    client: Any = scope.get("client") or ("", 0)
    return str(client[0])
