"""Works out the public address of a request from its headers. Ignores invalid values, because links use the address."""

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any

from msgspec import Struct

# The path of the API below the public address.
API = "/api/v1"
_SCHEMES = ("http", "https")
_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[([0-9A-Fa-f:.]+)\])(?::[0-9]{1,5})?")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~%-]+)*")
_DEFAULT_SERVER = ("127.0.0.1", 8000)
# One more than the longest valid host with its port. So a text that is cut off at this length was not valid.
HOST_MAX = 260


class PublicAddress(Struct, frozen=True):
    scheme: str
    host: str
    prefix: str = ""

    def apply_forwarded(self, scheme: str, host: str, prefix: str) -> "PublicAddress":
        """Applies the headers of a trusted proxy, if they are valid. Their values may come from the proxy's client."""
        prefix = prefix.rstrip("/")
        return PublicAddress(
            scheme=scheme if scheme in _SCHEMES else self.scheme,
            host=host if _is_host(host) else self.host,
            prefix=prefix if _PREFIX.fullmatch(prefix) else "",
        )

    def base(self, server: Any) -> str:
        """Returns the base URL. `server` is the address where we listen, which replaces an invalid host."""
        host = self.host
        if not _is_host(host):
            address, port = server or _DEFAULT_SERVER
            host = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        return f"{self.scheme}://{host}{self.prefix}"


def _is_host(text: str) -> bool:
    return len(text) < HOST_MAX and _fits(text)


@lru_cache(maxsize=64)
def _fits(text: str) -> bool:
    match = _HOST.fullmatch(text)
    return match is not None and (match[1] is None or _is_ipv6(match[1]))


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True
