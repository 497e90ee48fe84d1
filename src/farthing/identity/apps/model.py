"""Defines registered apps and the rules for their redirect addresses."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from urllib.parse import SplitResult, urlencode, urlsplit

from msgspec import Struct

from farthing.kernel.errors import Problem

from ..user import ApiVersion

REDIRECTS_MAX, REDIRECT_CHARACTERS_MAX = 10, 500
_WEB = ("http", "https")
# Allows only a host with its port: libraries ignore text around the brackets of an IPv6 address, but browsers may not.
_HOST = re.compile(r"([a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE)
_LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
# Schemes that the browser or the operating system handles itself, instead of opening an app.
_NOT_OF_APPS = frozenset((
    "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto", "sms", "tel",
    "vbscript", "view-source", "ws", "wss",
))  # fmt: skip
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:[!$-;=?-Z\[\]_a-z~]+", re.IGNORECASE)
_SUCH_AS = "it must be like https://app.example.org/callback or org.example.app:/callback"


class App(Struct, frozen=True, kw_only=True):
    """Describes a registered app. `hash` is the hash of its secret.

    A public app has no secret, because it runs where somebody could read the secret, for example on a phone.
    """

    id: int
    user_id: int
    name: str
    redirects: str
    hash: str | None
    for_everybody: bool
    created_at: str
    api_version: str = ApiVersion.V1

    @property
    def addresses(self) -> tuple[str, ...]:
        """Lists the redirect addresses, which are stored in one text, separated by spaces."""
        return tuple(self.redirects.split())

    @property
    def is_public(self) -> bool:
        return self.hash is None


class AppDraft(Struct, frozen=True, kw_only=True):
    name: str
    redirects: tuple[str, ...]
    is_public: bool
    is_for_everybody: bool
    api_version: str = ApiVersion.V1


class TargetKind(StrEnum):
    SITE = "site"
    # A site whose address is not encrypted.
    OPEN_SITE = "open_site"
    DEVICE = "device"
    APP = "app"


class RedirectTarget(Struct, frozen=True):
    """Describes for people where a redirect leads. `name` is a host, or the scheme of an app on their device."""

    kind: TargetKind
    name: str


def redirect_problems(field: str, redirects: Sequence[str]) -> Iterator[Problem]:
    if len(redirects) > REDIRECTS_MAX:
        yield Problem(field, f"An app may have at most {REDIRECTS_MAX} addresses.")
    for address in redirects:
        problem = _find_problem(address)
        if problem:
            yield Problem(field, f"{address[:100]} {problem}.")


def _find_problem(address: str) -> str | None:
    if "#" in address:
        return "may not have a part after #"
    if len(address) > REDIRECT_CHARACTERS_MAX:
        return f"may not be longer than {REDIRECT_CHARACTERS_MAX} characters"
    parts = _split(address)
    if parts is None:
        return f"is not an address: {_SUCH_AS}"
    if parts.scheme in _NOT_OF_APPS:
        return f"does not lead to an app: {_SUCH_AS}"
    if parts.scheme in _WEB and not _HOST.fullmatch(parts.netloc):
        return f"must contain a host and may not contain a user name: {_SUCH_AS}"
    return None


def _split(address: str) -> SplitResult | None:
    if not _ADDRESS.fullmatch(address):
        return None
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts


def is_registered(app: App, address: str) -> bool:
    """Returns whether the app has registered exactly this address; a similar one is not enough.

    Only the port of an address on the user's own device may differ, because apps there use any free port (RFC 8252,
    section 7.3).
    """
    if address in app.addresses:
        return True
    loopback = _without_port(address)
    return loopback is not None and any(loopback == _without_port(redirect) for redirect in app.addresses)


def _without_port(address: str) -> tuple[str, str, str] | None:
    """Returns host, path and query of an address on the user's own device, and None for any other address."""
    if _find_problem(address):
        return None
    parts = urlsplit(address)
    if parts.scheme != "http" or _host_of(parts) not in _LOOPBACK:
        return None
    return _host_of(parts), parts.path, parts.query


def _host_of(parts: SplitResult) -> str:
    match = _HOST.fullmatch(parts.netloc)
    return match[1].lower() if match else ""


def name_target(address: str) -> RedirectTarget:
    parts = urlsplit(address)
    if parts.scheme not in _WEB:
        return RedirectTarget(TargetKind.APP, parts.scheme)
    if _host_of(parts) in _LOOPBACK:
        return RedirectTarget(TargetKind.DEVICE, parts.netloc)
    return RedirectTarget(TargetKind.SITE if parts.scheme == "https" else TargetKind.OPEN_SITE, parts.netloc)


def add_to_query(address: str, parameters: dict[str, str]) -> str:
    """Adds parameters to an address. Its existing query stays unchanged."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(parameters)}"
