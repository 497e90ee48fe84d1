"""What can be done with currencies over HTTP? Everyone reads them; the owner makes, changes and deletes them."""

from typing import Any

from ..errors import Forbidden, Invalid, Problem, refuse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page, Thing, thing
from ..http.pages import asked, page
from ..http.route import PAGED, Parameter, Route
from ..preferences import model as preference
from ..preferences import store as preferences
from . import model, store, wire
from .model import Kept

CurrencyThing = Thing[wire.CurrencyAttributes]


def index(call: Call) -> Answer:
    at = asked(call)
    total, currencies = store.page(call.db, limit=at.size, offset=at.offset)
    things = [_thing(call, one, call.caller.currency_code) for one in currencies]
    return Answer(page(call, "/currencies", things, total))


def show(call: Call) -> Answer:
    return _answer(call, _found(call), call.caller.currency_code)


def create(call: Call) -> Answer:
    call.owner_only("make currencies")
    store.claim(call.db)
    values = _values(call, None)
    currency_id = store.add(call.db, wire.draft(values), call.now)
    return _saved(call, currency_id, prefer=bool(values.default))


def change(call: Call) -> Answer:
    kept = _claimed(call, "change currencies")
    values = _values(call, kept)
    store.change(call.db, kept.currency.id, wire.draft(values), call.now)
    return _saved(call, kept.currency.id, prefer=bool(values.default))


def remove(call: Call) -> Answer:
    kept = _claimed(call, "delete currencies")
    refuse(model.removal_problems(kept, store.uses(call.db, kept.currency)))
    store.remove(call.db, kept.currency.id)
    return NOTHING


def prefer(call: Call) -> Answer:
    """Everyone chooses their own default; the look-up keeps the owner from deleting it meanwhile."""
    currency = found(store.by_id(call.db, _found(call).currency.id))
    return _saved(call, currency.id, prefer=True)


def _found(call: Call) -> Kept:
    """By id, or by code in any case."""
    code = wire.code_meant(call.path["id"])
    return found(store.coded(call.db, code) if code else store.get(call.db, call.id))


def _claimed(call: Call, doing: str) -> Kept:
    """Looked up again once it is ours alone: it may have changed while we waited."""
    currency_id = _found(call).currency.id
    call.owner_only(doing)
    store.claim(call.db, currency_id)
    return found(store.get(call.db, currency_id))


def _values(call: Call, kept: Kept | None) -> wire.CurrencyBody:
    parsed = wire.read(call.fields)
    values = parsed.values
    problems = [*parsed.problems, *wire.problems(parsed), *_taken(call, values, kept.currency.id if kept else 0)]
    if kept and (values.code, values.decimal_places) != (kept.currency.code, kept.currency.places):
        uses = store.all_uses(call.db, kept.currency)
        problems += model.change_problems(kept, uses, code=values.code, places=values.decimal_places)
    refuse(problems)
    return values


def _taken(call: Call, values: wire.CurrencyBody, currency_id: int) -> list[Problem]:
    return [
        Problem(column, f"The {column} is already used by another currency.")
        for column in ("name", "code", "symbol")
        if store.taken(call.db, column=column, value=getattr(values, column), except_id=currency_id)
    ]


def _saved(call: Call, currency_id: int, *, prefer: bool) -> Answer:
    kept = found(store.get(call.db, currency_id))
    if not prefer:
        return _answer(call, kept, call.caller.currency_code)
    code = kept.currency.code
    chosen = found(preferences.named(call.db, call.user_id, preference.CURRENCY))
    preferences.change(call.db, call.user_id, chosen.id, code, call.now)
    return _answer(call, kept, code)


def _answer(call: Call, kept: Kept, default_code: str) -> Answer:
    return Answer(Item(_thing(call, kept, default_code)))


def _thing(call: Call, kept: Kept, default_code: str) -> CurrencyThing:
    currency = kept.currency
    attributes = wire.show(kept, default=currency.code == default_code)
    return thing(call.base, "currencies", currency.id, attributes, uri=f"/currencies/{currency.id}")


_ONE: Any = Item[CurrencyThing]
_ID_OR_CODE = {"type": "string", "pattern": "^([0-9]{1,18}|[A-Za-z0-9]{3})$"}
_ID = Parameter("id", _ID_OR_CODE, "The id of the currency, or its code.")
_ALWAYS = ("name", "code", "symbol", "decimal_places")

ROUTES = (
    Route("GET", "/currencies", index, "List currencies", gives=Page[CurrencyThing], parameters=PAGED),
    Route(
        "POST", "/currencies", create, "Make a currency; the owner only",
        gives=_ONE, takes=wire.CurrencyBody, requires=_ALWAYS, fails=(Forbidden,),
    ),
    Route("GET", "/currencies/{id}", show, "Show a currency, by id or code", gives=_ONE, parameters=(_ID,)),
    Route(
        "PUT", "/currencies/{id}", change, "Change a currency, by id or code; the owner only",
        gives=_ONE, takes=wire.CurrencyBody, requires=_ALWAYS, parameters=(_ID,), heavy=True, fails=(Forbidden,),
    ),
    Route(
        "DELETE", "/currencies/{id}", remove, "Delete a custom currency that nobody uses; the owner only",
        parameters=(_ID,), heavy=True, fails=(Forbidden, Invalid),
    ),
    Route(
        "POST", "/currencies/{id}/default", prefer, "Make a currency your default, by id or code",
        gives=_ONE, parameters=(_ID,),
    ),
)  # fmt: skip
