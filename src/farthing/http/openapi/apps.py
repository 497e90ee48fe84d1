"""Describes the addresses of OAuth 2.0, which are not part of the API and follow their own RFCs."""

from typing import Any

from farthing.identity.scopes import SCOPES, describe

from .failures import failures_of_service, refer

_TAG = "service"
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_TEXT = {"type": "string"}
_CLIENT = {
    "client_id": _TEXT,
    "client_secret": {
        **_TEXT,
        "description": "Id and secret may also be sent by HTTP Basic. Public apps have no secret.",
    },
}
_TOKEN_BODY = {
    "type": "object",
    "required": ["grant_type"],
    "properties": {
        "grant_type": {"type": "string", "enum": ["authorization_code", "refresh_token"]},
        **_CLIENT,
        "code": _TEXT,
        "redirect_uri": {**_TEXT, "description": "Must be repeated if the authorization request had it."},
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
    "description": "Third-party apps get their tokens here; see docs/api/apps.md. They are sent like any other token.",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "../oauth/authorize",
            "tokenUrl": "../oauth/token",
            "refreshUrl": "../oauth/token",
            "scopes": {scope: describe(scope) for scope in SCOPES},
        }
    },
}


def paths() -> dict[str, Any]:
    to_page = {"302": {"description": "Redirects to the page of the web app that asks for consent."}}
    metadata = {"200": _content("The metadata that RFC 8414 defines.", _METADATA)}
    tokens = {"200": _content("The tokens.", _TOKENS)}
    revoked = {"200": {"description": "The token is revoked, or never was valid."}}
    return {
        "/oauth/authorize": {"get": _operation("authorize", "Ask a user to authorize an app", to_page)},
        "/oauth/token": {"post": _post("give_token", "Issue or renew the tokens of an app", _TOKEN_BODY, tokens)},
        "/oauth/revoke": {"post": _post("revoke", "Revoke the access of an app", _REVOKE_BODY, revoked)},
        "/.well-known/oauth-authorization-server": {
            "get": _operation("oauth", "Describe the OAuth endpoints and what they support", metadata)
        },
    }


def _post(name: str, summary: str, body: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    failed = {
        "400": _content("The request, the code or the token is invalid.", _ERROR),
        "401": _content("There is no such app, or its secret is wrong.", _ERROR),
        "408": refer("TooSlow"),
        "429": refer("TooMany"),
    }
    form = {"required": True, "content": {_FORM: {"schema": body}}}
    return {**_operation(name, summary, answers | failed), "requestBody": form}


def _operation(name: str, summary: str, answers: dict[str, Any]) -> dict[str, Any]:
    return {
        "operationId": f"{_TAG}.{name}",
        "summary": summary,
        "tags": [_TAG],
        "security": [],
        "responses": dict(sorted((failures_of_service(any_host=False) | answers).items())),
    }


def _content(about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {_JSON: {"schema": schema}}}
