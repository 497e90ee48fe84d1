"""Serves exports, and what deletes or moves many objects at once."""

from . import destroying, exports, moving

ROUTES = (*exports.make_routes(), *destroying.ROUTES, *moving.ROUTES)
