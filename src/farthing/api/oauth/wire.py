"""Reads what apps send to `/oauth/token` and `/oauth/revoke`, and shows the tokens issued to them."""

import base64
import binascii
from collections.abc import Mapping
from urllib.parse import unquote_plus

from msgspec import Struct

from farthing.identity.apps.grants import IssuedTokens

_CHARACTERS_MAX = 4000


class Credentials(Struct, frozen=True):
    """Holds the id and the secret with which an app authenticates."""

    client_id: str
    secret: str


class TokenAnswer(Struct, gc=False):
    token_type: str
    expires_in: int
    access_token: str
    refresh_token: str
    scope: str


class ServerMetadata(Struct, gc=False):
    """Describes the authorization server, as RFC 8414 defines it."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    scopes_supported: list[str]
    response_types_supported: list[str]
    response_modes_supported: list[str]
    grant_types_supported: list[str]
    token_endpoint_auth_methods_supported: list[str]
    revocation_endpoint_auth_methods_supported: list[str]
    code_challenge_methods_supported: list[str]
    authorization_response_iss_parameter_supported: bool
    service_documentation: str


def read(fields: Mapping[str, object], name: str) -> str:
    """Returns a field as text, or an empty text if it is missing, too long, or neither text nor a number.

    A number is an id that was sent without quotes.
    """
    value = fields.get(name)
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return text if len(text) <= _CHARACTERS_MAX else ""


def read_credentials(authorization: str, fields: Mapping[str, object]) -> Credentials | None:
    """Reads the id and the secret of an app from the Authorization header or from the body.

    Returns None if they are malformed, or if header and body both contain a secret or contain different ids.
    """
    scheme, _, encoded = authorization.partition(" ")
    in_body = Credentials(read(fields, "client_id"), read(fields, "client_secret"))
    if scheme.lower() != "basic":
        return in_body
    try:
        name, colon, secret = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    credentials = Credentials(unquote_plus(name), unquote_plus(secret))
    if not colon or in_body.secret or in_body.client_id not in ("", credentials.client_id):
        return None
    return credentials


def show(issued: IssuedTokens) -> TokenAnswer:
    return TokenAnswer(
        token_type="Bearer",  # noqa: S106 -- the kind, not the token
        expires_in=issued.seconds,
        access_token=issued.access_token,
        refresh_token=issued.refresh_token,
        scope=issued.scopes,
    )
