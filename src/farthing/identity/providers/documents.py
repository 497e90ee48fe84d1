"""Asks providers: for what they publish about themselves, which is kept for a while, and for everything else.

The addresses are those of the operator, or of the provider that the operator has named: they may be private.
"""

import threading
import time
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from farthing.kernel.errors import FarthingError
from farthing.kernel.outgoing import NotAllowed, RequestLimits, Unreachable, ask, look_up

LIMITS = RequestLimits(connect_s=5, total_s=10, body_bytes_max=2**20)
_DISCOVERY = "/.well-known/openid-configuration"
_FRESH_S = 3600.0
# Strangers may send us tokens with keys that nobody knows: they make us ask at most this often.
_ASK_AGAIN_S = 60.0


class ProviderFailed(FarthingError):
    """The provider is away, or does not answer as it should. The message is for the log."""


class Metadata(Struct, frozen=True, kw_only=True):
    """The part of the discovery document that we use."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] | None = None
    authorization_response_iss_parameter_supported: bool = False


def request(url: str, *, headers: Mapping[str, str], body: bytes | None = None) -> tuple[int, bytes]:
    """GET, or POST of a body. Redirects are not followed."""
    parts = urlsplit(url)
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    try:
        to = look_up(url, allow_private=True, limits=LIMITS)
        method = "GET" if body is None else "POST"
        with ask(to, method, target, headers=headers, body=body or b"", limits=LIMITS) as answer:
            return answer.status, answer.read()
    except (NotAllowed, Unreachable) as error:
        raise ProviderFailed(str(error)) from error


def fetch(url: str, headers: Mapping[str, str] | None = None) -> Any:
    """A document in JSON."""
    status, body = request(url, headers={"Accept": "application/json", **(headers or {})})
    if status != 200:
        raise ProviderFailed(f"{_host(url)} answered {status} instead of a document.")
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProviderFailed(f"{_host(url)} did not answer in JSON.") from error


class Documents:
    """The documents of one provider, cached for all threads of this process."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, Any]] = {}

    def metadata(self) -> Metadata:
        document = self._get(self._issuer.rstrip("/") + _DISCOVERY, _FRESH_S)
        try:
            found = msgspec.convert(document, Metadata)
        except msgspec.ValidationError as error:
            raise ProviderFailed(f"The discovery document of {self._issuer} is not complete: {error}.") from error
        if found.issuer.rstrip("/") != self._issuer.rstrip("/"):
            raise ProviderFailed(f"The discovery document at {self._issuer} is that of another issuer.")
        return found

    def keys(self, *, anew: bool = False) -> list[dict[str, Any]]:
        """`anew` fetches them again, because a token names a key that was not among them."""
        document = self._get(self.metadata().jwks_uri, 0 if anew else _FRESH_S)
        keys = document.get("keys") if isinstance(document, dict) else None
        if not isinstance(keys, list):
            raise ProviderFailed(f"{self._issuer} does not publish its keys as a set.")
        return [key for key in keys if isinstance(key, dict)]

    def may_ask_again(self) -> bool:
        """Limits how often tokens, which anybody may send, make us fetch the keys again."""
        url = self.metadata().jwks_uri
        with self._lock:
            kept = self._kept.get(url)
        return kept is None or time.monotonic() - kept[0] > _ASK_AGAIN_S

    def _get(self, url: str, seconds: float) -> Any:
        """Without the lock while it asks: others use what is there, or ask as well."""
        with self._lock:
            kept = self._kept.get(url)
        if kept and time.monotonic() - kept[0] < seconds:
            return kept[1]
        document = fetch(url)
        with self._lock:
            self._kept[url] = time.monotonic(), document
        return document


@cache
def documents_of(issuer: str) -> Documents:
    """There are only as many issuers as the settings name."""
    return Documents(issuer)


def _host(url: str) -> str:
    return urlsplit(url).hostname or url
