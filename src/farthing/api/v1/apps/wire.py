"""Reads and shows apps, their authorization requests, and the access granted to them."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct

from farthing.identity.apps.authorization import NAMES, AppRequest, scopes_of
from farthing.identity.apps.grants import Grant
from farthing.identity.apps.model import App, AppDraft, name_target, redirect_problems
from farthing.identity.scopes import describe_all, only_reading
from farthing.identity.sessions import RECENT_MINUTES
from farthing.identity.user import PASSWORD_MAX, ApiVersion, User
from farthing.kernel.fields import Flag, Id, Name, RequestBody, choice, described, parse, text, words
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Instant, show_as

_REDIRECTS_CHARACTERS_MAX = 6000
_AGAIN = f"You signed in more than {RECENT_MINUTES} minutes ago. Enter your password again."
_Parameter = Annotated[str, text(4000)]


class ThirdPartyAppBody(RequestBody):
    name: Name | None = described("The name that people see when the app asks them for access.")
    redirect_uris: Annotated[list[str], words(_REDIRECTS_CHARACTERS_MAX)] | None = described(
        "The redirect addresses, which must match exactly. On `127.0.0.1`, `[::1]` and `localhost` the port"
        " may differ.",
        examples=[["https://app.example.org/callback", "org.example.app:/callback"]],
    )
    confidential: Flag | None = described(
        "True if the app runs on a server and can keep a secret. If omitted, the app is public and must use PKCE."
    )
    api_version: Annotated[str, choice(*ApiVersion)] | None = described(
        "The version of the API that the app uses. If omitted, it depends on the address where the app asks for tokens."
    )
    everybody: Flag | None = described(
        "If true, all users can use the app. Only the owner of this installation may set this."
        " If omitted, only you can use the app."
    )


class AuthorizationBody(RequestBody):
    """Repeats the parameters that the app sent, and adds the user's decision."""

    client_id: _Parameter | None = None
    redirect_uri: _Parameter | None = None
    response_type: _Parameter | None = None
    scope: _Parameter | None = None
    state: _Parameter | None = None
    code_challenge: _Parameter | None = None
    code_challenge_method: _Parameter | None = None
    allow: Flag | None = described("True authorizes the app, false denies it.")
    read_only: Flag | None = described("If true, the app may only read, whatever it asks for.")
    books_id: Id | None = described("The id of the user whose books the app may use. Defaults to yours.")
    current_password: Annotated[str, text(PASSWORD_MAX)] | None = described(
        f"Required to authorize if the session began more than {RECENT_MINUTES} minutes ago."
    )


class ThirdPartyAppAttributes(Struct, gc=False):
    """`client_id` is the id by which the app identifies itself."""

    created_at: Instant
    name: str
    client_id: str
    redirect_uris: list[str]
    confidential: bool
    everybody: bool
    api_version: str


class NewThirdPartyAppAttributes(ThirdPartyAppAttributes, gc=False):
    """`client_secret` is shown only once. It is null for a public app, which has no secret."""

    client_secret: str | None


class GrantAttributes(Struct, gc=False):
    """`allows` describes the scopes in words. `books_id` is null if the access is to your own books."""

    created_at: Instant
    last_used_at: Instant | None
    name: str
    client_id: str
    access: str
    scopes: list[str]
    allows: list[str]
    books_id: str | None


class AuthorizationRequest(Struct, gc=False):
    """Shows what an app asks for. `mine` is true if you registered the app.

    `leads_to_kind` says where the redirect leads: to a `site`, to an `open_site` (without TLS), to a program on this
    `device` or to an `app`. `leads_to` is the host, or the URL scheme of an `app`. `allows` describes in words what the
    app could do, and `reads` what it could still do with read-only access; `reads` is null if the app asks only to
    read. If the request is invalid, `refused` is the address that reports the error to the app.
    """

    name: str
    mine: bool
    leads_to: str
    leads_to_kind: str
    scopes: list[str]
    allows: list[str]
    reads: list[str] | None
    needs_password: bool
    refused: str | None


class Redirect(Struct, gc=False):
    redirect: str


def read_app(raw: Mapping[str, object], *, is_owner: bool) -> AppDraft:
    parsed = parse(ThirdPartyAppBody, raw)
    parsed.require("name", "redirect_uris")
    values = parsed.values
    parsed.report_all(redirect_problems("redirect_uris", values.redirect_uris or ()))
    if values.everybody and not is_owner:
        parsed.report("everybody", "Only the owner of this installation may register an app for all users.")
    parsed.finish()
    return AppDraft(
        name=ensure(values.name),
        redirects=tuple(dict.fromkeys(ensure(values.redirect_uris))),
        is_public=not values.confidential,
        is_for_everybody=bool(values.everybody),
        api_version=values.api_version or ApiVersion.V1,
    )


def read_decision(raw: Mapping[str, object], *, needs_password: bool) -> AuthorizationBody:
    parsed: Parsed[AuthorizationBody] = parse(AuthorizationBody, raw)
    parsed.require("client_id", "allow")
    if needs_password and parsed.values.allow and parsed.absent("current_password"):
        parsed.report("current_password", _AGAIN)
    parsed.finish()
    return parsed.values


def read_request(sent: Mapping[str, str | None]) -> AppRequest:
    return AppRequest(**{name: sent.get(name) or "" for name in NAMES})


def show(app: App) -> ThirdPartyAppAttributes:
    return show_as(ThirdPartyAppAttributes, app, **_attributes(app))


def show_new(app: App, secret: str | None) -> NewThirdPartyAppAttributes:
    return show_as(NewThirdPartyAppAttributes, app, **_attributes(app), client_secret=secret)


def _attributes(app: App) -> dict[str, Any]:
    return {
        "client_id": str(app.id),
        "redirect_uris": list(app.addresses),
        "confidential": not app.is_public,
        "everybody": app.for_everybody,
    }


def show_grant(grant: Grant, *, is_owner: bool) -> GrantAttributes:
    return show_as(
        GrantAttributes,
        grant,
        client_id=str(grant.app_id),
        scopes=grant.scopes.split(),
        allows=describe_all(grant.scopes, is_owner=is_owner),
        books_id=None if grant.books_id is None else str(grant.books_id),
    )


def show_request(
    app: App, request: AppRequest, redirect: str, *, user: User, needs_password: bool, refused: str | None
) -> AuthorizationRequest:
    target, scopes = name_target(redirect), "" if refused else scopes_of(request)
    reading = only_reading(scopes)
    return AuthorizationRequest(
        name=app.name,
        mine=app.user_id == user.id,
        leads_to=target.name,
        leads_to_kind=target.kind.value,
        scopes=scopes.split(),
        allows=describe_all(scopes, is_owner=user.is_owner),
        reads=None if reading == scopes else describe_all(reading, is_owner=user.is_owner),
        needs_password=needs_password,
        refused=refused,
    )
