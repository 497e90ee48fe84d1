"""Turns errors into answers. The only place that knows status codes."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from farthing.kernel import errors

from ..request.call import Answer
from .document import AppFailure, Failure, Problems

_JSON = "application/json"
_UNAVAILABLE = "ServiceUnavailableHttpException"
_OVERLOADED = "The server has as many requests as it can handle just now; try again."
_GONE = "The database does not answer just now; try again."
_FULL = "The disk of the server is full, so nothing was stored. Reading still works; send it again when there is room."
_READ_ONLY = (
    "The server cannot write to its disk just now, so nothing was stored. Reading still works; send it again later."
)
_LOCKED = "Another program holds the database for long, so nothing was stored. Reading still works; try again."
_FILE_GONE = (
    "The database file of the server is gone, so nothing can be read or stored. "
    "The log of the server says what has to be done."
)
_DAMAGED = (
    "The database file of the server is damaged. Trying again does not help; "
    "the log of the server says what has to be done."
)
_CONTENTS = "The contents of attachments cannot be read or written just now; try again."

# Error, status, the name that clients see, and the message when it is always the same.
_ANSWERS: tuple[tuple[type[errors.FarthingError], int, str, str | None], ...] = (
    (errors.Unauthenticated, 401, "AuthenticationException", "Unauthenticated"),
    (errors.Forbidden, 403, "AuthorizationException", None),
    (errors.Forged, 403, "CsrfTokenMismatchException", None),
    (errors.TooLong, 429, "TooManyRequestsHttpException", None),
    (errors.TooMany, 429, "TooManyRequestsHttpException", None),
    (errors.Departed, 499, "ClientClosedRequestException", None),
    (errors.NotFound, 404, "NotFoundHttpException", "Resource not found"),
    (errors.Malformed, 400, "BadRequestHttpException", None),
    (errors.Conflict, 409, "ConflictHttpException", None),
    (errors.Outdated, 412, "PreconditionFailedHttpException", None),
    (errors.TooSlow, 408, "RequestTimeoutHttpException", None),
    (errors.OverQuota, 413, "QuotaExceededHttpException", None),
    (errors.TooLarge, 413, "PayloadTooLargeHttpException", None),
    (errors.HeadTooLarge, 431, "RequestHeaderFieldsTooLargeHttpException", None),
    (errors.Misdirected, 421, "MisdirectedRequestHttpException", None),
    (errors.WrongRange, 416, "RangeNotSatisfiableHttpException", None),
    (errors.UnknownBodyType, 415, "UnsupportedMediaTypeHttpException", None),
    (errors.UnknownTransfer, 501, "NotImplementedHttpException", None),
    (errors.UnknownVersion, 505, "HttpVersionNotSupportedHttpException", None),
    (errors.Overloaded, 503, _UNAVAILABLE, _OVERLOADED),
    (errors.DiskFull, 503, _UNAVAILABLE, _FULL),
    (errors.ReadOnly, 503, _UNAVAILABLE, _READ_ONLY),
    (errors.Locked, 503, _UNAVAILABLE, _LOCKED),
    (errors.FileGone, 503, _UNAVAILABLE, _FILE_GONE),
    (errors.Damaged, 503, _UNAVAILABLE, _DAMAGED),
    (errors.StorageRefused, 503, _UNAVAILABLE, _CONTENTS),
    (errors.ContentsUnavailable, 503, _UNAVAILABLE, _CONTENTS),
    (errors.Unavailable, 503, _UNAVAILABLE, _GONE),
)
# Fixing a disk, or a setting, takes at least a minute.
_HEADERS: dict[type[errors.FarthingError], tuple[tuple[str, str], ...]] = {
    errors.Unauthenticated: (("www-authenticate", "Bearer"),),
    errors.DiskFull: (("retry-after", "60"),),
    errors.ReadOnly: (("retry-after", "60"),),
    errors.FileGone: (("retry-after", "60"),),
    errors.Locked: (("retry-after", "5"),),
    errors.Overloaded: (("retry-after", "5"),),
    errors.StorageRefused: (("retry-after", "60"),),
    errors.ContentsUnavailable: (("retry-after", "5"),),
    errors.Unavailable: (("retry-after", "5"),),
}
STATUSES = {error: status for error, status, _, _ in _ANSWERS} | {errors.Invalid: 422}


def answer_to(error: errors.FarthingError, meta: dict[str, Any] | None = None) -> Answer:
    """`meta` tells more about fields that are wrong or missing."""
    if isinstance(error, errors.Invalid):
        document = Problems("The given data was invalid.", by_field(error.problems), meta or UNSET)
        return Answer(document, 422, _JSON)
    for kind, status, name, message in _ANSWERS:
        if isinstance(error, kind):
            return Answer(Failure(message or str(error), name), status, _JSON, _headers(error, kind))
    raise error


def _headers(error: errors.FarthingError, kind: type[errors.FarthingError]) -> tuple[tuple[str, str], ...]:
    if isinstance(error, errors.TooMany):
        return (("retry-after", str(error.retry_after_s)),)
    return _HEADERS.get(kind, ())


def by_field(problems: Iterable[errors.Problem]) -> dict[str, list[str]]:
    sentences: dict[str, list[str]] = {}
    for problem in problems:
        said = sentences.setdefault(problem.field, [])
        if problem.message not in said:
            said.append(problem.message)
    return sentences


def wrong_method(allowed: list[str]) -> Answer:
    message = f"This address answers to {', '.join(allowed)} only."
    return Answer(Failure(message, "MethodNotAllowedHttpException"), 405, _JSON, (("allow", ", ".join(allowed)),))


def not_ready(why: str) -> Answer:
    return Answer(Failure(why, _UNAVAILABLE), 503, _JSON, _HEADERS[errors.Unavailable])


def crash(request_id: str) -> Answer:
    """Without internals; the log has them under the request id."""
    message = f"Something went wrong on our side; the log says more under request {request_id}."
    return Answer(Failure(message, "InternalError", request_id), 500, _JSON)


def answer_app(error: str, description: str, *, is_unknown: bool, asks_basic: bool) -> Answer:
    """To an app, in the words of RFC 6749. `asks_basic`: it has tried to say who it is by HTTP Basic."""
    headers = (("pragma", "no-cache"), *((("www-authenticate", 'Basic realm="Farthing"'),) if asks_basic else ()))
    return Answer(AppFailure(error, description), 401 if is_unknown else 400, _JSON, headers)


def send_elsewhere(address: str) -> Answer:
    return Answer(None, 302, headers=(("location", address), ("content-length", "0"), ("cache-control", "no-store")))
