"""Both versions of the API, for tests that go over every route."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from farthing.api.v1.routes import ROUTES as V1
from farthing.api.v6.routes import ROUTES as V6
from farthing.http.openapi.document import document
from farthing.http.request.public_address import API
from farthing.http.route import Route
from farthing.http.routing.api_versions import PREFIX
from farthing.identity.user import ApiVersion

ROUTES: Mapping[ApiVersion, Sequence[Route]] = {ApiVersion.V1: V1, ApiVersion.V6: V6}
# Below which a version is served for every token.
AT = {ApiVersion.V1: API, ApiVersion.V6: PREFIX + API}
# Every route with the address of its version in front.
ALL = [(f"{AT[version]}{route.path}", route) for version, routes in ROUTES.items() for route in routes]


@cache
def describe(version: ApiVersion = ApiVersion.V1) -> dict[str, Any]:
    """Its OpenAPI document, which takes a while to make. Whoever changes it makes a copy."""
    return document(ROUTES[version], version)
