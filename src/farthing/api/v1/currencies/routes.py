"""Serves currencies. Everybody may read them; only the owner creates, changes and deletes them."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from farthing.books.currencies import store
from farthing.books.currencies.model import CurrencyDraft, StoredCurrency
from farthing.books.lifecycle.settings import currencies as lifecycle
from farthing.books.lifecycle.settings import preferences
from farthing.http.answer.document import Item, Thing
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, Gate, Parameter
from farthing.identity.audit import Event
from farthing.kernel.errors import Forbidden, Invalid
from farthing.kernel.fields import FieldParser, Flag, Name, Refused, RequestBody, parse, text, whole
from farthing.kernel.money import PLACES_MAX
from farthing.kernel.parsed import ensure

from ..resources.lists import make_thing
from ..resources.resource import Resource
from ..serializers import currencies as listing

# A code has at least one letter, because digits alone are an id.
_CODE = re.compile("(?=.*[A-Z])[A-Z0-9]{3}")
_as_text = text(255).read


def code_meant(word: str) -> str | None:
    """Returns the code in capitals, or None if the word cannot be a code."""
    code = word.upper()
    return code if word.isascii() and _CODE.fullmatch(code) else None


def _code(value: object) -> str:
    code = code_meant(str(_as_text(value)))
    if code is None:
        raise Refused("The {label} must be three letters or digits, at least one of them a letter.")
    return code


_REQUIRED = ("name", "code", "symbol", "decimal_places")


class CurrencyBody(RequestBody):
    name: Name | None = None
    code: Annotated[str, FieldParser(_code, {"type": "string", "pattern": "^[A-Za-z0-9]{3}$"})] | None = None
    symbol: Annotated[str, text(5)] | None = None
    decimal_places: Annotated[int, whole(minimum=0, maximum=PLACES_MAX)] | None = None
    default: Flag | None = None


CurrencyThing = Thing[listing.CurrencyAttributes]


def create(call: Call) -> Answer:
    call.owner_only("create currencies")
    store.claim(call.db)
    draft, prefer = _draft(call, None)
    return _answer_saved(call, store.add(call.db, draft, call.now), prefer=prefer)


def change(call: Call) -> Answer:
    stored = _claim(call, "change currencies")
    draft, prefer = _draft(call, stored)
    store.change(call.db, stored.currency.id, draft, call.now)
    return _answer_saved(call, stored.currency.id, prefer=prefer)


def remove(call: Call) -> Answer:
    stored = _claim(call, "delete currencies")
    lifecycle.remove(call.db, stored)
    return NOTHING


def prefer(call: Call) -> Answer:
    """Makes a currency the caller's default, and locks it, so that the owner cannot delete it meanwhile."""
    currency = or_404(store.by_id(call.db, _find(call).currency.id))
    note(call, Event.SETTING_CHANGED, about="currencyPreference", user_id=call.user_id)
    return _answer_saved(call, currency.id, prefer=True)


def _find(call: Call) -> StoredCurrency:
    """Finds a currency by its id, or by its code (case-insensitive)."""
    code = code_meant(call.path["id"])
    return or_404(store.get_by_code(call.db, code) if code else store.get(call.db, call.id))


def _claim(call: Call, doing: str) -> StoredCurrency:
    """Locks the currency and reads it again, because it may have changed while we waited."""
    currency_id = _find(call).currency.id
    call.owner_only(doing)
    store.claim(call.db, currency_id)
    return or_404(store.get(call.db, currency_id))


def _draft(call: Call, stored: StoredCurrency | None) -> tuple[CurrencyDraft, bool]:
    """Reads the body. Returns the draft, and whether the user wants the currency as their default."""
    parsed = parse(CurrencyBody, call.fields)
    values = parsed.values
    parsed.require(*_REQUIRED)
    currency_id = stored.currency.id if stored else 0
    parsed.report_all(
        lifecycle.taken_problems(
            call.db, name=values.name, code=values.code, symbol=values.symbol, except_id=currency_id
        )
    )
    if stored:
        parsed.report_all(lifecycle.change_problems(call.db, stored, code=values.code, places=values.decimal_places))
    parsed.finish()
    draft = CurrencyDraft(
        code=ensure(values.code),
        name=ensure(values.name),
        symbol=ensure(values.symbol),
        places=ensure(values.decimal_places),
    )
    return draft, bool(values.default)


def _answer_saved(call: Call, currency_id: int, *, prefer: bool) -> Answer:
    stored, code = or_404(store.get(call.db, currency_id)), call.caller.currency_code
    if prefer:
        code = stored.currency.code
        preferences.prefer_currency(call.db, call.user_id, code, call.now)
    return Answer(Item(_things(call, [stored], code)[0]))


def _things(call: Call, currencies: Sequence[StoredCurrency], default_code: str = "") -> list[CurrencyThing]:
    code = default_code or call.caller.currency_code
    enabled = lifecycle.find_enabled(call.db, call.user_id, code)
    attributes = [
        listing.show(stored, default=stored.currency.code == code, enabled=enabled.has(stored.currency.code))
        for stored in currencies
    ]
    pairs = zip(currencies, attributes, strict=True)
    return [make_thing(call, "currencies", stored.currency.id, shown) for stored, shown in pairs]


_ID_OR_CODE = {"type": "string", "pattern": "^([0-9]{1,18}|[A-Za-z0-9]{3})$"}
_ID = Parameter("id", _ID_OR_CODE, "The id of the currency, or its code.")
_CURRENCIES: Resource[Any, Any] = Resource(
    path="/currencies",
    shows=CurrencyThing,
    things=_things,
    finds=_find,
    page=store.page,
    takes=CurrencyBody,
    requires=_REQUIRED,
    names=(_ID,),
)

ROUTES = (
    _CURRENCIES.index("List currencies"),
    _CURRENCIES.create("Create a currency; owner only", handler=create, gate=Gate.SELF, fails=(Forbidden,)),
    _CURRENCIES.show("Show a currency, by id or code"),
    _CURRENCIES.change(
        "Change a currency, by id or code; owner only",
        handler=change, gate=Gate.SELF, runs=LARGE, fails=(Forbidden,),
    ),
    _CURRENCIES.remove(
        "Delete a custom currency that nobody uses; owner only",
        handler=remove, gate=Gate.SELF, runs=LARGE, fails=(Forbidden, Invalid),
    ),
    _CURRENCIES.act("default", prefer, "Make a currency your default, by id or code", gate=Gate.WHOLE),
)  # fmt: skip
