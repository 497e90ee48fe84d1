"""Turns errors into answers. The status codes of errors are defined only here."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from farthing.identity.user import ApiVersion
from farthing.kernel import errors

from ..request.call import Answer
from .document import AppFailure, Failure, Problems

_JSON = "application/json"
_UNAVAILABLE = "ServiceUnavailableHttpException"
_OVERLOADED = "The server is handling as many requests as it can. Try again."
_GONE = "The database is not answering. Try again."
_FULL = "The disk of the server is full, so nothing was stored. Reading still works. Try again when there is room."
_READ_ONLY = "The server cannot write to its disk, so nothing was stored. Reading still works. Try again later."
_LOCKED = "Another program keeps the database locked, so nothing was stored. Reading still works. Try again."
_FILE_GONE = (
    "The database file of the server is gone, so nothing can be read or stored. The server's log says what to do."
)
_DAMAGED = "The database file of the server is damaged. Trying again does not help. The server's log says what to do."
_CONTENTS = "The contents of attachments cannot be read or written. Try again."

# Temporary errors, with their message and the seconds after which a client should try again. The time is longer for
# problems that somebody has to fix, such as a full disk or a wrong setting.
_TEMPORARY: tuple[tuple[type[errors.FarthingError], str, int | None], ...] = (
    (errors.Overloaded, _OVERLOADED, 5),
    (errors.DiskFull, _FULL, 60),
    (errors.ReadOnly, _READ_ONLY, 60),
    (errors.Locked, _LOCKED, 5),
    (errors.FileGone, _FILE_GONE, 60),
    (errors.Damaged, _DAMAGED, None),
    (errors.StorageRefused, _CONTENTS, 60),
    (errors.ContentsUnavailable, _CONTENTS, 5),
    (errors.Unavailable, _GONE, 5),
)
# The error, its status, the name that clients see, and the message if it is always the same.
_ANSWERS: tuple[tuple[type[errors.FarthingError], int, str, str | None], ...] = (
    (errors.Unauthenticated, 401, "AuthenticationException", "Unauthenticated"),
    (errors.Forbidden, 403, "AuthorizationException", None),
    (errors.Forged, 403, "CsrfTokenMismatchException", None),
    (errors.TooLong, 429, "TooManyRequestsHttpException", None),
    (errors.TooMany, 429, "TooManyRequestsHttpException", None),
    (errors.Departed, 499, "ClientClosedRequestException", None),
    (errors.NotFound, 404, "NotFoundHttpException", "Resource not found"),
    (errors.Gone, 410, "GoneHttpException", None),
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
    *((error, 503, _UNAVAILABLE, message) for error, message, _ in _TEMPORARY),
)
_RETRY_S = {error: seconds for error, _, seconds in _TEMPORARY}
STATUSES = {error: status for error, status, _, _ in _ANSWERS} | {errors.Invalid: 422}


def answer_to(
    error: errors.FarthingError, meta: dict[str, Any] | None = None, *, version: ApiVersion = ApiVersion.V1
) -> Answer:
    """Turns an error into its answer. `meta` adds details if fields are invalid or missing.

    Clients of version 6 show people only the message, so it is the first problem.
    """
    if isinstance(error, errors.Invalid):
        first = "The given data was invalid." if version is ApiVersion.V1 else error.problems[0].message
        document = Problems(first, by_field(error.problems), meta or UNSET)
        return Answer(document, 422, _JSON)
    for kind, status, name, message in _ANSWERS:
        if isinstance(error, kind):
            return Answer(Failure(message or str(error), name), status, _JSON, _headers(error, kind))
    raise error


def answer_field(field: str, message: str) -> Answer:
    """Returns the answer to an invalid field. Raising the error would undo what the handler has written so far."""
    return answer_to(errors.Invalid([errors.Problem(field, message)]))


def _headers(error: errors.FarthingError, kind: type[errors.FarthingError]) -> tuple[tuple[str, str], ...]:
    if kind is errors.Unauthenticated:
        return (("www-authenticate", "Bearer"),)
    seconds = error.retry_after_s if isinstance(error, errors.TooMany) else _RETRY_S.get(kind)
    return (("retry-after", str(seconds)),) if seconds is not None else ()


def by_field(problems: Iterable[errors.Problem]) -> dict[str, list[str]]:
    sentences: dict[str, list[str]] = {}
    for problem in problems:
        messages = sentences.setdefault(problem.field, [])
        if problem.message not in messages:
            messages.append(problem.message)
    return sentences


def wrong_method(allowed: list[str]) -> Answer:
    message = f"This address only supports {', '.join(allowed)}."
    return Answer(Failure(message, "MethodNotAllowedHttpException"), 405, _JSON, (("allow", ", ".join(allowed)),))


def not_ready(message: str) -> Answer:
    return Answer(Failure(message, _UNAVAILABLE), 503, _JSON, _headers(errors.Unavailable(), errors.Unavailable))


def crash(request_id: str) -> Answer:
    """Returns the answer to a request that failed because of a bug. The details are only in the log."""
    message = f"Internal error. The server's log has the details under the request id {request_id}."
    return Answer(Failure(message, "InternalError", request_id), 500, _JSON)


def answer_app(error: str, description: str, *, is_unknown: bool, asks_basic: bool) -> Answer:
    """Answers an app as RFC 6749 prescribes. `asks_basic` is true if the app tried to authenticate by HTTP Basic."""
    headers = (("pragma", "no-cache"), *((("www-authenticate", 'Basic realm="Farthing"'),) if asks_basic else ()))
    return Answer(AppFailure(error, description), 401 if is_unknown else 400, _JSON, headers)


def redirect(address: str) -> Answer:
    return Answer(None, 302, headers=(("location", address), ("content-length", "0"), ("cache-control", "no-store")))
