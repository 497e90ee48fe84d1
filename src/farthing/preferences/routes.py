"""What can be done with preferences over HTTP? Reading and changing: every user has all of them from the start."""

from typing import Any

from ..currencies import store as currencies
from ..errors import Problem, refuse
from ..http.call import Answer, Call, found
from ..http.document import All, Item, Thing, thing
from ..http.includes import include, registry
from ..http.relatives import USER
from ..http.route import Parameter, Route
from ..recurrences import store as recurrences
from ..recurrences.relocate import relocate
from . import store, wire
from .model import CURRENCY, HOLIDAYS, NAMES, Preference, Value

PreferenceThing = Thing[wire.PreferenceAttributes]


def index(call: Call) -> Answer:
    preferences = store.all_of(call.db, call.user_id)
    document = All([_thing(call, one) for one in preferences])
    include(call, document, preferences, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, _found(call))


def change(call: Call) -> Answer:
    preference = _found(call)
    data = _data(call, preference.name)
    moving = recurrences.minding_holidays(call.db, call.user_id) if preference.name == HOLIDAYS else []
    store.change(call.db, call.user_id, preference.id, data, call.now)
    relocate(call.db, call.user_id, moving, call.now)
    return _answer(call, found(store.get(call.db, call.user_id, preference.id)))


def _found(call: Call) -> Preference:
    """By id, as at first, or by name, as later clients do."""
    name = call.path["id"]
    if name in NAMES:
        return found(store.named(call.db, call.user_id, name))
    return found(store.get(call.db, call.user_id, call.id))


def _data(call: Call, name: str) -> Value:
    data, problems = wire.read(name, call.fields)
    if name == CURRENCY and isinstance(data, str) and currencies.by_code(call.db, data) is None:
        problems.append(Problem("data", f"The data must be the code of a known currency: there is no {data}."))
    refuse(problems)
    assert data is not None, "without problems there is a value"
    return data


def _answer(call: Call, preference: Preference) -> Answer:
    document = Item(_thing(call, preference))
    include(call, document, [preference], INCLUDES)
    return Answer(document)


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
        gives=_ONE, takes=wire.PreferenceBody, parameters=(_ID,), includes=INCLUDES,
    ),
)  # fmt: skip
