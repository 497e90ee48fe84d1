"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .accounts import routes as accounts
from .batch import routes as batch
from .charts import routes as charts
from .configuration import routes as configuration
from .currencies import routes as currencies
from .exchange_rates import routes as exchange_rates
from .insight import routes as insight
from .preferences import routes as preferences
from .recurrences import routes as recurrences
from .rule_groups import routes as rule_groups
from .rules import routes as rules
from .summary import routes as summary
from .transactions import routes as transactions
from .user_groups import routes as user_groups
from .users import routes as users

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *accounts.ROUTES,
    *batch.ROUTES,
    *charts.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *exchange_rates.ROUTES,
    *insight.ROUTES,
    *preferences.ROUTES,
    *transactions.ROUTES,
    *recurrences.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
    *summary.ROUTES,
    *user_groups.ROUTES,
    *users.ROUTES,
)
