"""Lists all routes of version 1 of the API."""

from farthing.http.route import Route

from .about import routes as about
from .accounts import routes as accounts
from .apps import routes as apps
from .attachments import routes as attachments
from .audit import routes as audit
from .autocomplete import routes as autocomplete
from .available_budgets import routes as available_budgets
from .bills import routes as bills
from .budget_limits import routes as budget_limits
from .budgets import routes as budgets
from .calendar import routes as calendar
from .categories import routes as categories
from .changes import routes as changes
from .charts import routes as charts
from .currencies import routes as currencies
from .dashboard import routes as dashboard
from .exchange_rates import routes as exchange_rates
from .exports import routes as exports
from .factors import routes as factors
from .feed import routes as feed
from .first_run import routes as first_run
from .identities import routes as identities
from .import_jobs import routes as import_jobs
from .inbox import routes as inbox
from .link_types import routes as link_types
from .members import routes as members
from .notices import routes as notices
from .object_groups import routes as object_groups
from .piggy_banks import routes as piggy_banks
from .preferences import routes as preferences
from .providers import routes as providers
from .recurrences import routes as recurrences
from .reports import routes as reports
from .rule_groups import routes as rule_groups
from .rules import routes as rules
from .search import routes as search
from .sessions import routes as sessions
from .suggestions import routes as suggestions
from .summary import routes as summary
from .tags import routes as tags
from .tokens import routes as tokens
from .transaction_links import routes as transaction_links
from .transactions import routes as transactions
from .upcoming import routes as upcoming
from .users import routes as users
from .webhooks import routes as webhooks

ROUTES: tuple[Route, ...] = (
    *accounts.ROUTES,
    *transactions.ROUTES,
    *bills.ROUTES,
    *available_budgets.ROUTES,
    *budgets.ROUTES,
    *budget_limits.ROUTES,
    *categories.ROUTES,
    *tags.ROUTES,
    *piggy_banks.ROUTES,
    *object_groups.ROUTES,
    *attachments.ROUTES,
    *import_jobs.ROUTES,
    *search.ROUTES,
    *suggestions.ROUTES,
    *inbox.ROUTES,
    *notices.ROUTES,
    *recurrences.ROUTES,
    *autocomplete.ROUTES,
    *summary.ROUTES,
    *charts.ROUTES,
    *reports.ROUTES,
    *upcoming.ROUTES,
    *calendar.ROUTES,
    *dashboard.ROUTES,
    *changes.ROUTES,
    *feed.ROUTES,
    *exports.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
    *preferences.ROUTES,
    *currencies.ROUTES,
    *exchange_rates.ROUTES,
    *users.ROUTES,
    *first_run.ROUTES,
    *sessions.ROUTES,
    *webhooks.ROUTES,
    *tokens.ROUTES,
    *transaction_links.ROUTES,
    *apps.ROUTES,
    *link_types.ROUTES,
    *members.ROUTES,
    *audit.ROUTES,
    *factors.ROUTES,
    *providers.ROUTES,
    *identities.ROUTES,
    *about.ROUTES,
)
