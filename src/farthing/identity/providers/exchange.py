"""Signs users in with a provider: sends them there, and checks the answer of the provider.

Authlib's client implements the authorization code flow with PKCE. All its requests go through `kernel.outgoing`.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from farthing.kernel.settings.providers import Provider

from . import signed
from .documents import Documents, ProviderFailed, ProviderMetadata, documents_of, fetch, request
from .sessions import ProviderSession
from .signed import BadToken
from .states import RoundTrip


class Proof(Struct, frozen=True, kw_only=True):
    """Holds checked facts about a user. `email` is empty if the provider does not send it."""

    issuer: str
    subject: str
    email: str
    is_email_verified: bool
    groups: tuple[str, ...]
    session_name: str | None
    sign_out_url: str | None

    @property
    def session(self) -> ProviderSession:
        return ProviderSession(issuer=self.issuer, name=self.session_name, sign_out_url=self.sign_out_url)


class NotProved(Struct, frozen=True, kw_only=True):
    """Says why a sign-in failed. `sentence` is for the person who wants to sign in, `reason` for the operator's log."""

    sentence: str
    reason: str


class SignOutOrder(Struct, frozen=True, kw_only=True):
    """Reports that a user has signed out at a provider, either of one session or of all sessions."""

    issuer: str
    subject: str | None
    session_name: str | None


_GROUPS_MAX, _EMAIL_CHARACTERS_MAX = 1000, 255


class Departing(Struct, frozen=True, kw_only=True):
    """Holds what is needed to send somebody to a provider and back to `callback`."""

    provider: Provider
    trip: RoundTrip
    callback: str


class Arrival(Struct, frozen=True, kw_only=True):
    """Holds the answer of a provider. `issuer` and `error` are parameters that the provider added to the address."""

    provider: Provider
    trip: RoundTrip
    callback: str
    code: str
    issuer: str | None
    error: str | None
    now: str


class SignOutQuestion(Struct, frozen=True, kw_only=True):
    providers: tuple[Provider, ...]
    token: str
    now: str


class _Refused(Exception):
    """The answer is not what the provider should have sent."""


def depart(departing: Departing) -> tuple[str, str] | NotProved:
    """Returns the provider's address for the sign-in, and the secret that the browser must keep until it returns."""
    try:
        metadata = documents_of(departing.provider.issuer).metadata()
    except ProviderFailed as error:
        return _away(departing.provider, error)
    client = _client(departing.provider, metadata, departing.callback)
    address, _ = client.create_authorization_url(
        metadata.authorization_endpoint,
        state=departing.trip.state,
        code_verifier=departing.trip.verifier,
        nonce=departing.trip.nonce,
    )
    return str(address), departing.trip.browser


def check_arrival(arrived: Arrival) -> Proof | NotProved:
    provider, documents = arrived.provider, documents_of(arrived.provider.issuer)
    if arrived.error:
        return _refused(provider, f"{provider.key} answered with the error {arrived.error[:100]!r}")
    try:
        metadata = documents.metadata()
        _refuse_mix_up(arrived, metadata)
        return _prove(arrived, documents, metadata)
    except ProviderFailed as error:
        return _away(provider, error)
    except (BadToken, _Refused) as error:
        return _refused(provider, f"{provider.key}: {error}")


def check_sign_out(question: SignOutQuestion) -> SignOutOrder | NotProved:
    """Checks a logout token. A provider may only end sessions that were begun with this provider."""
    try:
        issuer = signed.find_issuer(question.token).rstrip("/")
        provider = next((provider for provider in question.providers if provider.issuer.rstrip("/") == issuer), None)
        if provider is None:
            raise BadToken("no provider of this installation has sent it")
        documents = documents_of(provider.issuer)
        claims = signed.read_sign_out_token(question.token, provider, documents, now=question.now)
        return SignOutOrder(
            issuer=documents.metadata().issuer, subject=claims.get("sub"), session_name=claims.get("sid")
        )
    except (BadToken, ProviderFailed) as error:
        return NotProved(sentence="This logout token is not valid here.", reason=str(error))


def _refuse_mix_up(arrived: Arrival, metadata: ProviderMetadata) -> None:
    """Refuses an answer that comes from a different provider than the one that was asked (RFC 9207)."""
    needed = metadata.authorization_response_iss_parameter_supported
    if arrived.issuer != metadata.issuer and (needed or arrived.issuer is not None):
        raise _Refused("the answer is from another issuer")


