"""Serves the configuration. It follows from the settings of the installation, so it cannot be changed here."""

from collections.abc import Callable
from typing import Any, NoReturn

from msgspec import Struct

from farthing.books.accounts.model import INTEREST_PERIODS
from farthing.books.preferences.model import VIEW_RANGES
from farthing.books.rules.model import ACTIONS
from farthing.books.webhooks.model import DELIVERY, Response, Trigger
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import Gate, Parameter, Route
from farthing.kernel.errors import Forbidden
from farthing.kernel.fields import RequestBody, described
from farthing.kernel.settings.parsing import NO_RATES
from farthing.overviews.search.operators.names import OPERATORS

from ..about.routes import DESCRIBED

_Value = bool | str | list[str] | dict[str, Any]
_BILL_PERIODS = ["daily", "weekly", "monthly", "quarterly", "half-year", "yearly"]
_LIABILITIES = ["Loan", "Debt", "Mortgage"]
# Which account types may be on the other side of a transaction.
_OWN = ["Asset account", *_LIABILITIES]
_OPPOSING = {
    "source": {
        "Withdrawal": _OWN,
        "Deposit": ["Revenue account", "Cash account", *_LIABILITIES],
        "Transfer": _OWN,
    },
    "destination": {
        "Withdrawal": ["Expense account", "Cash account", *_LIABILITIES],
        "Deposit": _OWN,
        "Transfer": _OWN,
    },
}
# The type of a transaction from one account type to another, and the types that may be on the other side.
_TO_OWN, _FROM_OWN = ("Revenue account", "Cash account"), ("Expense account", "Cash account")
_TRANSACTION_TYPES = {
    **{source: dict.fromkeys(_OWN, "Transfer") | dict.fromkeys(_FROM_OWN, "Withdrawal") for source in _OWN},
    **{source: dict.fromkeys(_OWN, "Deposit") for source in _TO_OWN},
}
_ALLOWED = {
    "source": {source: list(types) for source, types in _TRANSACTION_TYPES.items()},
    "destination": {
        destination: [source for source, types in _TRANSACTION_TYPES.items() if destination in types]
        for destination in (*_OWN, *_FROM_OWN)
    },
}
_VALUES: dict[str, Callable[[Call], _Value]] = {
    "configuration.is_demo_site": lambda _: False,
    "configuration.single_user_mode": lambda _: False,
    "configuration.permission_update_check": lambda _: False,
    "configuration.last_update_check": lambda _: "",
    "configuration.enable_exchange_rates": lambda call: call.settings.rates != NO_RATES,
    "configuration.enable_external_rates": lambda call: call.settings.rates != NO_RATES,
    "configuration.use_running_balance": lambda _: False,
    "configuration.enable_external_map": lambda _: False,
    "configuration.allow_webhooks": lambda _: True,
    "configuration.valid_url_protocols": lambda _: ["http", "https"],
    "firefly.version": lambda _: DESCRIBED,
    "firefly.default_location": lambda _: {"longitude": "0", "latitude": "0", "zoom_level": "6"},
    "firefly.account_to_transaction": lambda _: _TRANSACTION_TYPES,
    "firefly.allowed_opposing_types": lambda _: _ALLOWED,
    "firefly.enable_external_map": lambda _: False,
    "firefly.languages": lambda _: ["en_US"],
    "firefly.rule-actions": lambda _: list(ACTIONS),
    "firefly.context-rule-actions": lambda _: [name for name, spec in ACTIONS.items() if spec.takes],
    "search.operators": lambda _: list(OPERATORS),
    "webhook.triggers": lambda _: list(Trigger),
    "webhook.responses": lambda _: list(Response),
    "webhook.deliveries": lambda _: [DELIVERY],
    "firefly.accountRoles": lambda _: ["defaultAsset", "sharedAsset", "savingAsset", "ccAsset", "cashWalletAsset"],
    "firefly.valid_liabilities": lambda _: _LIABILITIES,
    "firefly.interest_periods": lambda _: list(INTEREST_PERIODS),
    "firefly.expected_source_types": lambda _: _OPPOSING,
    "firefly.bill_periods": lambda _: _BILL_PERIODS,
    "firefly.credit_card_types": lambda _: ["monthlyFull"],
    "firefly.valid_view_ranges": lambda _: list(VIEW_RANGES),
    "firefly.preselected_accounts": lambda _: ["all", "assets", "liabilities", "empty"],
    "app.timezone": lambda call: call.caller.timezone,
    "cer.enabled": lambda call: call.settings.rates != NO_RATES,
}


class ConfigurationValue(Struct, gc=False):
    title: str
    value: _Value
    editable: bool = False


class ConfigurationBody(RequestBody):
    value: Any = described("The new value. No value can be changed over the API.")


def index(call: Call) -> Answer:
    values = [ConfigurationValue(title, value(call)) for title, value in _VALUES.items()]
    return Answer(values, media_type="application/json")


def show(call: Call) -> Answer:
    return Answer(Item(_find(call)))


def change(call: Call) -> NoReturn:
    call.owner_only("change the configuration")
    title = _find(call).title
    raise Forbidden(f"{title} follows from the settings of the server, so it cannot be changed over the API.")


def _find(call: Call) -> ConfigurationValue:
    title = call.path["name"]
    return ConfigurationValue(title, or_404(_VALUES.get(title))(call))


_NAME = Parameter("name", {"type": "string"}, "The name of the value, such as `app.timezone`.")

ROUTES = (
    Route("GET", "/configuration", index, "List the configuration", gives=list[ConfigurationValue], gate=Gate.SELF),
    Route(
        "GET", "/configuration/{name}", show, "Show one value of the configuration",
        gives=Item[ConfigurationValue], parameters=(_NAME,), gate=Gate.SELF,
    ),
    Route(
        "PUT", "/configuration/{name}", change, "Change one value of the configuration; always refused",
        gives=Item[ConfigurationValue], takes=ConfigurationBody, parameters=(_NAME,), gate=Gate.SELF,
        fails=(Forbidden,),
    ),
)  # fmt: skip
