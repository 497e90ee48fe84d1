"""The headers of the OpenAPI document, defined once and referred to by every operation."""

from typing import Any

from ..route import BOOKS, Route

_REQUEST_ID = {
    "description": "The request's id; the log has more under it.",
    "schema": {"type": "string"},
}
_RETRY_AFTER = {"description": "Seconds to wait before trying again.", "schema": {"type": "string"}}


def _header_parameter(name: str, about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": about, "schema": schema}


_TAGS = {"type": "string", "example": '"1.42.0.20261115.0a1b2c3d"'}
HEADER_PARAMETERS = {
    "IfNoneMatch": _header_parameter(
        "If-None-Match", "The `ETag` of an earlier answer: 304 without a body if it would be the same.", _TAGS
    ),
    "IfMatch": _header_parameter(
        "If-Match", "The `ETag` with which the object was read: 412 if it was changed since.", _TAGS
    ),
    "IdempotencyKey": _header_parameter(
        "Idempotency-Key",
        "Any text of your own: the request is done once, and a repeat within 48 hours gets the first answer again.",
        {"type": "string", "pattern": "^[!-~]{1,255}$"},
    ),
    "Books": _header_parameter(
        "Farthing-Books",
        "The id of the user in whose books to work, if they share them with you; else your own, or those of the token.",
        {"type": "string", "pattern": "^[0-9]{1,18}$"},
    ),
    "BooksOfLink": {
        "name": BOOKS,
        "in": "query",
        "description": "The same as `Farthing-Books`, for links to downloads; the header counts more.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
    },
}
_ETAG = {
    "description": "Stays the same as long as the answer does; for `If-None-Match` and `If-Match`.",
    "schema": {"type": "string"},
}
_REPLAYED = {
    "description": "`true` when this is the first answer to this `Idempotency-Key`, given again.",
    "schema": {"type": "string", "enum": ["true"]},
}
_REVISION = {
    "description": "Which change this made: `/changes?revision=` finds it, to undo it.",
    "schema": {"type": "string"},
}
_LOCATION = {"description": "Of a dry run: where to look for what it finds.", "schema": {"type": "string"}}
HEADERS = {
    "RequestId": _REQUEST_ID,
    "RetryAfter": _RETRY_AFTER,
    "ETag": _ETAG,
    "IdempotentReplay": _REPLAYED,
    "Revision": _REVISION,
    "Location": _LOCATION,
}


def keeps_books(route: Route) -> bool:
    """Whether answers have ETags, and requests may have an Idempotency-Key."""
    return route.is_of_books and not route.only_reads and not route.is_produced
