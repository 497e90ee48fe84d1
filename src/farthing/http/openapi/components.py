"""Describes the headers, credentials and failures that the document defines once and every operation refers to."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from farthing.identity.scopes import READ, WRITE
from farthing.kernel import errors

from ..answer import problems
from ..request.call import Answer
from ..request.visitor import SESSION
from ..route import BOOKS, Route
from .links import names_in

_REQUEST_ID = {
    "description": "The id of the request. The server's log also contains it.",
    "schema": {"type": "string"},
}
_RETRY_AFTER = {"description": "Seconds to wait before trying again.", "schema": {"type": "string"}}


def _header_parameter(name: str, about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": about, "schema": schema}


_TAGS = {"type": "string", "example": '"1.42.0.20261115.0a1b2c3d"'}
HEADER_PARAMETERS = {
    "IfNoneMatch": _header_parameter(
        "If-None-Match",
        "The `ETag` of an earlier answer. If nothing has changed since then, the answer is 304 without a body.",
        _TAGS,
    ),
    "IfMatch": _header_parameter(
        "If-Match",
        "The `ETag` with which you read the object. If the object has changed since then, the answer is 412.",
        _TAGS,
    ),
    "IdempotencyKey": _header_parameter(
        "Idempotency-Key",
        "A text of your choice that identifies the request. If you send the request again with the same key within 48"
        " hours, it is not carried out again, and you get the first answer.",
        {"type": "string", "pattern": "^[!-~]{1,255}$"},
    ),
    "Books": _header_parameter(
        "Farthing-Books",
        "The id of a user who shares their books with you. If omitted, the request uses the books that the token was"
        " created for, or your own.",
        {"type": "string", "pattern": "^[0-9]{1,18}$"},
    ),
    "BooksOfLink": {
        "name": BOOKS,
        "in": "query",
        "description": "Same as `Farthing-Books`, for download links. If both are sent, the header is used.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
    },
}
_ETAG = {
    "description": "Identifies the current state of the answer. Send it later as `If-None-Match` or `If-Match`.",
    "schema": {"type": "string"},
}
_REPLAYED = {
    "description": "`true` if this answer is a copy of the first answer to the same `Idempotency-Key`.",
    "schema": {"type": "string", "enum": ["true"]},
}
_REVISION = {
    "description": "The revision that this change created. `GET /changes?revision=` finds the change.",
    "schema": {"type": "string"},
}
_LOCATION = {
    "description": "The address of the progress or the result of the background job.",
    "schema": {"type": "string"},
}
HEADERS = {
    "RequestId": _REQUEST_ID,
    "RetryAfter": _RETRY_AFTER,
    "ETag": _ETAG,
    "IdempotentReplay": _REPLAYED,
    "Revision": _REVISION,
    "Location": _LOCATION,
}


def keeps_books(route: Route) -> bool:
    """Tells whether the route's answers have ETags and its requests may have an Idempotency-Key."""
    return route.is_of_books and not route.only_reads and not route.is_produced and not route.is_pushed


_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API token, as printed by `farthing token create EMAIL`. A read-only token gets 403 for writes.",
}
_SESSION = {
    "type": "apiKey",
    "in": "cookie",
    "name": SESSION,
    "description": "The cookie that is set when a user signs in. Over TLS, its name may have the prefix `__Host-`.",
}
_CSRF = {
    "type": "apiKey",
    "in": "header",
    "name": "X-CSRF-Token",
    "description": "The `csrf_token` of the session, which proves that the request comes from our own page.",
}


def need(route: Route) -> list[dict[str, list[str]]]:
    """Returns the security requirements of an operation: either a token or a session.

    A token that is limited to scopes needs those of the route.
    """
    may = WRITE if route.is_unsafe and not route.only_reads else READ
    return [{"token": [f"{group}:{may}" for group in route.groups]}, (_TO_CHANGE if route.is_unsafe else TO_READ)[1]]


TO_READ: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
_TO_CHANGE: list[dict[str, list[str]]] = [{"token": []}, {"session": [], "csrf": []}]
SECURITY_SCHEMES = {"token": _BEARER, "session": _SESSION, "csrf": _CSRF}


if TYPE_CHECKING:
    from .schemas import Schema

