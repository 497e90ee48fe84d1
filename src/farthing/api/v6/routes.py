"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .accounts import routes as accounts
from .attachments import routes as attachments
from .autocomplete import routes as autocomplete
from .batch import routes as batch
from .charts import routes as charts
from .configuration import routes as configuration
from .currencies import routes as currencies
from .insight import routes as insight
from .preferences import routes as preferences
from .recurrences import routes as recurrences
from .rule_groups import routes as rule_groups
from .rules import routes as rules
from .search import routes as search
from .summary import routes as summary
from .transactions import routes as transactions
from .webhooks import routes as webhooks

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *accounts.ROUTES,
    *attachments.ROUTES,
    *autocomplete.ROUTES,
    *batch.ROUTES,
    *charts.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *insight.ROUTES,
    *preferences.ROUTES,
    *recurrences.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
    *search.ROUTES,
    *summary.ROUTES,
    *transactions.ROUTES,
    *webhooks.ROUTES,
)
