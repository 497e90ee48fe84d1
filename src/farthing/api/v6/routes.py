"""Lists all routes of version 6 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .accounts import routes as accounts
from .attachments import routes as attachments
from .autocomplete import routes as autocomplete
from .available_budgets import routes as available_budgets
from .batch import routes as batch
from .bills import routes as bills
from .budget_limits import routes as budget_limits
from .budgets import routes as budgets
from .categories import routes as categories
from .charts import routes as charts
from .configuration import routes as configuration
from .cron import routes as cron
from .currencies import routes as currencies
from .exchange_rates import routes as exchange_rates
from .insight import routes as insight
from .link_types import routes as link_types
from .object_groups import routes as object_groups
from .piggy_banks import routes as piggy_banks
from .preferences import routes as preferences
from .recurrences import routes as recurrences
from .rule_groups import routes as rule_groups
from .rules import routes as rules
from .search import routes as search
from .subscriptions import routes as subscriptions
from .summary import routes as summary
from .tags import routes as tags
from .transaction_links import routes as transaction_links
from .transactions import routes as transactions
from .user_groups import routes as user_groups
from .users import routes as users
from .webhooks import routes as webhooks

ROUTES: tuple[Route, ...] = (
    *about.ROUTES,
    *accounts.ROUTES,
    *attachments.ROUTES,
    *autocomplete.ROUTES,
    *available_budgets.ROUTES,
    *batch.ROUTES,
    *bills.ROUTES,
    *budget_limits.ROUTES,
    *budgets.ROUTES,
    *categories.ROUTES,
    *charts.ROUTES,
    *configuration.ROUTES,
    *cron.ROUTES,
    *currencies.ROUTES,
    *exchange_rates.ROUTES,
    *insight.ROUTES,
    *link_types.ROUTES,
    *object_groups.ROUTES,
    *piggy_banks.ROUTES,
    *preferences.ROUTES,
    *recurrences.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
    *search.ROUTES,
    *subscriptions.ROUTES,
    *summary.ROUTES,
    *tags.ROUTES,
    *transaction_links.ROUTES,
    *transactions.ROUTES,
    *user_groups.ROUTES,
    *users.ROUTES,
    *webhooks.ROUTES,
)