_JSON = "application/json"
# One example of each error, and what the error means to the caller. The document shows the answer to each example.
_ERRORS: tuple[tuple[errors.FarthingError, str], ...] = (
    (
        errors.Malformed("The JSON body is malformed at line 2, column 12: unexpected end of input."),
        "The body is malformed. The message says where.",
    ),
    (errors.Unauthenticated(), "The token is missing, wrong, expired or revoked."),
    (
        errors.Forbidden("Only the owner of this installation may create users."),
        "Not allowed. You are not the owner, the token or role does not suffice, or the CSRF token is missing.",
    ),
    (
        errors.Forged("The X-CSRF-Token does not belong to this session. GET session returns the right one."),
        "The request seems to come from a page of another site.",
    ),
    (errors.NotFound(), "The object does not exist or is not yours. The answer is the same in both cases."),
    (
        errors.Gone("The changes after this cursor are no longer kept. List everything again, and follow from now on."),
        "The cursor is too old, or belongs to another copy of the database.",
    ),
    (errors.Conflict("The object is still in use."), "The request conflicts with the current state."),
    (
        errors.Outdated(
            "This object has changed since you read it, or the tag is invalid. Read it again before you change it."
        ),
        "The object has changed since you got the `ETag` in `If-Match`. Nothing was done.",
    ),
    (
        errors.TooSlow("Less than 4096 bytes of the body arrived in 30 seconds."),
        "The body arrived too slowly. Nothing was done.",
    ),
    (errors.TooLarge("The body may not be larger than 2097152 bytes."), "The body exceeds a limit."),
    (
        errors.WrongRange("The range lies outside the file, which has 1024 bytes."),
        "The range is outside the file. `Content-Range` contains the size of the file.",
    ),
    (
        errors.UnknownBodyType("Unsupported Content-Type. Send the body as application/json."),
        "Unsupported Content-Type or Content-Encoding.",
    ),
    (
        errors.Misdirected("This server answers at books.example.org, not at books.example.com."),
        "The `Host` is not one of the server's names.",
    ),
    (
        errors.Invalid([errors.Problem("name", "The name field is required.")]),
        "Validation failed. All failing fields are listed, each with messages.",
    ),
    (
        errors.TooMany("Too many attempts. Try again in 12 minutes.", 700),
        "Too many attempts or requests. `Retry-After` says how many seconds to wait.",
    ),
    (
        errors.HeadTooLarge("There may not be more than 100 headers."),
        "There are too many headers, or they are too long. The connection is closed.",
    ),
    (
        errors.Unavailable(),
        "The database or the disk is unavailable. If the answer has a `Retry-After`, try again after that time.",
    ),
)
_CRASH = "Crash"
# The errors that can occur before a route is found: a wrong host, too many headers, too many open connections.
_BEFORE_ROUTING: tuple[type[errors.FarthingError], ...] = (errors.Misdirected, errors.HeadTooLarge, errors.Unavailable)


def failures(route: Route) -> dict[str, Any]:
    kinds: set[type[errors.FarthingError]] = {*_BEFORE_ROUTING, *route.fails}
    if not route.is_open:
        kinds |= {errors.Unauthenticated, errors.TooMany, errors.Forbidden}
    if route.is_shared:
        kinds.add(errors.NotFound)
    if names_in(route.path):
        kinds.add(errors.NotFound)
    if route.method in ("GET", "POST") and keeps_books(route):
        kinds.add(errors.Invalid)  # a day in the query or the key may be invalid
    if route.method == "POST" and keeps_books(route):
        kinds.add(errors.TooLarge)  # answers that are stored for an Idempotency-Key have a quota
    if route.method in ("PUT", "DELETE") and keeps_books(route):
        kinds.add(errors.Outdated)
    if route.method != "GET":
        kinds.add(errors.TooSlow)
    if route.fields:
        kinds |= {errors.Malformed, errors.TooLarge, errors.UnknownBodyType, errors.Invalid}
    return _refer_to(kinds)


def failures_of_service(*, any_host: bool) -> dict[str, Any]:
    """Describes the failures of a service address.

    `any_host` is for health checks, which answer under any host name and even if too many connections are open.
    """
    return _refer_to([errors.HeadTooLarge] if any_host else _BEFORE_ROUTING)


def _refer_to(kinds: Iterable[type[errors.FarthingError]]) -> dict[str, Any]:
    answers = {str(problems.STATUSES[kind]): kind.__name__ for kind in kinds} | {"500": _CRASH}
    return {status: refer(answers[status]) for status in sorted(answers)}


def refer(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{name}"}


def error_responses(schemas: Mapping[Any, "Schema"]) -> dict[str, Any]:
    crash = problems.crash("0123456789abcdef")
    samples = [(type(error).__name__, problems.answer_to(error), about) for error, about in _ERRORS]
    samples.append((_CRASH, crash, "Internal error. The server's log has the details under the id of the request."))
    return {name: _error_response(answer, about, schemas) for name, answer, about in samples}


def _error_response(answer: Answer, about: str, schemas: Mapping[Any, "Schema"]) -> dict[str, Any]:
    headers = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if answer.status in (problems.STATUSES[errors.Unavailable], problems.STATUSES[errors.TooMany]):
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    content = {"schema": schemas[type(answer.document)], "example": msgspec.to_builtins(answer.document)}
    return {"description": about, "headers": headers, "content": {_JSON: content}}
