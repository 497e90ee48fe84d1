"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .accounts import routes as accounts
from .available_budgets import routes as available_budgets
from .batch import routes as batch
from .bills import routes as bills
from .budget_limits import routes as budget_limits
from .budgets import routes as budgets
from .categories import routes as categories
from .charts import routes as charts
from .configuration import routes as configuration
from .currencies import routes as currencies
from .insight import routes as insight
from .object_groups import routes as object_groups
from .preferences import routes as preferences
from .recurrences import routes as recurrences
from .rule_groups import routes as rule_groups
from .rules import routes as rules
from .subscriptions import routes as subscriptions
from .summary import routes as summary
from .tags import routes as tags
from .transactions import routes as transactions

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *accounts.ROUTES,
    *batch.ROUTES,
    *available_budgets.ROUTES,
    *bills.ROUTES,
    *budgets.ROUTES,
    *budget_limits.ROUTES,
    *categories.ROUTES,
    *charts.ROUTES,
    *configuration.ROUTES,
    *currencies.ROUTES,
    *insight.ROUTES,
    *object_groups.ROUTES,
    *preferences.ROUTES,
    *subscriptions.ROUTES,
    *tags.ROUTES,
    *transactions.ROUTES,
    *recurrences.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
    *summary.ROUTES,
)
