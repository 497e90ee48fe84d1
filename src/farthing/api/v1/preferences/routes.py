"""Serves preferences. Every user has all of them from the start, so they are only read and changed."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, get_args

from msgspec import UNSET, Struct, UnsetType
from pydantic import create_model

from farthing.books.accounts.model import AccountGroup
from farthing.books.lifecycle.settings import preferences as lifecycle
from farthing.books.preferences import store
from farthing.books.preferences.model import (
    ACCOUNT_ORDER,
    CATCH_UPS,
    CURRENCY,
    DASHBOARD_CARDS,
    GROUP_ORDER,
    HOLIDAYS,
    NAMES,
    OPTIONAL_FIELDS,
    SAVED_FILTERS,
    TWO_FACTOR,
    VIEW_RANGES,
    DashboardCard,
    Preference,
    SavedFilter,
    Value,
    find_card_problem,
    find_filter_problem,
    is_month_and_day,
    is_time_zone,
    language_meant,
)
from farthing.http.answer.document import All, Thing
from farthing.http.answer.includes import answer, registry
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import Gate, Parameter
from farthing.identity.audit import Event
from farthing.identity.user import PAGE_SIZE_MAX
from farthing.kernel.fields import FieldParser, Flag, Refused, RequestBody, choice, parse, text, whole
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import Dated, show_as
from farthing.kernel.text import trim
from farthing.schedule.bank_holidays import place_meant

from ..audit.noting import note
from ..resources.lists import things_without_uri
from ..resources.resource import Resource
from ..serializers.users import USER

_CHARACTERS_MAX = 65_000
_DATA_SCHEMA = {
    "type": ["string", "integer", "boolean", "array", "object"],
    "items": {"type": ["string", "integer", "object"]},
    "description": "The new value, whose type depends on the preference. Lists may be comma-separated text.",
}
_as_text = text(_CHARACTERS_MAX).read
_as_flag = get_args(Flag)[1].read
_ACCOUNT_ID = re.compile("[0-9]{1,18}")


class PreferenceBody(RequestBody):
    """Sets the value of a preference."""

    data: Annotated[Any, FieldParser(lambda value: value, _DATA_SCHEMA)]


class SavedFilterShown(Struct, gc=False):
    """Holds a saved filter of the web app's list of transactions. `query` is the query string of the list's address.

    A card of the dashboard has the fields `card` and `shown`, and the name, report and query of a saved report.
    """

    name: str
    query: str
    card: str | UnsetType = UNSET
    shown: bool | UnsetType = UNSET
    report: str | UnsetType = UNSET


class PreferenceAttributes(Dated, gc=False):
    name: str
    data: str | int | bool | list[str | int | SavedFilterShown]


def _show(preference: Preference) -> PreferenceAttributes:
    return show_as(PreferenceAttributes, preference, data=_show_value(preference.data))


def _show_value(data: Value) -> str | int | bool | list[str | int | SavedFilterShown]:
    if not isinstance(data, list):
        return data
    return [_show_item(item) for item in data]


def _show_item(item: str | int | SavedFilter | DashboardCard) -> str | int | SavedFilterShown:
    if isinstance(item, SavedFilter):
        return SavedFilterShown(item.name, item.query)
    if isinstance(item, DashboardCard):
        return show_as(SavedFilterShown, item)
    return item


def _word_that(fits: Callable[[str], bool], meaning: str, *, upper: bool = False) -> FieldParser:
    def _read_value(value: object) -> str:
        word = str(_as_text(value))
        word = word.upper() if upper else word
        if not fits(word):
            raise Refused(f"The {{label}} must be {meaning}.")
        return word

    return FieldParser(_read_value, {"type": "string"})


def _language(value: object) -> str:
    meant = language_meant(str(_as_text(value)))
    if meant is None:
        raise Refused("The {label} must be a known language, such as en_US.")
    return meant


def _holiday_place(value: object) -> str:
    """Reads the place whose public holidays are used.

    `none` is stored as empty text, because no preference accepts empty data.
    """
    word = str(_as_text(value))
    meant = "" if word.lower() == "none" else place_meant(word)
    if meant is None:
        raise Refused("The {label} must be a country, such as NL, a region of a country, such as DE-BY, or none.")
    return meant


def _entries(value: object) -> list[str | int]:
    """Accepts a list or comma-separated text. Numbers stay numbers and text stays text."""
    items = value if isinstance(value, list) else [value]
    entries = [entry for item in items for entry in _pieces(item)]
    _as_text(",".join(map(str, entries)))  # checks their total length
    return entries


def _pieces(item: object) -> list[str | int]:
    if isinstance(item, int) and not isinstance(item, bool):
        return [item]
    if not isinstance(item, str):
        raise Refused("The {label} must be a list, or comma-separated text.")
    return [word for piece in item.split(",") if (word := piece.strip())]


def _account_ids(value: object) -> list[str | int]:
    ids = _entries(value)
    if not all(_ACCOUNT_ID.fullmatch(str(entry)) for entry in ids):
        raise Refused("The {label} must be a list of account ids, such as 4,5,6.")
    return ids


def _optional_fields(value: object) -> list[str | int]:
    """Reads a list of names, or an object with a flag for each name."""
    if isinstance(value, dict):
        value = [name for name, flag in value.items() if _as_flag(flag)]
    return _names_in(value, OPTIONAL_FIELDS)


def _names_in(value: object, known: Sequence[str]) -> list[str | int]:
    names = _entries(value)
    if not all(name in known for name in names):
        raise Refused(f"The {{label}} must be a list of these names: {', '.join(known)}.")
    return names


def _saved_filters(value: object) -> list[SavedFilter]:
    items = _objects(value, "filters, each with a name and a query")
    filters = [SavedFilter(name=_text_in(item, "name"), query=_text_in(item, "query")) for item in items]
    if problem := find_filter_problem(filters):
        raise Refused(f"The {{label}} {problem}.")
    return filters


def _dashboard_cards(value: object) -> list[DashboardCard]:
    """Reads a list of cards. A card is shown unless `shown` is false."""
    items = _objects(value, "cards, each with the fields card and shown")
    cards = [
        DashboardCard(
            shown=bool(_as_flag(item.get("shown", True))),
            **{name: _text_in(item, name) for name in ("card", "name", "report", "query")},
        )
        for item in items
    ]
    if problem := find_card_problem(cards):
        raise Refused(f"The {{label}} {problem}.")
    return cards


def _objects(value: object, meaning: str) -> list[dict[str, object]]:
    """Reads a list of objects. Empty data is an empty list, because a form cannot send one in another way."""
    items = [] if value in ("", "[]", [""]) else value
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise Refused(f"The {{label}} must be a list of {meaning}.")
    return items


def _text_in(item: dict[str, object], name: str) -> str:
    value = item.get(name)
    return trim(value) if isinstance(value, str) else ""


def _list_of(_read_value: Callable[[object], list[str | int]]) -> Any:
    return Annotated[list[str | int], FieldParser(_read_value, {"type": "array"})]


Language = Annotated[str, FieldParser(_language, {"type": "string"})]
TimeZone = Annotated[str, _word_that(is_time_zone, "a time zone of the IANA list, such as Europe/Amsterdam")]
_MonthAndDay = Annotated[str, _word_that(is_month_and_day, "a month and a day that exists, such as 04-01")]
_Code = Annotated[str, _word_that(lambda code: len(code) == 3, "the code of a currency, such as EUR", upper=True)]
_KINDS: dict[str, Any] = {
    "language": Language,
    "customFiscalYear": Flag,
    "fiscalYearStart": _MonthAndDay,
    CURRENCY: _Code,
    "transaction_journal_optional_fields": _list_of(_optional_fields),
    "frontPageAccounts": _list_of(_account_ids),
    "viewRange": Annotated[str, choice(*VIEW_RANGES)],
    "listPageSize": Annotated[int, whole(minimum=1, maximum=PAGE_SIZE_MAX)],
    TWO_FACTOR: Flag,
    "timezone": TimeZone,
    "recurrenceCatchUp": Annotated[str, choice(*CATCH_UPS)],
    HOLIDAYS: Annotated[str, FieldParser(_holiday_place, {"type": "string"})],
    SAVED_FILTERS: Annotated[list[SavedFilter], FieldParser(_saved_filters, {"type": "array"})],
    ACCOUNT_ORDER: _list_of(_account_ids),
    GROUP_ORDER: _list_of(lambda value: _names_in(value, list(AccountGroup))),
    DASHBOARD_CARDS: Annotated[list[DashboardCard], FieldParser(_dashboard_cards, {"type": "array"})],
}
_BODIES = {name: create_model(name, __base__=RequestBody, data=(kind | None, None)) for name, kind in _KINDS.items()}


def _read_value(name: str, raw: Mapping[str, object]) -> Parsed[Any]:
    """Reads the new value as the type of the preference."""
    parsed: Parsed[Any] = parse(_BODIES[name], raw)
    if parsed.values.data is None and not parsed.problems:
        parsed.report("data", "The data field is required.")
    return parsed


_BY_FACTORS = (
    "This preference only shows whether you have a second factor. Add or remove one in the settings or with `/factors`."
)
PreferenceThing = Thing[PreferenceAttributes]


def index(call: Call) -> Answer:
    preferences = store.all_of(call.db, call.user_id)
    return answer(call, All(_PREFERENCES.things(call, preferences)), preferences, _PREFERENCES.includes)


def change(call: Call) -> Answer:
    preference = _find(call)
    lifecycle.change(call.db, call.user_id, preference, _read_data(call, preference), call.now)
    note(call, Event.SETTING_CHANGED, about=preference.name, user_id=call.user_id)
    return _PREFERENCES.answer_with(call, preference.id)


def _find(call: Call) -> Preference:
    """Finds a preference by its id, or by its name, which newer clients send."""
    name = call.path["id"]
    if name in NAMES:
        return or_404(store.get_named(call.db, call.user_id, name))
    return or_404(store.get(call.db, call.user_id, call.id))


def _read_data(call: Call, preference: Preference) -> Value:
    name = preference.name
    parsed = _read_value(name, call.fields)
    data: Value = parsed.values.data
    if name == TWO_FACTOR and data is not None and data != preference.data:
        parsed.report("data", _BY_FACTORS)
    parsed.report_all(lifecycle.unknown_currency_problems(call.db, name, data))
    parsed.finish()
    return data


_ID_OR_NAME = {"type": "string", "pattern": f"^([0-9]{{1,18}}|{'|'.join(sorted(NAMES))})$"}
_ID = Parameter("id", _ID_OR_NAME, "The id of the preference, or its name.")
_PREFERENCES: Resource[Preference, Any] = Resource(
    path="/preferences",
    shows=PreferenceThing,
    things=things_without_uri("preferences", lambda _, preference: _show(preference)),
    get=store.get,
    finds=_find,
    takes=PreferenceBody,
    names=(_ID,),
    includes=registry(USER),
)

ROUTES = (
    _PREFERENCES.index("List all preferences", handler=index, gives=All[PreferenceThing], parameters=()),
    _PREFERENCES.show("Show a preference, by id or name"),
    _PREFERENCES.change("Change a preference, by id or name", handler=change, gate=Gate.WHOLE),
)
