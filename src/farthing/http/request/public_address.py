"""The public address of a request, from its headers. It ends up in links, so whatever is not an address is ignored."""

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any

from msgspec import Struct

# Where the routes begin, below the public address.
API = "/api/v1"
_SCHEMES = ("http", "https")
_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[([0-9A-Fa-f:.]+)\])(?::[0-9]{1,5})?")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~%-]+)*")
_HERE = ("127.0.0.1", 8000)
# One more than the longest that there is, with its port: whatever is cut off here was none.
HOST_MAX = 260


class PublicAddress(Struct, frozen=True):
    scheme: str
    host: str
    prefix: str = ""

    def as_forwarded(self, scheme: str, host: str, prefix: str) -> "PublicAddress":
        """From the headers of a trusted proxy, which may pass on what its client sent."""
        prefix = prefix.rstrip("/")
        return PublicAddress(
            scheme=scheme if scheme in _SCHEMES else self.scheme,
            host=host if _is_host(host) else self.host,
            prefix=prefix if _PREFIX.fullmatch(prefix) else "",
        )

    def base(self, server: Any) -> str:
        """`server` is where we listen; it stands in for a host that is none."""
        host = self.host
        if not _is_host(host):
            address, port = server or _HERE
            host = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        return f"{self.scheme}://{host}{self.prefix}"


def _is_host(text: str) -> bool:
    return len(text) < HOST_MAX and _fits(text)


@lru_cache(maxsize=64)
def _fits(text: str) -> bool:
    found = _HOST.fullmatch(text)
    return found is not None and (found[1] is None or _is_ipv6(found[1]))


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True
