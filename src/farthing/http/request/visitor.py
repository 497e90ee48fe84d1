"""Describes a client before sign-in: its address, its browser, and the cookies of sessions, devices and providers."""

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from msgspec import Struct

from farthing.identity.signing_in.attempts import Origin

from .proxies import Peer

SESSION, DEVICE, PROVIDER = "farthing_session", "farthing_device", "farthing_provider"
# A browser accepts a cookie with this prefix only over TLS, only for the whole host, and not from a subdomain.
_HOST_ONLY = "__Host-"
_PATH = re.compile(r"(?:/[A-Za-z0-9._~%-]+)+")
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,100}")
# The values of `Sec-Fetch-Site` for our own pages and for typed addresses.
OUR_PAGES = (b"same-origin", b"none")
# More cookies than browsers keep for one host. Any further ones are ignored.
_COOKIES_MAX = 200


class SecretCookie(Struct, frozen=True):
    name: str
    path: str
    secure: bool

    def read(self, headers: Mapping[bytes, bytes]) -> str | None:
        """Reads the first cookie with this name, because browsers send the most specific path first."""
        for pair in headers.get(b"cookie", b"").decode("latin-1").split(";", _COOKIES_MAX)[:_COOKIES_MAX]:
            name, _, value = pair.strip().partition("=")
            if name == self.name:
                return value if _SECRET.fullmatch(value) else None
        return None

    def set_header(self, secret: str, seconds: int) -> tuple[str, str]:
        ending = "; Secure" if self.secure else ""
        cookie = f"{self.name}={secret}; Path={self.path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{ending}"
        return "set-cookie", cookie

    def clear_header(self) -> tuple[str, str]:
        return self.set_header("", 0)


@lru_cache(maxsize=64)
def cookie_for(base: str, kind: str = SESSION) -> SecretCookie:
    """Returns the cookie for a public address, which determines the cookie's path and whether it needs TLS."""
    parts = urlsplit(base)
    secure = parts.scheme == "https"
    path = parts.path.rstrip("/")
    if not _PATH.fullmatch(path):
        path = "/"
    name = f"{_HOST_ONLY}{kind}" if secure and path == "/" else kind
    return SecretCookie(name=name, path=path, secure=secure)


class Visitor(Struct, frozen=True, kw_only=True):
    """Describes the client of a request. `secret`, `device` and `trip` are values of cookies, not verified yet.

    `remote_user` is the user whom a trusted proxy names.
    """

    address: str
    agent: str
    secret: str | None
    device: str | None
    cookie: SecretCookie
    device_cookie: SecretCookie
    trip: str | None
    trip_cookie: SecretCookie
    remote_user: str | None
    authorization: str = ""

    @property
    def origin(self) -> Origin:
        return Origin(address=self.address, device=self.device)


def describe_visitor(base: str, peer: Peer, headers: Mapping[bytes, bytes]) -> Visitor:
    cookie, device_cookie, trip_cookie = cookie_for(base), cookie_for(base, DEVICE), cookie_for(base, PROVIDER)
    return Visitor(
        address=peer.client,
        agent=headers.get(b"user-agent", b"").decode("latin-1"),
        secret=cookie.read(headers),
        device=device_cookie.read(headers),
        cookie=cookie,
        device_cookie=device_cookie,
        trip=trip_cookie.read(headers),
        trip_cookie=trip_cookie,
        remote_user=peer.remote_user,
        authorization=headers.get(b"authorization", b"").decode("latin-1"),
    )
