"""Serves preferences by name. Every user has the known ones from the start, and clients may add their own."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Struct, to_builtins

from farthing.books.lifecycle.settings import preferences as lifecycle
from farthing.books.preferences import store
from farthing.books.preferences.model import (
    FREE_MAX,
    NAMES,
    NOTICES,
    TWO_FACTOR,
    FreeValue,
    Preference,
    Value,
    find_free_problem,
)
from farthing.books.preferences.values import parse_value
from farthing.http.answer.document import Item, Page, Thing
from farthing.http.answer.pages import read_page_request
from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import PAGED, Gate, Parameter, Route
from farthing.identity import scopes
from farthing.identity.audit import Event
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import FieldParser, Name, RequestBody, parse
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant, show_as

from ..parts.documents import answer_one, answer_page, make_thing

_PERSONAL = "Only the owner of these books may set this, with a token that may change notices."


class PreferenceBody(RequestBody):
    name: Name | None = None
    data: Annotated[Any, FieldParser(lambda value: value, {"description": "The new value."})] = None


class PreferenceAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    name: str
    data: Any


PreferenceThing = Thing[PreferenceAttributes]


def index(call: Call) -> Answer:
    return _answer_with(call, "/preferences", _list(call))


def show_some(call: Call) -> Answer:
    """Lists the preferences that the path names, separated by commas."""
    names = {_STORED_AS.get(name, name): name for name in call.path["names"].split(",")}
    found = [preference for preference in _list(call) if preference.name in names]
    return _answer_with(call, f"/preferences-list/{call.path['names']}", found, names)


def show(call: Call) -> Answer:
    return _answer_named(call, call.path["name"])


def create(call: Call) -> Answer:
    """Sets the preference that the body names. If there is no such preference, adds it."""
    parsed = parse(PreferenceBody, call.fields)
    parsed.require("name", "data")
    parsed.finish()
    name, data = ensure(parsed.values.name), parsed.values.data
    if _is_hidden(call, name, scopes.WRITE):
        refuse_field("name", _PERSONAL)
    if _get(call, name) is not None:
        return _set(call, name)
    if store.count(call.db, call.user_id) >= FREE_MAX + len(NAMES):
        refuse_field("name", f"There may not be more than {FREE_MAX} preferences with names of your own.")
    _refuse_free(name, data)
    store.add(call.db, call.user_id, name, data, call.now)
    return _answer_set(call, name)


def change(call: Call) -> Answer:
    return _set(call, call.path["name"])


def _set(call: Call, name: str) -> Answer:
    preference = or_404(None if _is_hidden(call, name, scopes.WRITE) else _get(call, name))
    lifecycle.change(call.db, call.user_id, preference, _read_data(call, preference), call.now)
    return _answer_set(call, name)


def _read_data(call: Call, preference: Preference) -> Value | FreeValue:
    name = preference.name
    if name not in NAMES:
        parsed = parse(PreferenceBody, call.fields)
        parsed.require("data")
        parsed.finish()
        _refuse_free(name, parsed.values.data)
        value: FreeValue = parsed.values.data
        return value
    parsed_value = parse_value(name, call.fields)
    data: Value = parsed_value.values.data
    if name == TWO_FACTOR and data is not None and data != preference.data:
        parsed_value.report("data", "This preference only shows whether you have a second factor.")
    parsed_value.report_all(lifecycle.unknown_currency_problems(call.db, name, data))
    parsed_value.finish()
    return data


def _refuse_free(name: str, data: object) -> None:
    problem = find_free_problem(name, data)
    if problem:
        refuse_field("data", f"The data {problem}.")


def _answer_set(call: Call, name: str) -> Answer:
    note(call, Event.SETTING_CHANGED, about=name, user_id=call.user_id)
    return _answer_named(call, name)


def _answer_named(call: Call, name: str) -> Answer:
    return answer_one(_make_thing(call, or_404(_get(call, name)), name))


def _is_hidden(call: Call, name: str, access: str = scopes.READ) -> bool:
    """Returns whether this preference is not the caller's business, as the settings of notices belong to a person."""
    caller = call.caller
    lacks = caller.scopes is not None and bool(scopes.find_missing(caller.scopes, ["notices"], access))
    return name == NOTICES and (caller.share is not None or lacks)


def _list(call: Call) -> list[Preference]:
    return [one for one in store.all_of(call.db, call.user_id) if not _is_hidden(call, one.name)]


def _get(call: Call, name: str) -> Preference | None:
    if _is_hidden(call, name):
        return None
    return store.get_named(call.db, call.user_id, _STORED_AS.get(name, name))


def _answer_with(
    call: Call, path: str, preferences: Sequence[Preference], names: Mapping[str, str] = MappingProxyType({})
) -> Answer:
    """Answers with a page of preferences. `names` has the names by which they were asked for."""
    at = read_page_request(call)
    on_page = preferences[at.offset : at.offset + at.size]
    shown = [_make_thing(call, preference, names.get(preference.name, preference.name)) for preference in on_page]
    return answer_page(call, path, shown, len(preferences))


def _make_thing(call: Call, preference: Preference, name: str) -> PreferenceThing:
    attributes = show_as(PreferenceAttributes, preference, name=name, data=to_builtins(preference.data))
    return make_thing(call, "preferences", preference.id, attributes, at=f"/preferences/{name}")


# Clients of version 6 write this name differently.
_STORED_AS = {"frontpageAccounts": "frontPageAccounts"}


_ONE, _PAGE = Item[PreferenceThing], Page[PreferenceThing]
_NAME = (Parameter("name", {"type": "string"}, "The name of the preference."),)
_NAMES = Parameter("names", {"type": "string"}, "The names of the preferences, separated by commas.")
ROUTES = (
    Route("GET", "/preferences", index, "List all preferences", gives=_PAGE, parameters=PAGED),
    Route(
        "POST", "/preferences", create, "Set a preference",
        gives=_ONE, takes=PreferenceBody, requires=("name", "data"), gate=Gate.WHOLE,
    ),
    Route("GET", "/preferences/{name}", show, "Show a preference", gives=_ONE, parameters=_NAME),
    Route(
        "PUT", "/preferences/{name}", change, "Change a preference",
        gives=_ONE, takes=PreferenceBody, requires=("data",), parameters=_NAME, gate=Gate.WHOLE,
    ),
    Route(
        "GET", "/preferences-list/{names}", show_some, "List the named preferences",
        gives=_PAGE, parameters=(_NAMES, *PAGED),
    ),
)  # fmt: skip
