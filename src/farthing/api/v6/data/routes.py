"""Lists the routes that export data, and that delete or move many objects at once."""

from . import destroying, exports, moving

ROUTES = (*exports.make_routes(), *destroying.ROUTES, *moving.ROUTES)
