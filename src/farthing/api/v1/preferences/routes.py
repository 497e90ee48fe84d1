"""Serves preferences, which can be read and changed; every user has all of them from the start."""

from typing import Any

from farthing.books.lifecycle import preferences as lifecycle
from farthing.books.preferences import store
from farthing.books.preferences.model import NAMES, TWO_FACTOR, Preference, Value
from farthing.http.answer.document import All, Item, Thing, thing
from farthing.http.answer.includes import answer, registry
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import Gate, Parameter, Route
from farthing.identity.audit import Event

from ..audit.noting import note
from ..objects.users import USER
from . import wire

_BY_FACTORS = "This tells whether you have a second factor: add or remove one in the settings, or by `/factors`."
PreferenceThing = Thing[wire.PreferenceAttributes]


def index(call: Call) -> Answer:
    preferences = store.all_of(call.db, call.user_id)
    document = All([_thing(call, preference) for preference in preferences])
    return answer(call, document, preferences, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, _find(call))


def change(call: Call) -> Answer:
    preference = _find(call)
    lifecycle.change(call.db, call.user_id, preference, _read_data(call, preference), call.now)
    note(call, Event.SETTING_CHANGED, about=preference.name, user_id=call.user_id)
    return _answer(call, or_404(store.get(call.db, call.user_id, preference.id)))


def _find(call: Call) -> Preference:
    """By id or, for later clients, by name."""
    name = call.path["id"]
    if name in NAMES:
        return or_404(store.get_named(call.db, call.user_id, name))
    return or_404(store.get(call.db, call.user_id, call.id))


def _read_data(call: Call, preference: Preference) -> Value:
    name = preference.name
    parsed = wire.read(name, call.fields)
    data: Value = parsed.values.data
    if name == TWO_FACTOR and data is not None and data != preference.data:
        parsed.report("data", _BY_FACTORS)
    parsed.report_all(lifecycle.unknown_currency_problems(call.db, name, data))
    parsed.finish()
    return data


def _answer(call: Call, preference: Preference) -> Answer:
    return answer(call, Item(_thing(call, preference)), [preference], INCLUDES)


def _thing(call: Call, preference: Preference) -> PreferenceThing:
    return thing(call.base, "preferences", preference.id, wire.show(preference))


INCLUDES = registry(USER)
_ONE: Any = Item[PreferenceThing]
_ID_OR_NAME = {"type": "string", "pattern": f"^([0-9]{{1,18}}|{'|'.join(sorted(NAMES))})$"}
_ID = Parameter("id", _ID_OR_NAME, "The id of the preference, or its name.")

ROUTES = (
    Route("GET", "/preferences", index, "List all preferences", gives=All[PreferenceThing], includes=INCLUDES),
    Route(
        "GET", "/preferences/{id}", show, "Show a preference, by id or name",
        gives=_ONE, parameters=(_ID,), includes=INCLUDES,
    ),
    Route(
        "PUT", "/preferences/{id}", change, "Change a preference, by id or name",
        gives=_ONE, takes=wire.PreferenceBody, parameters=(_ID,), includes=INCLUDES, gate=Gate.WHOLE,
    ),
)  # fmt: skip
