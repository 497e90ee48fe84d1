"""Serves suggestions while the user types."""

from typing import Any

from farthing.books.transactions.model import types_named
from farthing.http.request.call import Answer, Call
from farthing.http.route import Parameter, Route
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.text import fold
from farthing.ledger.kinds import HIDDEN, SHOWN, Kind, kinds_named
from farthing.overviews.autocomplete import descriptions as described
from farthing.overviews.autocomplete import named_things as named
from farthing.overviews.autocomplete import store

from ..resources.resource import Handler
from . import wire
from .wire import LIMIT_MAX, LIMIT_USUAL, SuggestQuery

_CHARACTERS_MAX = 255


def accounts(call: Call) -> Answer:
    matches = store.accounts(call.db, call.user_id, _kinds(call), fold(_read_text(call)), limit=_limit(call))
    return Answer(wire.AccountNames([wire.show_account(match) for match in matches]))


def categories(call: Call) -> Answer:
    return _names(call, "categories")


def budgets(call: Call) -> Answer:
    return _names(call, "budgets")


def bills(call: Call) -> Answer:
    return _names(call, "bills")


def tags(call: Call) -> Answer:
    return _names(call, "tags")


def everything(call: Call) -> Answer:
    matches = named.find(call.db, call.user_id, _read_text(call), limit=_limit(call))
    return Answer(wire.NamedThings([wire.show_thing(match) for match in matches]))


def descriptions(call: Call) -> Answer:
    types = types_named(call.query.get("type") or "default")
    matches = described.newest(call.db, call.user_id, _read_text(call), types, limit=_limit(call))
    return Answer(wire.Descriptions([wire.show_description(match) for match in matches]))


def _names(call: Call, table: str) -> Answer:
    matches = store.names(call.db, call.user_id, table, fold(_read_text(call)), limit=_limit(call))
    return Answer(wire.Names([wire.show_name(match) for match in matches]))


def _read_text(call: Call) -> str:
    typed = call.query.get("query", "").replace("\0", "")
    if len(typed) > _CHARACTERS_MAX:
        refuse_field("query", f"The query may not be greater than {_CHARACTERS_MAX} characters.")
    return typed


def _limit(call: Call) -> int:
    return parse_complete(SuggestQuery, call.query).limit or LIMIT_USUAL


def _kinds(call: Call) -> frozenset[Kind]:
    """Combines several words; without any, all visible kinds are meant."""
    words = [word.strip() for word in call.query.get("type", "").split(",") if word.strip()]
    return frozenset().union(*map(kinds_named, words)) if words else SHOWN - HIDDEN


_QUERY = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "The text typed so far (case-insensitive). If empty, everything matches.",
)
_LIMIT = Parameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": LIMIT_MAX, "default": LIMIT_USUAL},
    "The largest number of suggestions.",
)
_KINDS = Parameter("type", {"type": "string"}, "The types of account, as in their list, comma-separated.")
_TYPES = Parameter("type", {"type": "string"}, "The types of transaction, as in their list.")
_WORDS = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "The beginnings of words of the name (case-insensitive, with or without accents). If empty, nothing matches.",
)
_LIMIT_EACH = Parameter("limit", _LIMIT.schema, "The largest number of each type.")


def _suggest(noun: str, handler: Handler, gives: Any, *more: Parameter) -> Route:
    parameters = (_QUERY, _LIMIT, *more)
    return Route(
        "GET", f"/autocomplete/{noun}", handler, f"Suggest {noun}", gives=gives, parameters=parameters, fails=(Invalid,)
    )


ROUTES = (
    _suggest("accounts", accounts, wire.AccountNames, _KINDS),
    _suggest("categories", categories, wire.Names),
    _suggest("budgets", budgets, wire.Names),
    _suggest("bills", bills, wire.Names),
    _suggest("tags", tags, wire.Names),
    Route(
        "GET", "/autocomplete/everything", everything, "Find anything that has a name, by the beginnings of its words",
        gives=wire.NamedThings, parameters=(_WORDS, _LIMIT_EACH), fails=(Invalid,),
    ),
    Route(
        "GET", "/autocomplete/descriptions", descriptions,
        "Suggest descriptions, with the accounts and labels last used with each",
        gives=wire.Descriptions, parameters=(_QUERY, _LIMIT, _TYPES), fails=(Invalid,),
    ),
)  # fmt: skip
