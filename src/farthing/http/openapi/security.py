"""Describes who may call an operation: a token or a session."""

from farthing.identity.scopes import READ, WRITE

from ..request.cookies import SESSION
from ..route import Route

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
