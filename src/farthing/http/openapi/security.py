"""Says in the OpenAPI document who may call: a token, or a session."""

from ..request.cookies import SESSION

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
TO_READ: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
TO_CHANGE: list[dict[str, list[str]]] = [{"token": []}, {"session": [], "csrf": []}]
SECURITY_SCHEMES = {"token": _BEARER, "session": _SESSION, "csrf": _CSRF}
