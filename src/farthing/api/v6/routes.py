"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .accounts import routes as accounts
from .batch import routes as batch
from .charts import routes as charts
from .configuration import routes as configuration
from .currencies import routes as currencies
from .insight import routes as insight
from .link_types import routes as link_types
from .piggy_banks import routes as piggy_banks
from .preferences import routes as preferences
from .recurrences import routes as recurrences
from .rule_groups import routes as rule_groups
from .rules import routes as rules
from .summary import routes as summary
from .transaction_links import routes as transaction_links
from .transactions import routes as transactions

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *accounts.ROUTES,
    *batch.ROUTES,
    *charts.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *insight.ROUTES,
    *link_types.ROUTES,
    *piggy_banks.ROUTES,
    *preferences.ROUTES,
    *transactions.ROUTES,
    *recurrences.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
    *summary.ROUTES,
    *transaction_links.ROUTES,
)
