"""Serves suggestions while somebody types."""

from farthing.books.transactions.model import types_named
from farthing.http.request.call import Answer, Call
from farthing.http.route import Parameter, Route
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.text import fold
from farthing.ledger.kinds import HIDDEN, SHOWN, Kind, kinds_named
from farthing.overviews.autocomplete import descriptions as described
from farthing.overviews.autocomplete import everything as named
from farthing.overviews.autocomplete import store

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
    """Several words are combined; without any, all visible kinds."""
    words = [word.strip() for word in call.query.get("type", "").split(",") if word.strip()]
    return frozenset().union(*map(kinds_named, words)) if words else SHOWN - HIDDEN


_QUERY = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "What was typed so far, in any case; nothing means all.",
)
_LIMIT = Parameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": LIMIT_MAX, "default": LIMIT_USUAL},
    "How many suggestions there may be.",
)
_KINDS = Parameter("type", {"type": "string"}, "Which accounts, as in their list; several words with commas between.")
_TYPES = Parameter("type", {"type": "string"}, "Which types of transaction, as in their list.")
_WORDS = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "Beginnings of words of the name, in any case, with or without accents; nothing finds nothing.",
)
_LIMIT_EACH = Parameter("limit", _LIMIT.schema, "How many there may be of each type.")
_USUAL = (_QUERY, _LIMIT)

ROUTES = (
    Route(
        "GET", "/autocomplete/accounts", accounts, "Suggest accounts",
        gives=wire.AccountNames, parameters=(*_USUAL, _KINDS), fails=(Invalid,),
    ),
    Route(
        "GET", "/autocomplete/categories", categories, "Suggest categories",
        gives=wire.Names, parameters=_USUAL, fails=(Invalid,),
    ),
    Route(
        "GET", "/autocomplete/budgets", budgets, "Suggest budgets", gives=wire.Names, parameters=_USUAL,
        fails=(Invalid,),
    ),
    Route(
        "GET", "/autocomplete/bills", bills, "Suggest bills", gives=wire.Names, parameters=_USUAL, fails=(Invalid,),
    ),
    Route("GET", "/autocomplete/tags", tags, "Suggest tags", gives=wire.Names, parameters=_USUAL, fails=(Invalid,)),
    Route(
        "GET", "/autocomplete/everything", everything, "Find anything that has a name, by the beginnings of its words",
        gives=wire.NamedThings, parameters=(_WORDS, _LIMIT_EACH), fails=(Invalid,),
    ),
    Route(
        "GET", "/autocomplete/descriptions", descriptions, "Suggest descriptions, with what was used with them last",
        gives=wire.Descriptions, parameters=(*_USUAL, _TYPES), fails=(Invalid,),
    ),
)  # fmt: skip
