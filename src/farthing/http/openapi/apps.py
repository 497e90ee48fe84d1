"""The addresses of OAuth 2.0 in the OpenAPI document; they stand beside the API, and speak the words of their RFCs."""

from typing import Any

from farthing.identity.scopes import SCOPES, describe

from .failures import failures_of_service, refer

_TAG = "service"
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_TEXT = {"type": "string"}
_WHO = {"client_id": _TEXT, "client_secret": {**_TEXT, "description": "Or both by HTTP Basic. Public apps have none."}}
_TOKEN_BODY = {
    "type": "object",
    "required": ["grant_type"],
    "properties": {
        "grant_type": {"type": "string", "enum": ["authorization_code", "refresh_token"]},
        **_WHO,
        "code": _TEXT,
        "redirect_uri": {**_TEXT, "description": "As in the request, if it was there."},
        "code_verifier": {**_TEXT, "description": "Of PKCE."},
        "refresh_token": _TEXT,
        "scope": _TEXT,
    },
}
_REVOKE_BODY = {
    "type": "object",
    "required": ["token"],
    "properties": {**_WHO, "token": {**_TEXT, "description": "An access token or a refresh token."}},
}
_TOKENS = {
    "type": "object",
    "required": ["token_type", "expires_in", "access_token", "refresh_token", "scope"],
    "properties": {
        "token_type": _TEXT,
        "expires_in": {"type": "integer", "description": "Seconds."},
        "access_token": _TEXT,
        "refresh_token": _TEXT,
        "scope": _TEXT,
    },
}
_WRONG = {
    "type": "object",
    "required": ["error", "error_description"],
    "properties": {"error": _TEXT, "error_description": _TEXT},
}
_DESCRIBED = {"type": "object", "required": ["issuer"], "properties": {"issuer": _TEXT}}
OAUTH = {
    "type": "oauth2",
    "description": "Apps of others get their tokens here; see docs/api/apps.md. They are sent as any other token.",
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
    to_page = {"302": {"description": "The page of the web app that asks the person."}}
    described = {"200": _content("RFC 8414.", _DESCRIBED)}
    given = {"200": _content("The tokens.", _TOKENS)}
    ended = {"200": {"description": "It counts no longer, if it ever did."}}
    return {
        "/oauth/authorize": {"get": _operation("authorize", "Ask somebody to let an app in", to_page)},
        "/oauth/token": {"post": _post("give_token", "Give or renew the tokens of an app", _TOKEN_BODY, given)},
        "/oauth/revoke": {"post": _post("revoke", "End the access of an app", _REVOKE_BODY, ended)},
        "/.well-known/oauth-authorization-server": {
            "get": _operation("oauth", "Say where apps find what, and what is supported", described)
        },
    }


def _post(name: str, summary: str, body: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    wrong = {
        "400": _content("Something is wrong with the request, the code or the token.", _WRONG),
        "401": _content("There is no such app, or its secret is wrong.", _WRONG),
        "408": refer("TooSlow"),
        "429": refer("TooMany"),
    }
    taken = {"required": True, "content": {_FORM: {"schema": body}}}
    return {**_operation(name, summary, answers | wrong), "requestBody": taken}


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
