"""Checks and answers authorization requests of apps (RFC 6749, RFC 7636, RFC 9207)."""

import re
from enum import StrEnum

from msgspec import Struct

from ..scopes import SCOPES, everything, tidy
from .model import App, add_to_query, is_registered

# The only method with which a request does not reveal the code verifier.
CHALLENGE_METHOD = "S256"
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class OAuthError(StrEnum):
    INVALID_REQUEST = "invalid_request"
    INVALID_CLIENT = "invalid_client"
    INVALID_GRANT = "invalid_grant"
    INVALID_SCOPE = "invalid_scope"
    UNSUPPORTED_RESPONSE_TYPE = "unsupported_response_type"
    UNSUPPORTED_GRANT_TYPE = "unsupported_grant_type"
    ACCESS_DENIED = "access_denied"


class OAuthRefusal(Struct, frozen=True):
    error: OAuthError
    description: str


class AppRequest(Struct, frozen=True, kw_only=True):
    """Holds the parameters of the request, as the app sent them. Omitted parameters are empty."""

    client_id: str = ""
    redirect_uri: str = ""
    response_type: str = ""
    scope: str = ""
    state: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


NAMES = AppRequest.__struct_fields__


def find_redirect(app: App, request: AppRequest) -> str | None:
    """Returns the address to which the answer is sent, or None if the requested address is not registered.

    In the latter case, the person must not be redirected anywhere.
    """
    if not request.redirect_uri:
        return app.addresses[0] if len(app.addresses) == 1 else None
    return request.redirect_uri if is_registered(app, request.redirect_uri) else None


def find_refusal(app: App, request: AppRequest) -> OAuthRefusal | None:
    if not request.response_type:
        return OAuthRefusal(OAuthError.INVALID_REQUEST, "response_type is missing: it must be code")
    if request.response_type != "code":
        return OAuthRefusal(OAuthError.UNSUPPORTED_RESPONSE_TYPE, "response_type must be code")
    unknown = [scope for scope in request.scope.split() if scope not in SCOPES]
    if unknown:
        return OAuthRefusal(OAuthError.INVALID_SCOPE, f"there is no scope {_printable(unknown[0])}")
    return _find_wrong_challenge(app, request)


def _find_wrong_challenge(app: App, request: AppRequest) -> OAuthRefusal | None:
    if not request.code_challenge and not request.code_challenge_method and not app.is_public:
        return None
    if not request.code_challenge:
        return OAuthRefusal(OAuthError.INVALID_REQUEST, "code_challenge is missing: an app without a secret needs PKCE")
    if request.code_challenge_method != CHALLENGE_METHOD:
        return OAuthRefusal(OAuthError.INVALID_REQUEST, f"code_challenge_method must be {CHALLENGE_METHOD}")
    if not _CHALLENGE.fullmatch(request.code_challenge):
        return OAuthRefusal(
            OAuthError.INVALID_REQUEST, "code_challenge must be a SHA-256 in base64url, without padding"
        )
    return None


def _printable(text: str) -> str:
    """Keeps only characters that RFC 6749 allows in a description."""
    return re.sub(r"[^ !#-\[\]-~]", "?", text[:50])


def scopes_of(request: AppRequest) -> str:
    """Returns the requested scopes, or all scopes if the app asks for none, because older apps do not know scopes."""
    return tidy(request.scope.split()) or everything()


def answer_with_code(redirect: str, request: AppRequest, code: str, issuer: str) -> str:
    return _answer(redirect, {"code": code}, request, issuer)


def answer_with_refusal(redirect: str, request: AppRequest, refusal: OAuthRefusal, issuer: str) -> str:
    return _answer(redirect, {"error": refusal.error.value, "error_description": refusal.description}, request, issuer)


def _answer(redirect: str, parameters: dict[str, str], request: AppRequest, issuer: str) -> str:
    """Returns the address with the answer. It includes `iss`, which says which server answers (RFC 9207)."""
    return add_to_query(redirect, parameters | ({"state": request.state} if request.state else {}) | {"iss": issuer})
