"""Serves suggestions while the user types."""

from typing import Annotated, Any

from msgspec import Struct

from farthing.books.transactions.model import Line, types_named
from farthing.http.request.call import Answer, Call
from farthing.http.resources.resource import Handler
from farthing.http.route import Parameter, Route
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.fields import RequestBody, parse_complete, whole
from farthing.kernel.shown import Number, ShownDay, number, show_as
from farthing.kernel.text import fold
from farthing.ledger.kinds import HIDDEN, SHOWN, Kind, Type, kinds_named
from farthing.overviews.autocomplete import descriptions as described
from farthing.overviews.autocomplete import named_things as named
from farthing.overviews.autocomplete import store
from farthing.overviews.autocomplete.store import AccountName, Name, NamedThing

from ..serializers.currencies import currency_fields

LIMIT_USUAL, LIMIT_MAX = 10, 50


class SuggestQuery(RequestBody):
    limit: Annotated[int, whole(minimum=1, maximum=LIMIT_MAX)] | None = None


class NameShown(Struct, gc=False):
    id: str
    name: str


class AccountNameShown(NameShown, gc=False):
    type: str
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int


class DescriptionShown(Struct, gc=False):
    """Shows the first split of the latest transaction with this description. Amounts are positive."""

    description: str
    transaction_id: str
    date: ShownDay
    type: str
    amount: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    source_id: int
    source_name: str
    destination_id: int
    destination_name: str
    category_id: int | None
    category_name: str | None
    budget_id: int | None
    budget_name: str | None
    tags: list[str]


class NamedThingShown(Struct, gc=False):
    """`type` is the resource, such as `accounts`. `detail` is the type of an account, and null for other objects."""

    type: str
    id: str
    name: str
    detail: str | None
    active: bool


class NamedThings(Struct, gc=False):
    data: list[NamedThingShown]


class Names(Struct, gc=False):
    data: list[NameShown]


class AccountNames(Struct, gc=False):
    data: list[AccountNameShown]


class Descriptions(Struct, gc=False):
    data: list[DescriptionShown]


def show_name(name: Name) -> NameShown:
    return NameShown(id=str(name.id), name=name.name)


def show_thing(thing: NamedThing) -> NamedThingShown:
    return show_as(NamedThingShown, thing, id=str(thing.id))


def show_account(account: AccountName) -> AccountNameShown:
    return AccountNameShown(
        id=str(account.id), name=account.name, type=account.kind, **currency_fields(account.currency)
    )


def show_description(line: Line) -> DescriptionShown:
    currency = line.currency
    return DescriptionShown(
        description=line.entry.description,
        transaction_id=str(line.id),
        date=line.on,
        type=Type(line.type).label,
        amount=number(line.units, currency.places),
        **currency_fields(currency),
        source_id=line.source.id,
        source_name=line.source.name,
        destination_id=line.destination.id,
        destination_name=line.destination.name,
        category_id=line.category.id if line.category else None,
        category_name=line.category.name if line.category else None,
        budget_id=line.budget.id if line.budget else None,
        budget_name=line.budget.name if line.budget else None,
        tags=list(line.entry.tags),
    )


_CHARACTERS_MAX = 255


def accounts(call: Call) -> Answer:
    matches = store.accounts(call.db, call.user_id, _kinds(call), fold(_read_text(call)), limit=_limit(call))
    return Answer(AccountNames([show_account(match) for match in matches]))


def categories(call: Call) -> Answer:
    return _names(call, "categories")


def budgets(call: Call) -> Answer:
    return _names(call, "budgets")


def bills(call: Call) -> Answer:
    return _names(call, "bills")


def tags(call: Call) -> Answer:
    return _names(call, "tags")


def object_groups(call: Call) -> Answer:
    return _names(call, "object_groups")


def everything(call: Call) -> Answer:
    matches = named.find(call.db, call.user_id, _read_text(call), limit=_limit(call))
    return Answer(NamedThings([show_thing(match) for match in matches]))


def descriptions(call: Call) -> Answer:
    types = types_named(call.query.get("type") or "default")
    matches = described.newest(call.db, call.user_id, _read_text(call), types, limit=_limit(call))
    return Answer(Descriptions([show_description(match) for match in matches]))


def _names(call: Call, table: str) -> Answer:
    matches = store.names(call.db, call.user_id, table, fold(_read_text(call)), limit=_limit(call))
    return Answer(Names([show_name(match) for match in matches]))


def _read_text(call: Call) -> str:
    typed = call.query.get("query", "").replace("\0", "")
    if len(typed) > _CHARACTERS_MAX:
        refuse_field("query", f"The query may not be greater than {_CHARACTERS_MAX} characters.")
    return typed


def _limit(call: Call) -> int:
    return parse_complete(SuggestQuery, call.query).limit or LIMIT_USUAL


def _kinds(call: Call) -> frozenset[Kind]:
    """Returns the kinds that the comma-separated words name, or all visible kinds if there are no words."""
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
    "The maximum number of suggestions.",
)
_KINDS = Parameter(
    "type",
    {"type": "string"},
    "Suggests only accounts of these types, comma-separated. Accepts the same words as `GET /accounts`.",
)
_TYPES = Parameter(
    "type",
    {"type": "string"},
    "Searches only transactions of this type. Accepts the same words as `GET /transactions`.",
)
_WORDS = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "The beginnings of words in the name. Case and accents are ignored. If empty, nothing matches.",
)
_LIMIT_EACH = Parameter("limit", _LIMIT.schema, "The maximum number of results of each type.")


def _suggest(noun: str, handler: Handler, gives: Any, *more: Parameter) -> Route:
    parameters = (_QUERY, _LIMIT, *more)
    return Route(
        "GET",
        f"/autocomplete/{noun}",
        handler,
        f"Suggest {noun.replace('_', ' ')}",
        gives=gives,
        parameters=parameters,
        fails=(Invalid,),
    )


ROUTES = (
    _suggest("accounts", accounts, AccountNames, _KINDS),
    _suggest("categories", categories, Names),
    _suggest("budgets", budgets, Names),
    _suggest("bills", bills, Names),
    _suggest("tags", tags, Names),
    _suggest("object_groups", object_groups, Names),
    Route(
        "GET", "/autocomplete/everything", everything,
        "Find objects of all types by the beginnings of words in their names",
        gives=NamedThings, parameters=(_WORDS, _LIMIT_EACH), fails=(Invalid,),
    ),
    Route(
        "GET", "/autocomplete/descriptions", descriptions,
        "Suggest descriptions, with the accounts and labels last used with each",
        gives=Descriptions, parameters=(_QUERY, _LIMIT, _TYPES), fails=(Invalid,),
    ),
)  # fmt: skip
