"""The cookies of sessions, devices and providers: no script can read them, and no other site can send them along."""

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from msgspec import Struct

SESSION, DEVICE, PROVIDER = "farthing_session", "farthing_device", "farthing_provider"
# With this in front a browser takes it over TLS only, for the whole host, and from no neighbouring name.
_HOST_ONLY = "__Host-"
_PATH = re.compile(r"(?:/[A-Za-z0-9._~%-]+)+")
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,100}")
# `Sec-Fetch-Site` of our own pages and of typed addresses.
OUR_PAGES = (b"same-origin", b"none")
# More than browsers keep for one host; the rest is ignored.
_COOKIES_MAX = 200


class SecretCookie(Struct, frozen=True):
    name: str
    path: str
    secure: bool

    def read(self, headers: Mapping[bytes, bytes]) -> str | None:
        """The first of several with our name: browsers send the most specific path first."""
        for pair in headers.get(b"cookie", b"").decode("latin-1").split(";", _COOKIES_MAX)[:_COOKIES_MAX]:
            name, _, value = pair.strip().partition("=")
            if name == self.name:
                return value if _SECRET.fullmatch(value) else None
        return None

    def set_header(self, secret: str, seconds: int) -> tuple[str, str]:
        """The `Set-Cookie` header."""
        ending = "; Secure" if self.secure else ""
        cookie = f"{self.name}={secret}; Path={self.path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{ending}"
        return "set-cookie", cookie

    def clear_header(self) -> tuple[str, str]:
        return self.set_header("", 0)


@lru_cache(maxsize=64)
def cookie_for(base: str, known_as: str = SESSION) -> SecretCookie:
    """For the public address: it says whether there is TLS, and below which path we live."""
    parts = urlsplit(base)
    secure = parts.scheme == "https"
    path = parts.path.rstrip("/")
    if not _PATH.fullmatch(path):
        path = "/"
    name = f"{_HOST_ONLY}{known_as}" if secure and path == "/" else known_as
    return SecretCookie(name=name, path=path, secure=secure)
