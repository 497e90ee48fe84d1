"""Says in the OpenAPI document who may call: a token, or a session."""

from farthing.identity.scopes import READ, WRITE

from ..request.cookies import SESSION
from ..route import Route

_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API token, as `farthing token create EMAIL` prints it. One that may only read gets 403 else.",
}
_SESSION = {
    "type": "apiKey",
    "in": "cookie",
    "name": SESSION,
    "description": "What signing in leaves in the browser. Over TLS `__Host-` may stand before its name.",
}
_CSRF = {
    "type": "apiKey",
    "in": "header",
    "name": "X-CSRF-Token",
    "description": "The `csrf_token` of the session; a page proves with it that it is ours.",
}


def need(route: Route) -> list[dict[str, list[str]]]:
    """What one operation takes: a token with these scopes or without any, or a session."""
    may = WRITE if route.is_unsafe and not route.only_reads else READ
    return [{"token": [f"{group}:{may}" for group in route.groups]}, (_TO_CHANGE if route.is_unsafe else TO_READ)[1]]


TO_READ: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
_TO_CHANGE: list[dict[str, list[str]]] = [{"token": []}, {"session": [], "csrf": []}]
SECURITY_SCHEMES = {"token": _BEARER, "session": _SESSION, "csrf": _CSRF}
