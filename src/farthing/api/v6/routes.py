"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .batch import routes as batch
from .configuration import routes as configuration
from .currencies import routes as currencies
from .insight import routes as insight
from .preferences import routes as preferences
from .search import routes as search
from .transactions import routes as transactions
from .webhooks import routes as webhooks

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *batch.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *insight.ROUTES,
    *preferences.ROUTES,
    *search.ROUTES,
    *transactions.ROUTES,
    *webhooks.ROUTES,
)
