"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .batch import routes as batch
from .budget_limits import routes as budget_limits
from .budgets import routes as budgets
from .categories import routes as categories
from .configuration import routes as configuration
from .currencies import routes as currencies
from .preferences import routes as preferences
from .tags import routes as tags

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *batch.ROUTES,
    *budgets.ROUTES,
    *budget_limits.ROUTES,
    *categories.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *preferences.ROUTES,
    *tags.ROUTES,
)
