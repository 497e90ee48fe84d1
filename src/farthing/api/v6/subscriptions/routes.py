"""Serves bills under the addresses of subscriptions."""

from msgspec.structs import replace

from ..bills.routes import BILLS, make_routes

ROUTES = make_routes(replace(BILLS, path="/subscriptions"))
