"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .batch import routes as batch
from .configuration import routes as configuration
from .currencies import routes as currencies
from .insight import routes as insight
from .piggy_banks import routes as piggy_banks
from .preferences import routes as preferences
from .recurrences import routes as recurrences
from .rule_groups import routes as rule_groups
from .rules import routes as rules

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *batch.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *insight.ROUTES,
    *piggy_banks.ROUTES,
    *preferences.ROUTES,
    *recurrences.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
)
