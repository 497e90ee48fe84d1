"""Serves currencies. Everybody may read them; only the owner creates, changes and deletes them."""

from collections.abc import Sequence

from farthing.books.currencies import store
from farthing.books.currencies.model import StoredCurrency
from farthing.books.lifecycle.settings import currencies as lifecycle
from farthing.books.lifecycle.settings import preferences
from farthing.http.answer.document import Item, Thing
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, Gate, Parameter
from farthing.identity.audit import Event
from farthing.kernel.errors import Forbidden, Invalid
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed

from ..audit.noting import note
from ..objects import currencies as listing
from ..resources.lists import answer_page, make_thing
from ..resources.resource import Resource
from . import wire

CurrencyThing = Thing[listing.CurrencyAttributes]


def index(call: Call) -> Answer:
    def things(call: Call, currencies: Sequence[StoredCurrency]) -> list[CurrencyThing]:
        return [_thing(call, stored, call.caller.currency_code) for stored in currencies]

    return answer_page(call, "/currencies", store.page, things)


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
    """Looks the currency up with a lock, so that the owner cannot delete it meanwhile."""
    currency = or_404(store.by_id(call.db, _find(call).currency.id))
    note(call, Event.SETTING_CHANGED, about="currencyPreference", user_id=call.user_id)
    return _answer_saved(call, currency.id, prefer=True)


def _find(call: Call) -> StoredCurrency:
    """Finds a currency by its id, or by its code in any case."""
    code = wire.code_meant(call.path["id"])
    return or_404(store.get_by_code(call.db, code) if code else store.get(call.db, call.id))


def _claim(call: Call, doing: str) -> StoredCurrency:
    """Locks the currency and reads it again, because it may have changed while we waited."""
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
    return make_thing(call, "currencies", currency.id, attributes)


_ID_OR_CODE = {"type": "string", "pattern": "^([0-9]{1,18}|[A-Za-z0-9]{3})$"}
_ID = Parameter("id", _ID_OR_CODE, "The id of the currency, or its code.")
_CURRENCIES = Resource(
    path="/currencies", shows=CurrencyThing, takes=wire.CurrencyBody, requires=wire.REQUIRED, names=(_ID,)
)

ROUTES = (
    _CURRENCIES.index(index, "List currencies"),
    _CURRENCIES.create(create, "Create a currency; owner only", gate=Gate.SELF, fails=(Forbidden,)),
    _CURRENCIES.show(show, "Show a currency, by id or code"),
    _CURRENCIES.change(
        change, "Change a currency, by id or code; owner only", gate=Gate.SELF, runs=LARGE, fails=(Forbidden,)
    ),
    _CURRENCIES.remove(
        remove, "Delete a custom currency that nobody uses; owner only",
        gate=Gate.SELF, runs=LARGE, fails=(Forbidden, Invalid),
    ),
    _CURRENCIES.act("default", prefer, "Make a currency your default, by id or code", gate=Gate.WHOLE),
)  # fmt: skip
