"""Defines headers of answers: the request id, security and content policies, and CORS."""

import re
from collections.abc import Mapping
from random import Random

from farthing.kernel.settings.parsing import ANY_ORIGIN

from .reply import Reply

# The policy for data. A browser that shows data as a page can load and run nothing.
CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# The policy for pages of the app: our own files and nothing inline. The page shows contents that it has fetched in
# `data:` frames, which have no origin and keep this policy.
PAGE_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self';"
    " connect-src 'self'; frame-src blob: data:; object-src 'none'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_POLICY = b"content-security-policy"

ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
# Subdomains are not included, because they may belong to somebody else.
OVER_TLS = [*ALWAYS, (b"strict-transport-security", b"max-age=31536000")]
# Defaults for headers that an answer does not set itself.
DEFAULTS = (
    (_POLICY, CLOSED_POLICY.encode()),
    (b"cache-control", b"private, no-cache"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# For public code, which frames without an origin may also load.
FOR_EVERYBODY = (b"cross-origin-resource-policy", b"cross-origin")
# For answers that must not be stored in any cache.
NOT_STORED = (b"cache-control", b"no-store")


_METHODS = b"GET, HEAD, POST, PUT, DELETE"
# X-CSRF-Token is missing on purpose: only our own pages may act in a session.
_REQUEST_HEADERS = (
    b"Authorization, Content-Type, Farthing-Books, Idempotency-Key, If-Match, If-None-Match, Range, X-Request-Id"
)
_EXPOSED_HEADERS = b", ".join((
    b"Content-Disposition", b"Content-Range", b"ETag", b"Farthing-Revision", b"Idempotent-Replay", b"Location",
    b"Retry-After", b"X-Request-Id",
))  # fmt: skip
_MAX_AGE_S = b"600"

Header = tuple[bytes, bytes]


class Cors:
    def __init__(self, origins: tuple[str, ...]) -> None:
        self._any = ANY_ORIGIN in origins
        self._origins = frozenset(origin.encode() for origin in origins)
        self.is_on = bool(origins)

    def headers(self, headers: Mapping[bytes, bytes]) -> list[Header]:
        """Returns the CORS headers for an answer. They never allow credentials, so browsers send no cookies."""
        allowed = self._find_allowed(headers.get(b"origin"))
        if allowed is None:
            return self._vary()
        return [
            (b"access-control-allow-origin", allowed),
            (b"access-control-expose-headers", _EXPOSED_HEADERS),
            *self._vary(),
        ]

    def preflight(self, method: str, headers: Mapping[bytes, bytes]) -> Reply | None:
        """Answers a preflight request. Returns None for any other request."""
        if method != "OPTIONS" or b"access-control-request-method" not in headers or b"origin" not in headers:
            return None
        if self._find_allowed(headers[b"origin"]) is None:
            return None
        allowed = [
            (b"access-control-allow-methods", _METHODS),
            (b"access-control-allow-headers", _REQUEST_HEADERS),
            (b"access-control-max-age", _MAX_AGE_S),
        ]
        return Reply(204, allowed, b"")

    def _find_allowed(self, origin: bytes | None) -> bytes | None:
        if origin is None:
            return None
        if self._any:
            return b"*"
        return origin if origin in self._origins else None

    def _vary(self) -> list[Header]:
        return [] if self._any else [(b"vary", b"Origin")]


_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# The ids only have to be distinct, not secret.
_random = Random()  # noqa: S311


def choose_request_id(headers: Mapping[bytes, bytes]) -> str:
    """Returns the id that the client sent, if that is valid, and a random id otherwise."""
    sent = headers.get(b"x-request-id")
    if sent and _REQUEST_ID.fullmatch(text := sent.decode("latin-1")):
        return text
    return f"{_random.getrandbits(64):016x}"
