"""Serves exports."""

from . import exports

ROUTES = (*exports.make_routes(),)
