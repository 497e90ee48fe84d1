"""Preferences: their names, defaults and allowed values."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar
from zoneinfo import available_timezones

import msgspec
from msgspec import Struct

from farthing.kernel.text import fold, trim

from . import notices

T = TypeVar("T")


class SavedFilter(Struct, frozen=True):
    """A saved filter for the list of transactions. `query` is the query string of the filtered list in the web app."""

    name: str
    query: str


class DashboardCard(Struct, frozen=True, omit_defaults=True):
    """A card of the dashboard in the web app. If `card` is `report`, the card shows a saved report, which has a name.

    `report` says which report is shown, and `query` is the query string of the report's address.
    """

    card: str
    shown: bool
    name: str = ""
    report: str = ""
    query: str = ""


Value = str | int | bool | list[str | int] | list[SavedFilter] | list[DashboardCard]
# The value of a preference that a client has named itself.
FreeValue = str | int | float | bool | list[Any] | dict[str, Any]
FREE_MAX = 500
FREE_CHARACTERS_MAX = 65_000

CURRENCY = "currencyPreference"
HOLIDAYS = "holidayCountry"
TWO_FACTOR = "twoFactorAuthEnabled"
# The next three are not among the defaults: a user has them only once they have been set.
CONVERT_TO_PRIMARY = "convertToPrimary"
# Maps the codes of currencies to whether the user has enabled them.
CURRENCIES_ENABLED = "currenciesEnabled"
# Holds which notices a user wants, and where they go (`notices.py`).
NOTICES = "notices"
SAVED_FILTERS = "savedFilters"
SAVED_FILTERS_MAX = 100
FILTER_NAME_CHARACTERS_MAX = 100
FILTER_QUERY_CHARACTERS_MAX = 2000
ACCOUNT_ORDER = "accountOrder"
GROUP_ORDER = "accountGroupOrder"
DASHBOARD_CARDS = "dashboardCards"
ACCOUNT_LISTS = ("frontPageAccounts", ACCOUNT_ORDER)
CARDS = ("figures", "net_worth", "recent", "bills", "accounts", "coming")
REPORT_CARD = "report"
REPORTS = ("spending", "income", "worth", "flow", "budgets")
SAVED_REPORTS_MAX = 50
VIEW_RANGES = ("1D", "1W", "1M", "3M", "6M", "1Y")
CATCH_UPS = ("all", "latest", "none")
OPTIONAL_FIELDS = (
    "interest_date", "book_date", "process_date", "due_date", "payment_date", "invoice_date", "internal_reference",
    "notes", "attachments",
)  # fmt: skip


class Preference(Struct, frozen=True):
    id: int
    name: str
    data: Value | FreeValue
    created_at: str
    updated_at: str


def defaults(timezone: str) -> dict[str, Value]:
    """Returns the default of each preference, in listing order. `timezone` is the installation's default time zone."""
    return {
        "language": "en_US",
        "customFiscalYear": False,
        "fiscalYearStart": "01-01",
        CURRENCY: "EUR",
        "transaction_journal_optional_fields": [],
        "frontPageAccounts": [],
        "viewRange": "1M",
        "listPageSize": 50,
        TWO_FACTOR: False,
        "timezone": timezone,
        "recurrenceCatchUp": "all",
        HOLIDAYS: "",
        SAVED_FILTERS: [],
        ACCOUNT_ORDER: [],
        GROUP_ORDER: [],
        DASHBOARD_CARDS: [],
    }


def put_first(things: Sequence[T], first: Any, key: Callable[[T], object] = str) -> list[T]:
    """Moves the things that a preference lists to the front, in the listed order. The others keep their order."""
    if not first:
        return list(things)
    places = {str(named): place for place, named in reversed(list(enumerate(first)))}
    return sorted(things, key=lambda thing: places.get(str(key(thing)), len(places)))


NAMES = frozenset(defaults("UTC"))


def find_free_problem(name: str, data: object) -> str | None:
    """Returns why a client may not store this value under a name of its own, as the end of a sentence."""
    if name == CONVERT_TO_PRIMARY and not isinstance(data, bool):
        return "must be true or false"
    if name == CURRENCIES_ENABLED and not (
        isinstance(data, dict) and all(isinstance(on, bool) for on in data.values())
    ):
        return "must map the codes of currencies to true or false"
    if name == NOTICES and not notices.is_valid(data):
        return "must be settings of notices, as `/api/v1/notices/settings` shows them"
    if len(msgspec.json.encode(data)) > FREE_CHARACTERS_MAX:
        return f"may not be longer than {FREE_CHARACTERS_MAX} characters"
    return None


