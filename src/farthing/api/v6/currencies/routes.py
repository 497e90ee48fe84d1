"""Serves currencies by their codes."""

from farthing.books.currencies import store
from farthing.books.currencies.model import CurrencyDraft, StoredCurrency
from farthing.books.lifecycle.settings import currencies as lifecycle
from farthing.books.lifecycle.settings import preferences
from farthing.http.answer.document import Item, Page
from farthing.http.answer.pages import read_page_request
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, Gate, Parameter, Route
from farthing.identity.audit import Event
from farthing.kernel.errors import Conflict, Forbidden, Invalid
from farthing.kernel.fields import parse
from farthing.kernel.parsed import ensure
from farthing.kernel.text import parse_id

from ..parts.documents import answer_one, answer_page
from ..parts.partial import over_required
from . import lists
from .wire import CurrencyBody, CurrencyThing, make_currencies


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, stored = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    return answer_page(call, "/currencies", make_currencies(call, stored), total)


def show(call: Call) -> Answer:
    return answer_one(make_currencies(call, [_find(call)])[0])


def show_primary(call: Call) -> Answer:
    return answer_one(make_currencies(call, [or_404(store.get_by_code(call.db, call.caller.currency_code))])[0])


def show_default(call: Call) -> Answer:
    return show_primary(call)


def create(call: Call) -> Answer:
    call.owner_only("create currencies")
    store.claim(call.db)
    parsed = parse(CurrencyBody, call.fields)
    values = parsed.values
    parsed.require("code", "name", "symbol")
    parsed.report_all(
        lifecycle.taken_problems(call.db, name=values.name, code=values.code, symbol=values.symbol, except_id=0)
    )
    parsed.finish()
    draft = CurrencyDraft(
        code=ensure(values.code),
        name=ensure(values.name),
        symbol=ensure(values.symbol),
        places=2 if values.decimal_places is None else values.decimal_places,
    )
    return _answer_saved(call, store.add(call.db, draft, call.now), values)


def change(call: Call) -> Answer:
    """Changes a currency. Only what belongs to everybody needs the owner."""
    found = _find(call)
    if call.fields and call.fields.keys() <= {"primary", "enabled"}:
        own = parse(CurrencyBody, call.fields)
        own.finish()
        return _answer_saved(call, found.currency.id, own.values)
    stored = _claim(call, "change currencies")
    parsed, currency = parse(CurrencyBody, call.fields), stored.currency
    draft = CurrencyDraft(
        code=over_required(parsed, "code", currency.code),
        name=over_required(parsed, "name", currency.name),
        symbol=over_required(parsed, "symbol", currency.symbol),
        places=over_required(parsed, "decimal_places", currency.places),
    )
    parsed.report_all(
        lifecycle.taken_problems(call.db, name=draft.name, code=draft.code, symbol=draft.symbol, except_id=currency.id)
    )
    parsed.report_all(lifecycle.change_problems(call.db, stored, code=draft.code, places=draft.places))
    parsed.finish()
    store.change(call.db, currency.id, draft, call.now)
    return _answer_saved(call, currency.id, parsed.values)


def remove(call: Call) -> Answer:
    lifecycle.remove(call.db, _claim(call, "delete currencies"))
    return NOTHING


def make_primary(call: Call) -> Answer:
    """Makes a currency the primary one, and locks it, so that the owner cannot delete it meanwhile."""
    currency = or_404(store.by_id(call.db, _find(call).currency.id))
    note(call, Event.SETTING_CHANGED, about="currencyPreference", user_id=call.user_id)
    return _answer_saved(call, currency.id, CurrencyBody(primary=True))


def _find(call: Call) -> StoredCurrency:
    """Finds a currency by its code or its id."""
    word = call.path["code"]
    currency_id = parse_id(word)
    stored = store.get_by_code(call.db, word.upper()) if currency_id is None else store.get(call.db, currency_id)
    return or_404(stored)


def _claim(call: Call, action: str) -> StoredCurrency:
    """Locks the currency and reads it again, because it may have changed while we waited."""
    currency_id = _find(call).currency.id
    call.owner_only(action)
    store.claim(call.db, currency_id)
    return or_404(store.get(call.db, currency_id))


def _answer_saved(call: Call, currency_id: int, values: CurrencyBody) -> Answer:
    stored, primary = or_404(store.get(call.db, currency_id)), call.caller.currency_code
    if values.primary:
        primary = stored.currency.code
        preferences.prefer_currency(call.db, call.user_id, primary, call.now)
    if values.enabled is not None:
        _enable(call, stored.currency.code, enabled=values.enabled)
    return answer_one(make_currencies(call, [stored], primary)[0])


def enable(call: Call) -> Answer:
    return _answer_saved(call, _find(call).currency.id, CurrencyBody(enabled=True))


def disable(call: Call) -> Answer:
    return _answer_saved(call, _find(call).currency.id, CurrencyBody(enabled=False))


def _enable(call: Call, code: str, *, enabled: bool) -> None:
    if not enabled and code in lifecycle.find_enabled(call.db, call.user_id, call.caller.currency_code).needed:
        raise Conflict(f"{code} is in use: it is your primary currency, or the currency of one of your accounts.")
    lifecycle.enable(call.db, call.user_id, code, call.now, enabled=enabled)
    note(call, Event.SETTING_CHANGED, about="currenciesEnabled", user_id=call.user_id)


_ONE = Item[CurrencyThing]
_CODE = (Parameter("code", {"type": "string"}, "The code of the currency, or its id."),)
ROUTES = (
    Route("GET", "/currencies", index, "List currencies", gives=Page[CurrencyThing], parameters=PAGED),
    Route(
        "POST", "/currencies", create, "Create a currency; owner only", gives=_ONE, takes=CurrencyBody,
        requires=("code", "name", "symbol"), gate=Gate.SELF, fails=(Conflict, Forbidden),
    ),
    Route("GET", "/currencies/primary", show_primary, "Show the primary currency", gives=_ONE),
    Route("GET", "/currencies/default", show_default, "Show the primary currency, for older clients", gives=_ONE),
    Route("GET", "/currencies/{code}", show, "Show a currency", gives=_ONE, parameters=_CODE),
    Route(
        "PUT", "/currencies/{code}", change, "Change a currency; owner only", gives=_ONE, takes=CurrencyBody,
        parameters=_CODE, gate=Gate.SELF, runs=LARGE, fails=(Conflict, Forbidden),
    ),
    Route(
        "DELETE", "/currencies/{code}", remove, "Delete a custom currency that nobody uses; owner only",
        parameters=_CODE, gate=Gate.SELF, runs=LARGE, fails=(Forbidden, Invalid),
    ),
    Route(
        "POST", "/currencies/{code}/enable", enable, "Enable a currency for yourself",
        gives=_ONE, parameters=_CODE, gate=Gate.WHOLE,
    ),
    Route(
        "POST", "/currencies/{code}/disable", disable, "Disable a currency that none of your accounts uses",
        gives=_ONE, parameters=_CODE, gate=Gate.WHOLE, fails=(Conflict,),
    ),
    *lists.make_routes(_CODE, _find),
    Route(
        "POST", "/currencies/{code}/primary", make_primary, "Make a currency the primary one",
        gives=_ONE, parameters=_CODE, gate=Gate.WHOLE,
    ),
)  # fmt: skip
