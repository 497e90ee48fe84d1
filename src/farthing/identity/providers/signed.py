"""Checks the signed tokens of providers: who signed them, for whom, and when.

Authlib and joserfc are imported late: most processes never need them, and they take a tenth of a second.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from farthing.kernel.errors import FarthingError
from farthing.kernel.settings.providers import Provider

from .documents import Documents, Metadata

# Only signatures by keys that we cannot have: never `none`, and no secret that could be mistaken for a public key.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
# Clocks differ.
LEEWAY_S = 120
# A token of sign-out is sent at once.
_SIGN_OUT_LASTS_S = 600
_SIGNED_OUT = "http://schemas.openid.net/event/backchannel-logout"


class BadToken(FarthingError):
    """The message is for the log."""


def read_id_token(
    text: str, provider: Provider, documents: Documents, *, nonce: str, access_token: str | None, now: str
) -> Mapping[str, Any]:
    """Its claims."""
    from authlib.oidc.core import CodeIDToken
    from joserfc.errors import JoseError

    header, claims = _open(text, documents, may_ask=True)
    metadata = documents.metadata()
    params = {"nonce": nonce, "client_id": provider.client_id, "access_token": access_token}
    checked = CodeIDToken(claims, header, _expected(metadata, provider), params)
    try:
        checked.validate(now=_seconds(now), leeway=LEEWAY_S)
    except (JoseError, TypeError, ValueError) as error:
        raise BadToken(f"the id token is not right: {error}") from error
    _require_text(claims, "sub")
    return claims


def read_sign_out_token(text: str, provider: Provider, documents: Documents, *, now: str) -> Mapping[str, Any]:
    """Its claims: `sub`, `sid`, or both."""
    from joserfc.errors import JoseError
    from joserfc.jwt import JWTClaimsRegistry

    _, claims = _open(text, documents, may_ask=documents.may_ask_again())
    expected: Any = _expected(documents.metadata(), provider) | {"iat": {"essential": True}}
    try:
        JWTClaimsRegistry(_seconds(now), LEEWAY_S, **expected).validate(dict(claims))
    except (JoseError, TypeError, ValueError) as error:
        raise BadToken(f"the logout token is not right: {error}") from error
    events = claims.get("events")
    if "nonce" in claims or not isinstance(events, dict) or _SIGNED_OUT not in events:
        raise BadToken("the token is not one of signing out")
    if not isinstance(claims["iat"], int) or claims["iat"] < _seconds(now) - _SIGN_OUT_LASTS_S:
        raise BadToken("the logout token is too old")
    _require_text(claims, *([name for name in ("sub", "sid") if name in claims] or ["sub"]))
    return claims


def find_issuer(text: str) -> str:
    """Who a token says it is from; nothing about it has been checked."""
    from joserfc import jws
    from joserfc.errors import JoseError

    try:
        claims = msgspec.json.decode(jws.extract_compact(text.encode()).payload)
        return str(claims["iss"])
    except (JoseError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadToken("this is not a signed token") from error


def _expected(metadata: Metadata, provider: Provider) -> dict[str, Any]:
    return {
        "iss": {"essential": True, "value": metadata.issuer},
        "aud": {"essential": True, "value": provider.client_id},
    }


def _open(text: str, documents: Documents, *, may_ask: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the claims, if one of the provider's keys has signed them; asks for new keys once."""
    found = _verify(text, documents.keys())
    if found is None and may_ask:
        found = _verify(text, documents.keys(anew=True))
    if found is None:
        raise BadToken("no key of the provider has signed the token")
    return found


def _verify(text: str, keys: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    from joserfc import jws, jwt
    from joserfc.errors import JoseError

    try:
        header = jws.extract_compact(text.encode()).headers()
    except (JoseError, ValueError) as error:
        raise BadToken("the token cannot be read") from error
    for key in _candidates(keys, header.get("kid")):
        try:
            token = jwt.decode(text, key, algorithms=ALGORITHMS)
        except (JoseError, ValueError, TypeError):
            continue
        return dict(token.header), dict(token.claims)
    return None


def _candidates(keys: list[dict[str, Any]], kid: object) -> list[Any]:
    """Public keys for signatures; the one that the token names, if it names one."""
    from joserfc.errors import JoseError
    from joserfc.jwk import JWKRegistry

    found = []
    for key in keys:
        if key.get("kty") not in ("RSA", "EC", "OKP") or key.get("use", "sig") != "sig":
            continue
        if kid is not None and key.get("kid") != kid:
            continue
        try:
            found.append(JWKRegistry.import_key(key))
        except (JoseError, ValueError, TypeError, KeyError):
            continue  # of a kind that we do not know
    return found


def _require_text(claims: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if not isinstance(claims.get(name), str) or not 0 < len(claims[name]) <= 255:
            raise BadToken(f"the claim {name} must be a text of up to 255 characters")


def _seconds(now: str) -> int:
    return int(datetime.fromisoformat(now).timestamp())
