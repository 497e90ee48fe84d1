"""Refuses requests for hosts that are not ours.

Any web page can let its own host name resolve to our address, and then send requests to us as if we were its server
(DNS rebinding). The browser still sends that name as `Host`, so we answer only if `Host` is one of our own names.
"""

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.types import Scope

from farthing.kernel.config import Settings
from farthing.kernel.errors import Malformed, Misdirected
from farthing.kernel.network.networks import read_address

from ..request.proxies import Peer
from ..request.public_address import HOST_MAX
from ..service.health import HEALTH, LIVE, METRICS, READY

Headers = Mapping[bytes, bytes]
# These paths reveal only whether the server works, and load balancers may know only the server's address.
_ANY_HOST = (LIVE, READY, HEALTH)
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_LOCALHOST = "localhost"


class _HostName(Struct, frozen=True):
    host: str
    port: str


class AllowedHosts:
    def __init__(self, settings: Settings, *, only_local: bool) -> None:
        """Reads the settings. `only_local` means that the server listens on a loopback address."""
        self._only_local = only_local
        self._base_url = settings.base_url
        self._own = [url for url in (settings.base_url, settings.v6_url) if url]

    def refuse_others(self, scope: Scope, headers: Headers, peer: Peer) -> None:
        """Raises Malformed unless there is exactly one Host header, and Misdirected if the host is not ours."""
        host = headers.get(b"host")
        if host is None:
            if scope["http_version"] == "1.1":
                raise Malformed("The request has no Host header.")
            return  # no browser sends HTTP/1.0
        # There are fewer names than header lines only if a header was sent twice.
        if len(headers) != len(scope["headers"]) and sum(name == b"host" for name, _ in scope["headers"]) > 1:
            raise Malformed("The request has more than one Host header.")
        if not self._is_ours(host, scope, headers, peer) and scope["path"] not in _ANY_HOST:
            raise Misdirected(self._explain(host))

    def _is_ours(self, host: bytes, scope: Scope, headers: Headers, peer: Peer) -> bool:
        name = _read(host)
        if self._base_url is None:
            local = not self._only_local or is_loopback(name.host) or peer.is_trusted_proxy
            return local or any(is_named(url, host) for url in self._own)
        if self._is_public(host) or (is_loopback(name.host) and is_loopback(peer.address)):
            return True
        server = scope.get("server")
        if scope["path"] == METRICS and server is not None and name.host == server[0]:
            return True  # our bare IP address is safe, because DNS rebinding needs a name
        return peer.is_trusted_proxy and self._is_public(headers.get(b"x-forwarded-host", b""))

    def _is_public(self, host: bytes) -> bool:
        return any(is_named(url, host) for url in self._own)

    def _explain(self, host: bytes) -> str:
        name = host[:HOST_MAX].decode("latin-1")
        if self._base_url is None:
            return (
                f"This server answers only at loopback addresses such as localhost, not at {name}."
                " If that is its address, set FARTHING_BASE_URL to it."
            )
        return (
            f"This server answers at {urlsplit(self._base_url).netloc}, not at {name}. If that is its address, set"
            " FARTHING_BASE_URL to it; behind a proxy, let the proxy pass on the Host."
        )


def is_named(url: str, host: bytes) -> bool:
    """Returns whether a Host header names the host of this URL. Some proxies omit the port, so it may be missing."""
    parts, name = urlsplit(url), _read(host)
    return name.host == parts.hostname and name.port in ("", str(parts.port or _DEFAULT_PORTS[parts.scheme]))


@lru_cache(maxsize=64)
def _read_short(host: bytes) -> _HostName:
    """Returns an empty name for anything that is not a host."""
    try:
        parts = urlsplit("//" + host.decode("ascii"))
        if parts.netloc.encode() != host or "@" in parts.netloc:
            return _NO_NAME
        return _HostName(host=parts.hostname or "", port=str(parts.port or ""))
    except ValueError:
        return _NO_NAME


_NO_NAME = _HostName(host="", port="")


def _read(host: bytes) -> _HostName:
    """Reads the first of several hosts, as proxies list them."""
    first = host.partition(b",")[0].strip()
    return _read_short(first) if len(first) < HOST_MAX else _NO_NAME


@lru_cache(maxsize=64)
def is_loopback(host: str) -> bool:
    if host == _LOCALHOST or host.endswith(f".{_LOCALHOST}"):
        return True
    address = read_address(host)
    return address is not None and address.is_loopback
