"""Lets pages of configured origins use the API with a token, never with a cookie."""

from collections.abc import Mapping

from farthing.kernel.settings.parsing import ANY_ORIGIN

from .reply import Reply

_METHODS = b"GET, HEAD, POST, PUT, DELETE"
# X-CSRF-Token is missing on purpose: only our own pages may act in a session.
_ASKED = b"Authorization, Content-Type, Farthing-Books, Idempotency-Key, If-Match, If-None-Match, Range, X-Request-Id"
_TOLD = b", ".join((
    b"Content-Disposition", b"Content-Range", b"ETag", b"Farthing-Revision", b"Idempotent-Replay", b"Location",
    b"Retry-After", b"X-Request-Id",
))  # fmt: skip
_KEPT_S = b"600"

Header = tuple[bytes, bytes]


class Cors:
    def __init__(self, origins: tuple[str, ...]) -> None:
        self._any = ANY_ORIGIN in origins
        self._origins = frozenset(origin.encode() for origin in origins)
        self.is_on = bool(origins)

    def headers(self, headers: Mapping[bytes, bytes]) -> list[Header]:
        """For an answer. Never `Access-Control-Allow-Credentials`: browsers then keep cookies out of it."""
        allowed = self._allowed(headers.get(b"origin"))
        if allowed is None:
            return self._varies()
        return [(b"access-control-allow-origin", allowed), (b"access-control-expose-headers", _TOLD), *self._varies()]

    def preflight(self, method: str, headers: Mapping[bytes, bytes]) -> Reply | None:
        """The answer to a preflight request; None for any other request."""
        if method != "OPTIONS" or b"access-control-request-method" not in headers or b"origin" not in headers:
            return None
        if self._allowed(headers[b"origin"]) is None:
            return None
        said = [
            (b"access-control-allow-methods", _METHODS),
            (b"access-control-allow-headers", _ASKED),
            (b"access-control-max-age", _KEPT_S),
        ]
        return Reply(204, said, b"")

    def _allowed(self, origin: bytes | None) -> bytes | None:
        if origin is None:
            return None
        if self._any:
            return b"*"
        return origin if origin in self._origins else None

    def _varies(self) -> list[Header]:
        return [] if self._any else [(b"vary", b"Origin")]
