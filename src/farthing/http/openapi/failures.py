"""Describes the answers to failed requests, defined once and referred to by every operation."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from farthing.kernel import errors

from ..answer import problems
from ..request.call import Answer
from ..route import Route
from .headers import keeps_books
from .links import names_in

if TYPE_CHECKING:
    from .schemas import Schema

_JSON = "application/json"
# One example of each error, and what it means to the caller. The document shows the answers to these.
_ERRORS: tuple[tuple[errors.FarthingError, str], ...] = (
    (
        errors.Malformed("The JSON body is malformed at line 2, column 12: unexpected end of input."),
        "The body is malformed. The message says where.",
    ),
    (errors.Unauthenticated(), "The token is missing, wrong, expired or revoked."),
    (
        errors.Forbidden("Only the owner of this installation may create users."),
        "Not allowed: only for the owner, beyond the scope of the token or role, or without a CSRF token.",
    ),
    (
        errors.Forged("The X-CSRF-Token does not belong to this session; GET session has the right one."),
        "The request seems to come from a page of another site.",
    ),
    (errors.NotFound(), "The object does not exist, or is not yours. Both get the same answer."),
    (errors.Conflict("The object is still in use."), "The request conflicts with the current state."),
    (
        errors.Outdated("It has changed since you read it, or the tag is invalid. Read it again, then decide."),
        "The object has changed since the `ETag` in `If-Match`. Nothing was done.",
    ),
    (
        errors.TooSlow("Less than 4096 bytes of the body arrived in 30 seconds."),
        "The body arrived too slowly. Nothing was done.",
    ),
    (errors.TooLarge("The body may not be larger than 2097152 bytes."), "The body exceeds a limit."),
    (
        errors.WrongRange("The range lies outside the file, which has 1024 bytes."),
        "The range lies outside the file. `Content-Range` has its size.",
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
        "Too many attempts. Wait as long as `Retry-After` says.",
    ),
    (
        errors.HeadTooLarge("There may not be more than 100 headers."),
        "Too many or too long headers. The connection is closed.",
    ),
    (
        errors.Unavailable(),
        "The database or the disk is unavailable. If there is a `Retry-After`, try again after that time.",
    ),
)
_CRASH = "Crash"
# The errors before a route is found: a wrong host, too many headers, too many open connections.
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
        kinds.add(errors.TooLarge)  # an answer that is stored for its key counts against a quota
    if route.method in ("PUT", "DELETE") and keeps_books(route):
        kinds.add(errors.Outdated)
    if route.method != "GET":
        kinds.add(errors.TooSlow)
    if route.fields:
        kinds |= {errors.Malformed, errors.TooLarge, errors.UnknownBodyType, errors.Invalid}
    return _refer_to(kinds)


def failures_of_service(*, any_host: bool) -> dict[str, Any]:
    """Describes the failures of a service address. With `any_host` it answers to any host, and also when too
    many connections are open (health checks)."""
    return _refer_to([errors.HeadTooLarge] if any_host else _BEFORE_ROUTING)


def _refer_to(kinds: Iterable[type[errors.FarthingError]]) -> dict[str, Any]:
    answers = {str(problems.STATUSES[kind]): kind.__name__ for kind in kinds} | {"500": _CRASH}
    return {status: refer(answers[status]) for status in sorted(answers)}


def refer(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{name}"}


def error_responses(schemas: Mapping[Any, "Schema"]) -> dict[str, Any]:
    crash = problems.crash("0123456789abcdef")
    samples = [(type(error).__name__, problems.answer_to(error), about) for error, about in _ERRORS]
    samples.append((_CRASH, crash, "Internal error. Quote the request id; the server's log has the details."))
    return {name: _error_response(answer, about, schemas) for name, answer, about in samples}


def _error_response(answer: Answer, about: str, schemas: Mapping[Any, "Schema"]) -> dict[str, Any]:
    headers = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if answer.status in (problems.STATUSES[errors.Unavailable], problems.STATUSES[errors.TooMany]):
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    content = {"schema": schemas[type(answer.document)], "example": msgspec.to_builtins(answer.document)}
    return {"description": about, "headers": headers, "content": {_JSON: content}}
