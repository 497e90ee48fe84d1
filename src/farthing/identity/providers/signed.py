"""Checks the signed tokens of providers: who signed them, for whom, and when.

Authlib and joserfc are imported late, because most processes never need them and the import takes a tenth of a second.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from farthing.kernel.errors import FarthingError
from farthing.kernel.settings.providers import Provider

from .documents import Documents, ProviderMetadata

# Only asymmetric signatures. `none` proves nothing, and a public key could be passed off as a symmetric secret.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
# Clocks of servers differ.
LEEWAY_S = 120
# Providers send logout tokens immediately, so older ones are refused.
_SIGN_OUT_LASTS_S = 600
_SIGNED_OUT = "http://schemas.openid.net/event/backchannel-logout"


class BadToken(FarthingError):
    """The token is invalid. The message is only for the log."""


def read_id_token(
    text: str, provider: Provider, documents: Documents, *, nonce: str, access_token: str | None, now: str
) -> Mapping[str, Any]:
    """Checks an id token and returns its claims."""
    from authlib.oidc.core import CodeIDToken
    from joserfc.errors import JoseError

    header, claims = _open(text, documents, may_ask=True)
    metadata = documents.metadata()
    params = {"nonce": nonce, "client_id": provider.client_id, "access_token": access_token}
    checked = CodeIDToken(claims, header, _expected(metadata, provider), params)
    try:
        checked.validate(now=_seconds(now), leeway=LEEWAY_S)
    except (JoseError, TypeError, ValueError) as error:
        raise BadToken(f"the id token is invalid: {error}") from error
    _require_text(claims, "sub")
    return claims


def read_sign_out_token(text: str, provider: Provider, documents: Documents, *, now: str) -> Mapping[str, Any]:
    """Checks a logout token and returns its claims, among them `sub`, `sid` or both."""
    from joserfc.errors import JoseError
    from joserfc.jwt import JWTClaimsRegistry

    _, claims = _open(text, documents, may_ask=documents.may_ask_again())
    expected: Any = _expected(documents.metadata(), provider) | {"iat": {"essential": True}}
    try:
        JWTClaimsRegistry(_seconds(now), LEEWAY_S, **expected).validate(dict(claims))
    except (JoseError, TypeError, ValueError) as error:
        raise BadToken(f"the logout token is invalid: {error}") from error
    events = claims.get("events")
    if "nonce" in claims or not isinstance(events, dict) or _SIGNED_OUT not in events:
        raise BadToken("the token is not a logout token")
    if not isinstance(claims["iat"], int) or claims["iat"] < _seconds(now) - _SIGN_OUT_LASTS_S:
        raise BadToken("the logout token is too old")
    _require_text(claims, *([name for name in ("sub", "sid") if name in claims] or ["sub"]))
    return claims


def find_issuer(text: str) -> str:
    """Returns the issuer that a token names. Do not trust it yet, because nothing has been checked."""
    from joserfc import jws
    from joserfc.errors import JoseError

    try:
        claims = msgspec.json.decode(jws.extract_compact(text.encode()).payload)
        return str(claims["iss"])
    except (JoseError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadToken("this is not a signed token") from error


def _expected(metadata: ProviderMetadata, provider: Provider) -> dict[str, Any]:
    return {
        "iss": {"essential": True, "value": metadata.issuer},
        "aud": {"essential": True, "value": provider.client_id},
    }


def _open(text: str, documents: Documents, *, may_ask: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the header and the claims of a token that the provider has signed. Raises BadToken for any other token.

    With `may_ask`, the provider's keys are fetched again if none of the known keys fits.
    """
    opened = _verify(text, documents.keys())
    if opened is None and may_ask:
        opened = _verify(text, documents.keys(anew=True))
    if opened is None:
        raise BadToken("no key of the provider has signed the token")
    return opened


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
    """Returns the public keys that may have signed a token. If the token names its key by `kid`, only that key."""
    from joserfc.errors import JoseError
    from joserfc.jwk import JWKRegistry

    candidates = []
    for key in keys:
        if key.get("kty") not in ("RSA", "EC", "OKP") or key.get("use", "sig") != "sig":
            continue
        if kid is not None and key.get("kid") != kid:
            continue
        try:
            candidates.append(JWKRegistry.import_key(key))
        except (JoseError, ValueError, TypeError, KeyError):
            continue  # an unsupported kind of key
    return candidates


def _require_text(claims: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if not isinstance(claims.get(name), str) or not 0 < len(claims[name]) <= 255:
            raise BadToken(f"the claim {name} must be a text of up to 255 characters")


def _seconds(now: str) -> int:
    return int(datetime.fromisoformat(now).timestamp())
