"""Shows suggestions."""

from typing import Annotated

from msgspec import Struct

from farthing.books.transactions.model import Line
from farthing.kernel.fields import RequestBody, whole
from farthing.kernel.shown import Day, Number, number, show_as
from farthing.ledger.kinds import Type
from farthing.overviews.autocomplete.store import AccountName, Name, NamedThing

from ..objects.currencies import currency_fields

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
    """Shows the first split of the last transaction with this description. Amounts are positive."""

    description: str
    transaction_id: str
    date: Day
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
    """`type` is the resource. `detail` is the type of an account, and null for everything else."""

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
