"""Lets pages of configured origins use the API with a token, never with a cookie."""

from collections.abc import Mapping

from farthing.kernel.settings.parsing import ANY_ORIGIN

from .reply import Reply

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
    """Answers the origins that the settings allow."""

    def __init__(self, origins: tuple[str, ...]) -> None:
        self._any = ANY_ORIGIN in origins
        self._origins = frozenset(origin.encode() for origin in origins)
        self.is_on = bool(origins)

    def headers(self, headers: Mapping[bytes, bytes]) -> list[Header]:
        """Returns headers for an answer. It never allows credentials, so browsers send no cookies."""
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
