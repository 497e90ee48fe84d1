"""Serves preferences. Every user has all of them from the start, so they are only read and changed."""

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from farthing.books.lifecycle.settings import preferences as lifecycle
from farthing.books.preferences import store
from farthing.books.preferences.model import (
    NAMES,
    TWO_FACTOR,
    DashboardCard,
    FreeValue,
    Preference,
    SavedFilter,
    Value,
)
from farthing.books.preferences.values import parse_value
from farthing.http.answer.document import All, Thing
from farthing.http.answer.includes import answer, registry
from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import Gate, Parameter
from farthing.identity.audit import Event
from farthing.kernel.fields import FieldParser, RequestBody
from farthing.kernel.shown import Dated, show_as

from ..resources.lists import things_without_uri
from ..resources.resource import Resource
from ..serializers.users import USER

_DATA_SCHEMA = {
    "type": ["string", "integer", "boolean", "array", "object"],
    "items": {"type": ["string", "integer", "object"]},
    "description": "The new value, whose type depends on the preference. Lists may be comma-separated text.",
}


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


def _show_value(data: Value | FreeValue) -> str | int | bool | list[str | int | SavedFilterShown]:
    assert not isinstance(data, float | dict), "these belong to preferences that version 6 has added"
    if not isinstance(data, list):
        return data
    return [_show_item(item) for item in data]


def _show_item(item: str | int | SavedFilter | DashboardCard) -> str | int | SavedFilterShown:
    if isinstance(item, SavedFilter):
        return SavedFilterShown(item.name, item.query)
    if isinstance(item, DashboardCard):
        return show_as(SavedFilterShown, item)
    return item


_BY_FACTORS = (
    "This preference only shows whether you have a second factor. Add or remove one in the settings or with `/factors`."
)
PreferenceThing = Thing[PreferenceAttributes]


def index(call: Call) -> Answer:
    preferences = [preference for preference in store.all_of(call.db, call.user_id) if preference.name in NAMES]
    return answer(call, All(PREFERENCES.things(call, preferences)), preferences, PREFERENCES.includes)


def change(call: Call) -> Answer:
    preference = _find(call)
    lifecycle.change(call.db, call.user_id, preference, _read_data(call, preference), call.now)
    note(call, Event.SETTING_CHANGED, about=preference.name, user_id=call.user_id)
    return PREFERENCES.answer_with(call, preference.id)


def _find(call: Call) -> Preference:
    """Finds a preference by its id, or by its name, which newer clients send."""
    name = call.path["id"]
    if name in NAMES:
        return or_404(store.get_named(call.db, call.user_id, name))
    preference = or_404(store.get(call.db, call.user_id, call.id))
    # Clients of version 6 may have added preferences, whose values may be of any type.
    return or_404(preference if preference.name in NAMES else None)


def _read_data(call: Call, preference: Preference) -> Value:
    name = preference.name
    parsed = parse_value(name, call.fields)
    data: Value = parsed.values.data
    if name == TWO_FACTOR and data is not None and data != preference.data:
        parsed.report("data", _BY_FACTORS)
    parsed.report_all(lifecycle.unknown_currency_problems(call.db, name, data))
    parsed.finish()
    return data


_ID_OR_NAME = {"type": "string", "pattern": f"^([0-9]{{1,18}}|{'|'.join(sorted(NAMES))})$"}
_ID = Parameter("id", _ID_OR_NAME, "The id of the preference, or its name.")
PREFERENCES: Resource[Preference, Any] = Resource(
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
    PREFERENCES.index("List all preferences", handler=index, gives=All[PreferenceThing], parameters=()),
    PREFERENCES.show("Show a preference, by id or name"),
    PREFERENCES.change("Change a preference, by id or name", handler=change, gate=Gate.WHOLE),
)
