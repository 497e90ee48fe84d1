"""Serves currencies. Everyone may read them; only the owner creates, changes and deletes them."""

from typing import Any

from farthing.books.currencies import store
from farthing.books.currencies.model import StoredCurrency
from farthing.books.lifecycle import currencies as lifecycle
from farthing.books.lifecycle import preferences
from farthing.http.answer.document import Item, Page, Thing, thing
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, Gate, Parameter, Route
from farthing.identity.audit import Event
from farthing.kernel.errors import Forbidden, Invalid
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed

from ..audit.noting import note
from ..objects import currencies as listing
from . import wire

CurrencyThing = Thing[listing.CurrencyAttributes]


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, currencies = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    things = [_thing(call, stored, call.caller.currency_code) for stored in currencies]
    return Answer(page(call, "/currencies", things, total))


def show(call: Call) -> Answer:
    return _answer(call, _find(call), call.caller.currency_code)


def create(call: Call) -> Answer:
    call.owner_only("make currencies")
    store.claim(call.db)
    parsed = _read(call, None)
    currency_id = store.add(call.db, wire.draft(parsed), call.now)
    return _answer_saved(call, currency_id, prefer=bool(parsed.values.default))


def change(call: Call) -> Answer:
    stored = _claim(call, "change currencies")
    parsed = _read(call, stored)
    store.change(call.db, stored.currency.id, wire.draft(parsed), call.now)
    return _answer_saved(call, stored.currency.id, prefer=bool(parsed.values.default))


def remove(call: Call) -> Answer:
    stored = _claim(call, "delete currencies")
    lifecycle.remove(call.db, stored)
    return NOTHING


def prefer(call: Call) -> Answer:
    """Everyone chooses their own default; looking it up locks it, so that the owner cannot delete it meanwhile."""
    currency = or_404(store.by_id(call.db, _find(call).currency.id))
    note(call, Event.SETTING_CHANGED, about="currencyPreference", user_id=call.user_id)
    return _answer_saved(call, currency.id, prefer=True)


def _find(call: Call) -> StoredCurrency:
    """By id, or by code ignoring case."""
    code = wire.code_meant(call.path["id"])
    return or_404(store.get_by_code(call.db, code) if code else store.get(call.db, call.id))


def _claim(call: Call, doing: str) -> StoredCurrency:
    """Looks it up again under the lock, because it may have changed while we waited."""
    currency_id = _find(call).currency.id
    call.owner_only(doing)
    store.claim(call.db, currency_id)
    return or_404(store.get(call.db, currency_id))


def _read(call: Call, stored: StoredCurrency | None) -> Parsed[wire.CurrencyBody]:
    parsed = parse(wire.CurrencyBody, call.fields)
    values = parsed.values
    parsed.require(*wire.REQUIRED)
    kept_id = stored.currency.id if stored else 0
    parsed.report_all(
        lifecycle.taken_problems(call.db, name=values.name, code=values.code, symbol=values.symbol, except_id=kept_id)
    )
    if stored:
        parsed.report_all(lifecycle.change_problems(call.db, stored, code=values.code, places=values.decimal_places))
    return parsed


def _answer_saved(call: Call, currency_id: int, *, prefer: bool) -> Answer:
    stored = or_404(store.get(call.db, currency_id))
    if not prefer:
        return _answer(call, stored, call.caller.currency_code)
    preferences.prefer_currency(call.db, call.user_id, stored.currency.code, call.now)
    return _answer(call, stored, stored.currency.code)


def _answer(call: Call, stored: StoredCurrency, default_code: str) -> Answer:
    return Answer(Item(_thing(call, stored, default_code)))


def _thing(call: Call, stored: StoredCurrency, default_code: str) -> CurrencyThing:
    currency = stored.currency
    attributes = listing.show(stored, default=currency.code == default_code)
    return thing(call.base, "currencies", currency.id, attributes, uri=f"/currencies/{currency.id}")


_ONE: Any = Item[CurrencyThing]
_ID_OR_CODE = {"type": "string", "pattern": "^([0-9]{1,18}|[A-Za-z0-9]{3})$"}
_ID = Parameter("id", _ID_OR_CODE, "The id of the currency, or its code.")

ROUTES = (
    Route("GET", "/currencies", index, "List currencies", gives=Page[CurrencyThing], parameters=PAGED),
    Route(
        "POST", "/currencies", create, "Make a currency; the owner only",
        gives=_ONE, takes=wire.CurrencyBody, requires=wire.REQUIRED, gate=Gate.SELF, fails=(Forbidden,),
    ),
    Route("GET", "/currencies/{id}", show, "Show a currency, by id or code", gives=_ONE, parameters=(_ID,)),
    Route(
        "PUT", "/currencies/{id}", change, "Change a currency, by id or code; the owner only",
        gives=_ONE, takes=wire.CurrencyBody, requires=wire.REQUIRED, parameters=(_ID,), gate=Gate.SELF, runs=LARGE,
        fails=(Forbidden,),
    ),
    Route(
        "DELETE", "/currencies/{id}", remove, "Delete a custom currency that nobody uses; the owner only",
        parameters=(_ID,), gate=Gate.SELF, runs=LARGE, fails=(Forbidden, Invalid),
    ),
    Route(
        "POST", "/currencies/{id}/default", prefer, "Make a currency your default, by id or code",
        gives=_ONE, parameters=(_ID,), gate=Gate.WHOLE,
    ),
)  # fmt: skip
