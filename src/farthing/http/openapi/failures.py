"""The answers to failed requests in the OpenAPI document, defined once and referred to by every operation."""

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
# One example of each error, and what it means to the caller; the document shows the answers to these.
_ERRORS: tuple[tuple[errors.FarthingError, str], ...] = (
    (
        errors.Malformed("The JSON body does not parse at line 2, column 12: unexpected end of input."),
        "The body cannot be read at all; the message says where it went wrong.",
    ),
    (errors.Unauthenticated(), "No token, or one that is wrong, expired or revoked."),
    (
        errors.Forbidden("Only the owner of this installation may make users."),
        "Not allowed: it is for the owner alone, beyond the token or your role, or a page sent no CSRF token.",
    ),
    (
        errors.Forged("The X-CSRF-Token is not the one of this session; GET session has it."),
        "It seems that a page asks that is not ours.",
    ),
    (errors.NotFound(), "Not there, or not yours: the same answer."),
    (errors.Conflict("The object is still in use."), "True, but not possible just now."),
    (
        errors.Outdated("It has changed since you read it, or the tag is not one of ours: read it again, then decide."),
        "The object is no longer as `If-Match` knows it; nothing was done.",
    ),
    (
        errors.TooSlow("Less than 4096 bytes of the body came in 30 seconds."),
        "The body came too slowly; nothing was done.",
    ),
    (errors.TooLarge("The body may not be larger than 2097152 bytes."), "The body is larger than a stated limit."),
    (
        errors.WrongRange("The file has 1024 bytes, and none of them is in that range."),
        "The file has no such part; `Content-Range` says how long it is.",
    ),
    (
        errors.UnknownBodyType("Send the body as application/json, and say so in its Content-Type."),
        "The body comes in an encoding that is not spoken here.",
    ),
    (
        errors.Misdirected("This server answers at books.example.org, not at books.example.com."),
        "The `Host` is not one of the server's, and no browser page of another name may use it.",
    ),
    (
        errors.Invalid([errors.Problem("name", "The name field is required.")]),
        "Something is wrong with what was sent: every failing field at once, each with a sentence that helps.",
    ),
    (errors.TooMany("Too many attempts. Try again in 12 minutes.", 700), "Tried too often; wait for `Retry-After`."),
    (
        errors.HeadTooLarge("There may not be more than 100 headers."),
        "The headers are too many or too long; the connection is closed.",
    ),
    (
        errors.Unavailable(),
        "The database or the disk cannot do it; `Retry-After` says when to try again. Without it that does not help.",
    ),
)
_CRASH = "Crash"
# Given before a route is known: to a wrong host, to too many headers, and when too many connections are open.
_AT_THE_DOOR: tuple[type[errors.FarthingError], ...] = (errors.Misdirected, errors.HeadTooLarge, errors.Unavailable)


def failures(route: Route) -> dict[str, Any]:
    kinds: set[type[errors.FarthingError]] = {*_AT_THE_DOOR, *route.fails}
    if not route.is_open:
        kinds |= {errors.Unauthenticated, errors.TooMany, errors.Forbidden}
    if route.is_shared:
        kinds.add(errors.NotFound)
    if names_in(route.path):
        kinds.add(errors.NotFound)
    if route.method in ("GET", "POST") and keeps_books(route):
        kinds.add(errors.Invalid)  # a day in the query may be wrong, or the key
    if route.method == "POST" and keeps_books(route):
        kinds.add(errors.TooLarge)  # an answer that is kept for its key counts against a quota
    if route.method in ("PUT", "DELETE") and keeps_books(route):
        kinds.add(errors.Outdated)
    if route.method != "GET":
        kinds.add(errors.TooSlow)
    if route.fields:
        kinds |= {errors.Malformed, errors.TooLarge, errors.UnknownBodyType, errors.Invalid}
    return _refer_to(kinds)


def failures_of_service(*, any_host: bool) -> dict[str, Any]:
    """`any_host`: health checks answer to any host, and also when too many connections are open."""
    return _refer_to([errors.HeadTooLarge] if any_host else _AT_THE_DOOR)


def _refer_to(kinds: Iterable[type[errors.FarthingError]]) -> dict[str, Any]:
    answers = {str(problems.STATUSES[kind]): kind.__name__ for kind in kinds} | {"500": _CRASH}
    return {status: refer(answers[status]) for status in sorted(answers)}


def refer(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{name}"}


def error_responses(given: Mapping[Any, "Schema"]) -> dict[str, Any]:
    crash = problems.crash("0123456789abcdef")
    samples = [(type(error).__name__, problems.answer_to(error), about) for error, about in _ERRORS]
    samples.append((_CRASH, crash, "Our fault; the log says more under the request's id."))
    return {name: _error_response(answer, about, given) for name, answer, about in samples}


def _error_response(answer: Answer, about: str, given: Mapping[Any, "Schema"]) -> dict[str, Any]:
    headers = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if answer.status in (problems.STATUSES[errors.Unavailable], problems.STATUSES[errors.TooMany]):
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    content = {"schema": given[type(answer.document)], "example": msgspec.to_builtins(answer.document)}
    return {"description": about, "headers": headers, "content": {_JSON: content}}
