"""Sends requests to providers, and caches the documents that they publish.

The addresses may be private, because they come from the operator or from a provider that the operator chose.
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
from farthing.kernel.network.outgoing import NotAllowed, RequestLimits, Unreachable, ask, look_up

LIMITS = RequestLimits(connect_s=5, total_s=10, body_bytes_max=2**20)
_DISCOVERY = "/.well-known/openid-configuration"
_FRESH_S = 3600.0
# Anybody can send tokens with unknown keys, so such tokens make us fetch the keys again at most this often.
_ASK_AGAIN_S = 60.0


class ProviderFailed(FarthingError):
    """The provider is unreachable, or its answer is invalid. The message is only for the log."""


class ProviderMetadata(Struct, frozen=True, kw_only=True):
    """Holds the fields of the discovery document that we use."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] | None = None
    authorization_response_iss_parameter_supported: bool = False


def request(url: str, *, headers: Mapping[str, str], body: bytes | None = None) -> tuple[int, bytes]:
    """Sends a GET request, or a POST request if there is a body. Does not follow redirects."""
    parts = urlsplit(url)
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    try:
        target_host = look_up(url, allow_private=True, limits=LIMITS)
        method = "GET" if body is None else "POST"
        with ask(target_host, method, target, headers=headers, body=body or b"", limits=LIMITS) as answer:
            return answer.status, answer.read()
    except (NotAllowed, Unreachable) as error:
        raise ProviderFailed(str(error)) from error


def fetch(url: str, headers: Mapping[str, str] | None = None) -> Any:
    status, body = request(url, headers={"Accept": "application/json", **(headers or {})})
    if status != 200:
        raise ProviderFailed(f"{_host(url)} answered {status} instead of a document.")
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProviderFailed(f"{_host(url)} did not answer in JSON.") from error


class Documents:
    """Caches the documents of one provider for all threads of this process."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[float, Any]] = {}

    def metadata(self) -> ProviderMetadata:
        document = self._get(self._issuer.rstrip("/") + _DISCOVERY, _FRESH_S)
        try:
            metadata = msgspec.convert(document, ProviderMetadata)
        except msgspec.ValidationError as error:
            raise ProviderFailed(f"The discovery document of {self._issuer} is not complete: {error}.") from error
        if metadata.issuer.rstrip("/") != self._issuer.rstrip("/"):
            raise ProviderFailed(f"The discovery document at {self._issuer} is that of another issuer.")
        return metadata

    def keys(self, *, anew: bool = False) -> list[dict[str, Any]]:
        """Returns the public keys of the provider. Use `anew` to fetch them again if a token names an unknown key."""
        document = self._get(self.metadata().jwks_uri, 0 if anew else _FRESH_S)
        keys = document.get("keys") if isinstance(document, dict) else None
        if not isinstance(keys, list):
            raise ProviderFailed(f"{self._issuer} does not publish its keys as a set.")
        return [key for key in keys if isinstance(key, dict)]

    def may_ask_again(self) -> bool:
        """Returns whether the keys may be fetched again now: tokens of strangers must not cause many requests."""
        url = self.metadata().jwks_uri
        with self._lock:
            cached = self._cache.get(url)
        return cached is None or time.monotonic() - cached[0] > _ASK_AGAIN_S

    def _get(self, url: str, seconds: float) -> Any:
        """Returns a document from the cache, or fetches it. Holds no lock meanwhile, so that no other thread waits."""
        with self._lock:
            cached = self._cache.get(url)
        if cached and time.monotonic() - cached[0] < seconds:
            return cached[1]
        document = fetch(url)
        with self._lock:
            self._cache[url] = time.monotonic(), document
        return document


@cache
def documents_of(issuer: str) -> Documents:
    """Returns the documents of a provider. The cache stays small, because issuers come only from the settings."""
    return Documents(issuer)


def _host(url: str) -> str:
    return urlsplit(url).hostname or url
