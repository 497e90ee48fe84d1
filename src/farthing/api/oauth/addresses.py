"""Serves the addresses of OAuth 2.0: its metadata, the redirect to the consent page, and tokens."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.routing import Route as Address
from starlette.types import Scope

from farthing.http.answer import problems
from farthing.http.answer.reply import GetEndpoint
from farthing.http.handling.calls import Calls
from farthing.http.handling.endpoint import Endpoint
from farthing.http.request.call import Answer
from farthing.identity.apps.authorization import CHALLENGE_METHOD, NAMES
from farthing.identity.scopes import SCOPES
from farthing.kernel.errors import NotFound

from . import wire
from .routes import ROUTES

AUTHORIZE, TOKEN, REVOKE = "/oauth/authorize", "/oauth/token", "/oauth/revoke"
METADATA = "/.well-known/oauth-authorization-server"
# The page of the web app that asks the user for consent.
_PAGE = "/#/oauth/authorize"
_PARAMETERS_MAX = 50
_METHODS_OF_APPS = ["client_secret_basic", "client_secret_post", "none"]


def addresses(calls: Calls) -> list[Address]:
    """Returns the addresses of OAuth 2.0.

    The metadata is also served with the path of the base URL appended to its address (RFC 8414, section 3.1).
    """
    return [
        Address(AUTHORIZE, GetEndpoint(_redirect_to_page)),
        Address(METADATA, GetEndpoint(_describe)),
        Address(f"{METADATA}/{{path:path}}", GetEndpoint(_describe)),
        *(Address(route.path, Endpoint(calls, {route.method: route})) for route in ROUTES),
    ]


def _redirect_to_page(scope: Scope) -> Answer:
    """Redirects to the consent page of the web app, without checking the parameters.

    The page first signs the user in. Only then does the API report what is wrong with the request. A parameter that was
    sent twice is reported to the page as `repeated`, because two programs could read different values of it (RFC 6749,
    section 3.1).
    """
    query = scope["query_string"].decode("latin-1")
    pieces = "&".join(query.split("&", _PARAMETERS_MAX)[:_PARAMETERS_MAX])
    pairs = [(name, value) for name, value in parse_qsl(pieces, errors="replace") if name in NAMES]
    parameters = dict(pairs)
    twice = next((name for name in parameters if sum(other == name for other, _ in pairs) > 1), None)
    forwarded = {"repeated": twice} if twice else parameters
    return problems.redirect(f"{scope['state']['root']}{_PAGE}?{urlencode(forwarded)}")


def _describe(scope: Scope) -> Answer:
    base, root = scope["state"]["base"], scope["state"]["root"]
    path = scope["path_params"].get("path")
    if path is not None and f"/{path}" not in (urlsplit(base).path, urlsplit(root).path):
        return problems.answer_to(NotFound("Resource not found"))
    described = wire.ServerMetadata(
        issuer=root,
        authorization_endpoint=base + AUTHORIZE,
        token_endpoint=base + TOKEN,
        revocation_endpoint=base + REVOKE,
        scopes_supported=list(SCOPES),
        response_types_supported=["code"],
        response_modes_supported=["query"],
        grant_types_supported=["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported=_METHODS_OF_APPS,
        revocation_endpoint_auth_methods_supported=_METHODS_OF_APPS,
        code_challenge_methods_supported=[CHALLENGE_METHOD],
        authorization_response_iss_parameter_supported=True,
        service_documentation=f"{base}/api/docs",
    )
    return Answer(described, media_type="application/json")
