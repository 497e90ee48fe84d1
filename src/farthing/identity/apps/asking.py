"""What an app asks for when it sends somebody here, and what is wrong with it (RFC 6749, RFC 7636, RFC 9207)."""

import re
from enum import StrEnum

from msgspec import Struct

from ..scopes import SCOPES, everything, tidy
from .model import App, add_to_query, is_registered

# The only one that does not hand the proof itself to whoever sees the request.
CHALLENGE_METHOD = "S256"
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class OAuthError(StrEnum):
    """The names that RFC 6749 gives to what is wrong."""

    INVALID_REQUEST = "invalid_request"
    INVALID_CLIENT = "invalid_client"
    INVALID_GRANT = "invalid_grant"
    INVALID_SCOPE = "invalid_scope"
    UNSUPPORTED_RESPONSE_TYPE = "unsupported_response_type"
    UNSUPPORTED_GRANT_TYPE = "unsupported_grant_type"
    ACCESS_DENIED = "access_denied"


class Refusal(Struct, frozen=True):
    """For the app and its developer."""

    error: OAuthError
    description: str


class AppRequest(Struct, frozen=True, kw_only=True):
    """As the app wrote it; empty where it left something out."""

    client_id: str = ""
    redirect_uri: str = ""
    response_type: str = ""
    scope: str = ""
    state: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


NAMES = AppRequest.__struct_fields__


def find_redirect(app: App, asked: AppRequest) -> str | None:
    """Where the answer goes. None if the app is not known there: then nobody is sent anywhere."""
    if not asked.redirect_uri:
        return app.redirects[0] if len(app.redirects) == 1 else None
    return asked.redirect_uri if is_registered(app, asked.redirect_uri) else None


def find_refusal(app: App, asked: AppRequest) -> Refusal | None:
    if not asked.response_type:
        return Refusal(OAuthError.INVALID_REQUEST, "response_type is missing: it must be code")
    if asked.response_type != "code":
        return Refusal(OAuthError.UNSUPPORTED_RESPONSE_TYPE, "response_type must be code")
    unknown = [scope for scope in asked.scope.split() if scope not in SCOPES]
    if unknown:
        return Refusal(OAuthError.INVALID_SCOPE, f"there is no scope {_printable(unknown[0])}")
    return _find_wrong_challenge(app, asked)


def _find_wrong_challenge(app: App, asked: AppRequest) -> Refusal | None:
    if not asked.code_challenge and not asked.code_challenge_method and not app.is_public:
        return None
    if not asked.code_challenge:
        return Refusal(OAuthError.INVALID_REQUEST, "code_challenge is missing: an app without a secret needs PKCE")
    if asked.code_challenge_method != CHALLENGE_METHOD:
        return Refusal(OAuthError.INVALID_REQUEST, f"code_challenge_method must be {CHALLENGE_METHOD}")
    if not _CHALLENGE.fullmatch(asked.code_challenge):
        return Refusal(OAuthError.INVALID_REQUEST, "code_challenge must be a SHA-256 in base64url, without padding")
    return None


def _printable(text: str) -> str:
    """Only what RFC 6749 allows in a description."""
    return re.sub(r"[^ !#-\[\]-~]", "?", text[:50])


def scopes_of(asked: AppRequest) -> str:
    """Apps from before there were scopes ask for none, and need everything."""
    return tidy(asked.scope.split()) or everything()


def answer_with_code(redirect: str, asked: AppRequest, code: str, issuer: str) -> str:
    return _answer(redirect, {"code": code}, asked, issuer)


def answer_with_refusal(redirect: str, asked: AppRequest, refusal: Refusal, issuer: str) -> str:
    return _answer(redirect, {"error": refusal.error.value, "error_description": refusal.description}, asked, issuer)


def _answer(redirect: str, given: dict[str, str], asked: AppRequest, issuer: str) -> str:
    """`iss` tells the app which server answers, should it know several (RFC 9207)."""
    return add_to_query(redirect, given | ({"state": asked.state} if asked.state else {}) | {"iss": issuer})
