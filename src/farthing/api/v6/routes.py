"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .accounts import routes as accounts
from .attachments import routes as attachments
from .autocomplete import routes as autocomplete
from .batch import routes as batch
from .configuration import routes as configuration
from .currencies import routes as currencies
from .insight import routes as insight
from .preferences import routes as preferences

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *accounts.ROUTES,
    *attachments.ROUTES,
    *autocomplete.ROUTES,
    *batch.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *insight.ROUTES,
    *preferences.ROUTES,
)