def find_filter_problem(filters: Sequence[SavedFilter]) -> str | None:
    """Returns why filters cannot be stored, as the end of a sentence."""
    if len(filters) > SAVED_FILTERS_MAX:
        return f"may not have more than {SAVED_FILTERS_MAX} filters"
    if any(not trim(filter_.name) or len(filter_.name) > FILTER_NAME_CHARACTERS_MAX for filter_ in filters):
        return f"must give every filter a name of 1 to {FILTER_NAME_CHARACTERS_MAX} characters"
    if any(not filter_.query or len(filter_.query) > FILTER_QUERY_CHARACTERS_MAX for filter_ in filters):
        return f"must give every filter a query of 1 to {FILTER_QUERY_CHARACTERS_MAX} characters"
    if len({fold(filter_.name) for filter_ in filters}) < len(filters):
        return "may not have two filters of the same name"
    return None


def find_card_problem(cards: Sequence[DashboardCard]) -> str | None:
    """Returns why cards cannot be stored, as the end of a sentence."""
    reports = [card for card in cards if card.card == REPORT_CARD]
    others = [card for card in cards if card.card != REPORT_CARD]
    if any(card.card not in CARDS for card in others):
        return f"may only have the cards {', '.join(CARDS)} and {REPORT_CARD}"
    if len({card.card for card in others}) < len(others):
        return "may have each card only once, except for reports"
    if any(card.name or card.report or card.query for card in others):
        return "may give a name, a report and a query only to reports"
    if len(reports) > SAVED_REPORTS_MAX:
        return f"may not have more than {SAVED_REPORTS_MAX} reports"
    if any(card.report not in REPORTS for card in reports):
        return f"must say which report each one is: {', '.join(REPORTS)}"
    if any(not trim(card.name) or len(card.name) > FILTER_NAME_CHARACTERS_MAX for card in reports):
        return f"must give every report a name of 1 to {FILTER_NAME_CHARACTERS_MAX} characters"
    if any(len(card.query) > FILTER_QUERY_CHARACTERS_MAX for card in reports):
        return f"may give a report a query of at most {FILTER_QUERY_CHARACTERS_MAX} characters"
    if len({fold(card.name) for card in reports}) < len(reports):
        return "may not have two reports of the same name"
    return None


_DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH_AND_DAY = re.compile(r"([0-9]{2})-([0-9]{2})")


def is_month_and_day(text: str) -> bool:
    """Checks that the text is a day of the year, for example `12-31`; `02-29` is valid."""
    match = _MONTH_AND_DAY.fullmatch(text)
    if match is None:
        return False
    month, day = map(int, match.groups())
    return 1 <= month <= 12 and 1 <= day <= _DAYS_OF_MONTHS[month - 1]


@cache
def _zones() -> frozenset[str]:
    # Cached, because listing the zones reads many files. `localtime` is excluded, because it depends on the machine.
    return frozenset(available_timezones()) - {"localtime"}


def is_time_zone(text: str) -> bool:
    return text in _zones()


_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[_-]([a-z]{4}))?(?:[_-]([a-z]{2}|[0-9]{3}))?", re.IGNORECASE | re.ASCII)


def language_meant(text: str) -> str | None:
    """Returns the canonical spelling of a language: `pt-br` becomes `pt_BR`. Returns None for an unknown language."""
    match = _LANGUAGE.fullmatch(text)
    if match is None:
        return None
    language, script, territory = match.groups()
    parts = [language.lower(), (script or "").title(), (territory or "").upper()]
    code = "_".join(part for part in parts if part)
    return code if _is_locale(code, territory=parts[2]) else None


def _is_locale(code: str, *, territory: str) -> bool:
    from babel import Locale, UnknownLocaleError  # imported late, because few requests need it

    try:
        # Babel replaces an unknown territory by a likely one instead of refusing it: en_ZZ would become en_US.
        return (Locale.parse(code).territory or "") == territory or not territory
    except (UnknownLocaleError, ValueError):
        return False
