"""Describes the addresses outside the API that need no token: OAuth 2.0, which follows its own RFCs, and the service
itself.
"""

from typing import Any

from farthing.identity.scopes import SCOPES, describe

from .components import failures_of_service, refer

TAG = "service"
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_TEXT = {"type": "string"}
_CLIENT = {
    "client_id": _TEXT,
    "client_secret": {
        **_TEXT,
        "description": "The id and the secret may also be sent with HTTP Basic. Public apps have no secret.",
    },
}
_TOKEN_BODY = {
    "type": "object",
    "required": ["grant_type"],
    "properties": {
        "grant_type": {"type": "string", "enum": ["authorization_code", "refresh_token"]},
        **_CLIENT,
        "code": _TEXT,
        "redirect_uri": {
            **_TEXT,
            "description": "Required if the authorization request had a `redirect_uri`, and must be the same.",
        },
        "code_verifier": {**_TEXT, "description": "The PKCE code verifier."},
        "refresh_token": _TEXT,
        "scope": _TEXT,
    },
}
_REVOKE_BODY = {
    "type": "object",
    "required": ["token"],
    "properties": {**_CLIENT, "token": {**_TEXT, "description": "An access token or a refresh token."}},
}
_TOKENS = {
    "type": "object",
    "required": ["token_type", "expires_in", "access_token", "refresh_token", "scope"],
    "properties": {
        "token_type": _TEXT,
        "expires_in": {"type": "integer", "description": "Seconds until the access token expires."},
        "access_token": _TEXT,
        "refresh_token": _TEXT,
        "scope": _TEXT,
    },
}
_ERROR = {
    "type": "object",
    "required": ["error", "error_description"],
    "properties": {"error": _TEXT, "error_description": _TEXT},
}
_METADATA = {"type": "object", "required": ["issuer"], "properties": {"issuer": _TEXT}}
OAUTH = {
    "type": "oauth2",
    "description": "Third-party apps get their tokens here (see docs/api/apps.md), and send them like any other token.",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "../oauth/authorize",
            "tokenUrl": "../oauth/token",
            "refreshUrl": "../oauth/token",
            "scopes": {scope: describe(scope) for scope in SCOPES},
        }
    },
}


def paths(healthy: dict[str, Any]) -> dict[str, Any]:
    """Describes the addresses of OAuth 2.0 and of the service. `healthy` is the schema of a successful health check.

    The metrics need a token, unless they are read from this machine.
    """
    works = {"200": _content("It works.", healthy)}
    unavailable = {"503": refer("Unavailable")}
    figures = {"200": _content("One line per metric.", _TEXT, "text/plain"), **unavailable}
    figures |= {"401": refer("Unauthenticated"), "403": refer("Forbidden")}
    metrics = _get("metrics", "Show metrics for Prometheus", figures)["get"]
    contact = {"200": _content("A file as RFC 9116 defines it.", _TEXT, "text/plain"), "404": refer("NotFound")}
    document = {"200": _content("An OpenAPI 3.1 document.", {"type": "object"})}
    page = {"200": _content("An HTML page.", _TEXT, "text/html")}
    to_page = {"302": {"description": "Redirects to the page of the web app that asks for consent."}}
    metadata = {"200": _content("The metadata that RFC 8414 defines.", _METADATA)}
    tokens = {"200": _content("The tokens.", _TOKENS)}
    revoked = {"200": {"description": "The token has been revoked, or was never valid."}}
    return {
        "/livez": _get("live", "Check that the server answers", works, any_host=True),
        "/readyz": _get("ready", "Check the database and its schema", works | unavailable, any_host=True),
        "/health": _get("health", "Check that the database answers", works | unavailable, any_host=True),
        "/metrics": {"get": metrics | {"security": [{}, {"token": []}]}},
        "/.well-known/security.txt": _get(
            "security", "Show where to report a vulnerability, if this is configured", contact
        ),
        "/api/openapi.json": _get("openapi", "Show this document", document),
        "/api/docs": _get("reference", "Show this document as a web page", page),
        "/oauth/authorize": _get("authorize", "Ask a user to authorize an app", to_page),
        "/oauth/token": {"post": _post("give_token", "Issue or renew the tokens of an app", _TOKEN_BODY, tokens)},
        "/oauth/revoke": {"post": _post("revoke", "Revoke the access of an app", _REVOKE_BODY, revoked)},
        "/.well-known/oauth-authorization-server": _get(
            "oauth", "Describe the OAuth endpoints and what they support", metadata
        ),
    }


def _get(name: str, summary: str, answers: dict[str, Any], *, any_host: bool = False) -> dict[str, Any]:
    return {"get": _operation(name, summary, answers, any_host=any_host)}


def _post(name: str, summary: str, body: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    failed = {
        "400": _content("The request, the code or the token is invalid.", _ERROR),
        "401": _content("There is no such app, or its secret is wrong.", _ERROR),
        "408": refer("TooSlow"),
        "429": refer("TooMany"),
    }
    form = {"required": True, "content": {_FORM: {"schema": body}}}
    return {**_operation(name, summary, answers | failed), "requestBody": form}


def _operation(name: str, summary: str, answers: dict[str, Any], *, any_host: bool = False) -> dict[str, Any]:
    return {
        "operationId": f"{TAG}.{name}",
        "summary": summary,
        "tags": [TAG],
        "security": [],
        "responses": dict(sorted((failures_of_service(any_host=any_host) | answers).items())),
    }


def _content(about: str, schema: dict[str, Any], media_type: str = _JSON) -> dict[str, Any]:
    return {"description": about, "content": {media_type: {"schema": schema}}}
