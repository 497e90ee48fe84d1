"""Serves exchange rates. Users read and write their own; published ones are read-only."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from farthing.books.currencies import store as currencies
from farthing.books.currencies.choose import choose
from farthing.books.exchange_rates import store
from farthing.books.exchange_rates.model import ExchangeRate, ExchangeRateDraft, pair_problems
from farthing.books.exchange_rates.store import put
from farthing.http.answer.document import Item, Thing
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, RANGED, Parameter, Route
from farthing.kernel.errors import refuse
from farthing.kernel.fields import parse_complete
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure
from farthing.moving.exchange_rates.csv_file import read_csv
from farthing.moving.exchange_rates.rows import draft_rates

from ..resources.lists import answer_page, make_thing
from ..resources.resource import Resource
from . import conversions, source, wire
from .totals import find_named

RateThing = Thing[wire.ExchangeRateAttributes]


def index(call: Call) -> Answer:
    only = _read_filter(call)
    return _answer_list(call, "exchange_rates", lambda db, user_id, **at: store.page(db, user_id, only, **at))


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    parsed = wire.read(call.fields)
    parsed.require("date", "rate")
    return _answer(call, store.add(call.db, call.user_id, _draft(call, parsed, None), call.now))


def change(call: Call) -> Answer:
    """Keeps what is omitted."""
    rate = or_404(store.get(call.db, call.user_id, call.id))
    draft = _draft(call, wire.read(call.fields), rate)
    store.change(call.db, call.user_id, rate.id, draft, call.now)
    return _answer(call, rate.id)


def remove(call: Call) -> Answer:
    rate = or_404(store.get(call.db, call.user_id, call.id))
    store.remove(call.db, call.user_id, rate.id)
    return NOTHING


def import_file(call: Call) -> Answer:
    """Imports all rows or none."""
    values = parse_complete(wire.RateFileBody, call.fields, "file")
    rows, problems = read_csv(ensure(values.file))
    refuse(problems)
    drafts, problems = draft_rates(rows, currencies.all_coded(call.db))
    refuse(problems)
    return Answer(Item(wire.show_counts(put(call.db, call.user_id, drafts, call.now))))


def index_published(call: Call) -> Answer:
    only = _read_filter(call)
    return _answer_list(call, "published_rates", lambda db, _, **at: store.page_published(db, only, **at))


def show_published(call: Call) -> Answer:
    return Answer(Item(_thing(call, "published_rates", or_404(store.get_published(call.db, call.id)))))


def _draft(call: Call, parsed: Parsed[wire.ExchangeRateBody], stored: ExchangeRate | None) -> ExchangeRateDraft:
    from_ = _choose(call, parsed, "from", stored.from_currency if stored else None)
    to = _choose(call, parsed, "to", stored.to_currency if stored else None)
    parsed.report_all(pair_problems(from_, to, field="to_currency_code"))
    values = parsed.values
    on = values.date or (stored.date if stored and not parsed.wrong("date") else None)
    rate = values.rate or (stored.value if stored and not parsed.wrong("rate") else None)
    if from_ and to and on:
        same = store.find_same_day(
            call.db, call.user_id, (from_.id, to.id, on.isoformat()), except_id=stored.id if stored else 0
        )
        if same:
            sentence = f"There is already a rate of {from_.code} in {to.code} on {on}. Change that one, {same}."
            parsed.report("date", sentence)
    refuse(wire.name_as_sent(call.fields, parsed.problems))
    return ExchangeRateDraft(from_currency=ensure(from_), to_currency=ensure(to), on=ensure(on), rate=ensure(rate))


def _choose(call: Call, parsed: Parsed[wire.ExchangeRateBody], side: str, default: Currency | None) -> Currency | None:
    id_field, code_field = f"{side}_currency_id", f"{side}_currency_code"
    if parsed.absent(id_field, code_field):
        if default is None:
            parsed.require_either(id_field, code_field)
        return default
    return choose(call.db, parsed, id_field=id_field, code_field=code_field)


def _read_filter(call: Call) -> store.RateFilter:
    days = call.days()
    start, end = days["start"], days["end"]
    return store.RateFilter(
        from_id=find_named(call, "from").id if call.query.get("from") else None,
        to_id=find_named(call, "to").id if call.query.get("to") else None,
        start_on=start.isoformat() if start else None,
        end_on=end.isoformat() if end else None,
    )


def _answer_list(call: Call, kind: str, load: Callable[..., tuple[int, Sequence[ExchangeRate]]]) -> Answer:
    def things(call: Call, rates: Sequence[ExchangeRate]) -> list[RateThing]:
        return [_thing(call, kind, rate) for rate in rates]

    parameters = {name: call.query.get(name, "") for name in ("from", "to")}
    return answer_page(call, f"/{kind}", load, things, parameters=parameters)


def _answer(call: Call, rate_id: int) -> Answer:
    return Answer(Item(_thing(call, "exchange_rates", or_404(store.get(call.db, call.user_id, rate_id)))))


def _thing(call: Call, kind: str, rate: ExchangeRate) -> RateThing:
    return make_thing(call, kind, rate.id, wire.show(rate))


_CURRENCY: Mapping[str, Any] = {"type": "string", "pattern": "^([0-9]{1,18}|[A-Za-z0-9]{3})$"}
_FILTERS = (
    Parameter("from", _CURRENCY, "Only rates of this currency, by code or id."),
    Parameter("to", _CURRENCY, "Only rates in this currency, by code or id."),
    Parameter(RANGED[0].name, RANGED[0].schema, "Only rates of this day or later."),
    Parameter(RANGED[1].name, RANGED[1].schema, "Only rates of this day or earlier."),
)
_RATES = Resource(path="/exchange_rates", shows=RateThing, takes=wire.ExchangeRateBody)
_PUBLISHED = Resource(path="/published_rates", shows=RateThing)

ROUTES = (
    _RATES.index(index, "List your exchange rates, newest first", *_FILTERS),
    _RATES.create(create, "Create an exchange rate", requires=("date", "rate")),
    Route(
        "POST", "/exchange_rates/import", import_file, "Import exchange rates from CSV, all or nothing",
        gives=Item[wire.PutCount], takes=wire.RateFileBody, requires=("file",), runs=LARGE,
    ),
    *conversions.ROUTES,
    *source.ROUTES,
    _RATES.show(show, "Show an exchange rate"),
    _RATES.change(change, "Change an exchange rate; omitted fields are kept"),
    _RATES.remove(remove, "Delete an exchange rate"),
    _PUBLISHED.index(index_published, "List published exchange rates, newest first", *_FILTERS),
    _PUBLISHED.show(show_published, "Show a published exchange rate"),
)  # fmt: skip