def _prove(arrived: Arrival, documents: Documents, metadata: ProviderMetadata) -> Proof:
    token = _exchange(arrived, metadata)
    id_token, access_token = token.get("id_token"), token.get("access_token")
    if not isinstance(id_token, str):
        raise _Refused("there is no id token in the answer")
    access_token = access_token if isinstance(access_token, str) else None
    claims = signed.read_id_token(
        id_token,
        arrived.provider,
        documents,
        nonce=arrived.trip.nonce,
        access_token=access_token,
        now=arrived.now,
    )
    user_info = {**_ask_user_info(metadata, access_token, claims), **claims}
    session_name = claims.get("sid")
    return Proof(
        issuer=metadata.issuer,
        subject=claims["sub"],
        email=_read_email(user_info),
        is_email_verified=user_info.get("email_verified") in (True, "true"),
        groups=_read_groups(user_info),
        session_name=session_name if isinstance(session_name, str) else None,
        sign_out_url=_sign_out_url(arrived.provider, metadata),
    )


def _exchange(arrived: Arrival, metadata: ProviderMetadata) -> Mapping[str, Any]:
    from authlib.oauth2 import OAuth2Error

    client = _client(arrived.provider, metadata, arrived.callback)
    try:
        token = client.fetch_token(
            metadata.token_endpoint,
            grant_type="authorization_code",
            code=arrived.code,
            code_verifier=arrived.trip.verifier,
        )
    except OAuth2Error as error:
        raise _Refused(f"the code was refused: {str(error.error)[:100]}") from error
    except ValueError as error:
        raise ProviderFailed(str(error)) from error
    return dict(token)


def _ask_user_info(metadata: ProviderMetadata, access_token: str | None, claims: Mapping[str, Any]) -> dict[str, Any]:
    """Fetches the e-mail address and groups from the user info endpoint, because many id tokens lack them.

    The answer must be about the same user as the id token.
    """
    if metadata.userinfo_endpoint is None or access_token is None or {"email", "groups"} <= claims.keys():
        return {}
    user_info = fetch(metadata.userinfo_endpoint, {"Authorization": f"Bearer {access_token}"})
    if not isinstance(user_info, dict) or user_info.get("sub") != claims["sub"]:
        raise _Refused("the user information is about another user")
    return user_info


def _client(provider: Provider, metadata: ProviderMetadata, callback: str) -> Any:
    from authlib.oauth2.client import OAuth2Client

    secret = provider.client_secret.get_secret_value() if provider.client_secret else None
    return OAuth2Client(
        _Session(),
        client_id=provider.client_id,
        client_secret=secret,
        token_endpoint_auth_method=_choose_method(metadata) if secret else "none",
        scope=" ".join(provider.scopes),
        redirect_uri=callback,
        code_challenge_method="S256",
    )


def _choose_method(metadata: ProviderMetadata) -> str:
    supported = metadata.token_endpoint_auth_methods_supported
    basic, post = "client_secret_basic", "client_secret_post"
    return post if supported and post in supported and basic not in supported else basic


class _Session:
    """Sends the requests of Authlib's client. It replaces the session of the `requests` library."""

    def post(self, url: str, *, data: Mapping[str, str], headers: Mapping[str, str], auth: Any) -> "_Response":
        address, sent, body = auth.prepare("POST", url, dict(headers), urlencode(data))
        return _Response(*request(address, headers=sent, body=str(body).encode()))


class _Response:
    def __init__(self, status_code: int, body: bytes) -> None:
        self.status_code = status_code
        self._body = body

    def json(self) -> Any:
        """Decodes the body. Errors are ValueErrors, as Authlib expects, because DecodeError is one."""
        try:
            return msgspec.json.decode(self._body)
        except RecursionError as error:
            raise ValueError("nested too deep") from error

    def raise_for_status(self) -> None:
        if self.status_code >= 400:
            raise ProviderFailed(f"The token endpoint answered {self.status_code}.")


def _read_email(user_info: Mapping[str, Any]) -> str:
    email = user_info.get("email")
    return email.strip() if isinstance(email, str) and len(email) <= _EMAIL_CHARACTERS_MAX else ""


def _read_groups(user_info: Mapping[str, Any]) -> tuple[str, ...]:
    groups = user_info.get("groups")
    values = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
    return tuple(group for group in values[:_GROUPS_MAX] if isinstance(group, str))


def _sign_out_url(provider: Provider, metadata: ProviderMetadata) -> str | None:
    """Returns the address where a user can sign out at the provider, or None if there is none.

    It lacks the usual hint, the id token, because we do not store that. So the provider asks the user to confirm.
    """
    endpoint = metadata.end_session_endpoint
    if endpoint is None or not endpoint.startswith(("https://", "http://")):
        return None
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode({'client_id': provider.client_id})}"


def _away(provider: Provider, error: ProviderFailed) -> NotProved:
    return NotProved(
        sentence=f"{provider.title} cannot be reached, or does not answer correctly. Try again later.",
        reason=f"{provider.key}: {error}",
    )


def _refused(provider: Provider, reason: str) -> NotProved:
    return NotProved(
        sentence=f"{provider.title} did not let you in, or its answer could not be trusted. Begin again.", reason=reason
    )
