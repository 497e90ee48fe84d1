"""Describes the headers and credentials, defined once and referred to by every operation."""

from typing import Any

from farthing.identity.scopes import READ, WRITE

from ..request.visitor import SESSION
from ..route import BOOKS, Route

_REQUEST_ID = {
    "description": "Id of the request, by which the server's log can be searched.",
    "schema": {"type": "string"},
}
_RETRY_AFTER = {"description": "Seconds to wait before trying again.", "schema": {"type": "string"}}


def _header_parameter(name: str, about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": about, "schema": schema}


_TAGS = {"type": "string", "example": '"1.42.0.20261115.0a1b2c3d"'}
HEADER_PARAMETERS = {
    "IfNoneMatch": _header_parameter(
        "If-None-Match",
        "The `ETag` of an earlier answer. If nothing has changed since, the answer is 304 without a body.",
        _TAGS,
    ),
    "IfMatch": _header_parameter(
        "If-Match", "The `ETag` with which the object was read. If it has changed since, the answer is 412.", _TAGS
    ),
    "IdempotencyKey": _header_parameter(
        "Idempotency-Key",
        "Any text that you choose. The request is carried out once; a repeat within 48 hours gets the same answer.",
        {"type": "string", "pattern": "^[!-~]{1,255}$"},
    ),
    "Books": _header_parameter(
        "Farthing-Books",
        "Id of a user who shares their books with you. If omitted, your own books, or those of the token.",
        {"type": "string", "pattern": "^[0-9]{1,18}$"},
    ),
    "BooksOfLink": {
        "name": BOOKS,
        "in": "query",
        "description": "Same as `Farthing-Books`, for download links. The header takes precedence.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
    },
}
_ETAG = {
    "description": "Stays the same as long as the answer does. Use it with `If-None-Match` and `If-Match`.",
    "schema": {"type": "string"},
}
_REPLAYED = {
    "description": "`true` if this repeats the first answer to the `Idempotency-Key`.",
    "schema": {"type": "string", "enum": ["true"]},
}
_REVISION = {
    "description": "Revision of this change. `/changes?revision=` finds it, so that it can be undone.",
    "schema": {"type": "string"},
}
_LOCATION = {"description": "Address of the result of a dry run.", "schema": {"type": "string"}}
HEADERS = {
    "RequestId": _REQUEST_ID,
    "RetryAfter": _RETRY_AFTER,
    "ETag": _ETAG,
    "IdempotentReplay": _REPLAYED,
    "Revision": _REVISION,
    "Location": _LOCATION,
}


def keeps_books(route: Route) -> bool:
    """Tells whether answers have ETags and requests may have an Idempotency-Key."""
    return route.is_of_books and not route.only_reads and not route.is_produced


_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API token, as printed by `farthing token create EMAIL`. A read-only token gets 403 for writes.",
}
_SESSION = {
    "type": "apiKey",
    "in": "cookie",
    "name": SESSION,
    "description": "The cookie that signing in sets. Over TLS its name may have the prefix `__Host-`.",
}
_CSRF = {
    "type": "apiKey",
    "in": "header",
    "name": "X-CSRF-Token",
    "description": "The `csrf_token` of the session, which proves that the request comes from our own page.",
}


def need(route: Route) -> list[dict[str, list[str]]]:
    """Lists what one operation accepts: a token with these scopes or without any, or a session."""
    may = WRITE if route.is_unsafe and not route.only_reads else READ
    return [{"token": [f"{group}:{may}" for group in route.groups]}, (_TO_CHANGE if route.is_unsafe else TO_READ)[1]]


TO_READ: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
_TO_CHANGE: list[dict[str, list[str]]] = [{"token": []}, {"session": [], "csrf": []}]
SECURITY_SCHEMES = {"token": _BEARER, "session": _SESSION, "csrf": _CSRF}
