"""Serves exchange rates. Users read and write their own rates; published rates are read-only."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from farthing.books.currencies import store as currencies
from farthing.books.currencies.choose import choose
from farthing.books.exchange_rates import store
from farthing.books.exchange_rates.model import ExchangeRate, ExchangeRateDraft, pair_problems
from farthing.books.exchange_rates.store import put
from farthing.http.answer.document import Item, Thing
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, RANGED, Gate, Parameter, Route
from farthing.kernel.clock import shift
from farthing.kernel.errors import Conflict, Forbidden, TooMany, refuse
from farthing.kernel.fields import parse_complete
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.settings.parsing import NO_RATES
from farthing.moving.exchange_rates import fetching
from farthing.moving.exchange_rates.csv_file import read_csv
from farthing.moving.exchange_rates.rows import draft_rates
from farthing.storage import installation
from farthing.storage.installation import RATES, RATES_ASKED

from ..resources.lists import make_thing
from ..resources.resource import Resource
from . import conversions, wire
from .totals import find_named

_PAUSE = timedelta(minutes=1)


def show_source(call: Call) -> Answer:
    return _answer_source(call)


def fetch(call: Call) -> Answer:
    """Requests a fetch, which the job process carries out. `waiting` is true until it has finished."""
    call.owner_only("fetch exchange rates")
    if fetching.find_source(call.settings) is None:
        raise Conflict("No source of exchange rates is set. Set FARTHING_RATES to ecb or to an address, and restart.")
    _refuse_too_soon(call)
    fetching.ask_for_fetch(call.db, call.now)
    installation.touch(call.db)
    return _answer_source(call)


def _refuse_too_soon(call: Call) -> None:
    last = installation.load_checkups(call.db).get(RATES)
    free_at = shift(last.at, _PAUSE) if last else ""
    if last and last.at <= call.now < free_at:
        left = datetime.fromisoformat(free_at) - datetime.fromisoformat(call.now)
        raise TooMany("Exchange rates were fetched a moment ago.", retry_after_s=int(left.total_seconds()))


def _answer_source(call: Call) -> Answer:
    checkups = installation.load_checkups(call.db)
    last, request = checkups.get(RATES), checkups.get(RATES_ASKED)
    source = fetching.find_source(call.settings)
    data = wire.SourceData(
        source=source.name if source else NO_RATES,
        fetched_at=last.at if last else None,
        failure=call.say(last.note) if last and last.problems and last.note else None,
        newest_date=store.find_newest_published(call.db),
        waiting=bool(source and request and (last is None or request.at > last.at)),
    )
    return Answer(Item(data))


_SOURCE_ROUTES = (
    Route(
        "GET", "/exchange_rates/source", show_source, "Show the source of published rates",
        gives=Item[wire.SourceData],
    ),
    Route(
        "POST", "/exchange_rates/fetch", fetch, "Fetch published rates now; owner only",
        gives=Item[wire.SourceData], gate=Gate.SELF, fails=(Forbidden, Conflict, TooMany),
    ),
)  # fmt: skip


RateThing = Thing[wire.ExchangeRateAttributes]


def import_file(call: Call) -> Answer:
    """Imports all rows of the file, or none if any row is invalid."""
    values = parse_complete(wire.RateFileBody, call.fields, "file")
    rows, problems = read_csv(ensure(values.file))
    refuse(problems)
    drafts, problems = draft_rates(rows, currencies.all_coded(call.db))
    refuse(problems)
    return Answer(Item(wire.show_counts(put(call.db, call.user_id, drafts, call.now))))


def index_published(call: Call) -> Answer:
    return _PUBLISHED.list_page(call)


def show_published(call: Call) -> Answer:
    return _PUBLISHED.answer(call, _PUBLISHED.find(call))


def _draft(call: Call, stored: ExchangeRate | None) -> ExchangeRateDraft:
    """Reads the body. Fields that a change omits keep their values."""
    parsed = wire.read(call.fields)
    if stored is None:
        parsed.require("date", "rate")
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
            sentence = f"There is already a rate of {from_.code} in {to.code} on {on}. Change rate {same} instead."
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


def _read_filter(call: Call) -> dict[str, store.RateFilter]:
    days = call.days()
    start, end = days["start"], days["end"]
    chosen = store.RateFilter(
        from_id=find_named(call, "from").id if call.query.get("from") else None,
        to_id=find_named(call, "to").id if call.query.get("to") else None,
        start_on=start.isoformat() if start else None,
        end_on=end.isoformat() if end else None,
    )
    return {"chosen": chosen}


def _link(call: Call) -> dict[str, str]:
    return {name: call.query.get(name, "") for name in ("from", "to")}


_CURRENCY: Mapping[str, Any] = {"type": "string", "pattern": "^([0-9]{1,18}|[A-Za-z0-9]{3})$"}
_FILTERS = (
    Parameter("from", _CURRENCY, "Lists only rates that convert from this currency (code or id)."),
    Parameter("to", _CURRENCY, "Lists only rates that convert into this currency (code or id)."),
    Parameter(RANGED[0].name, RANGED[0].schema, "Lists only rates on or after this day."),
    Parameter(RANGED[1].name, RANGED[1].schema, "Lists only rates on or before this day."),
)
OWN_RATES = Resource(
    path="/exchange_rates",
    shows=RateThing,
    things=lambda call, rates: [make_thing(call, "exchange_rates", rate.id, wire.show(rate)) for rate in rates],
    get=store.get,
    page=store.page,
    filters=_read_filter,
    links=_link,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, rate, draft: store.change(call.db, call.user_id, rate.id, draft, call.now),
    delete=lambda call, rate: store.remove(call.db, call.user_id, rate.id),
    takes=wire.ExchangeRateBody,
)
_PUBLISHED: Resource[ExchangeRate, None] = Resource(
    path="/published_rates",
    shows=RateThing,
    things=lambda call, rates: [make_thing(call, "published_rates", rate.id, wire.show(rate)) for rate in rates],
    get=lambda db, _, rate_id: store.get_published(db, rate_id),
    page=lambda db, _, **of_page: store.page_published(db, **of_page),
    filters=_read_filter,
    links=_link,
)

ROUTES = (
    OWN_RATES.index("List your exchange rates, newest first", *_FILTERS),
    OWN_RATES.create("Create an exchange rate", requires=("date", "rate")),
    Route(
        "POST", "/exchange_rates/import", import_file, "Import exchange rates from CSV, all or nothing",
        gives=Item[wire.PutCount], takes=wire.RateFileBody, requires=("file",), runs=LARGE,
    ),
    *conversions.ROUTES,
    *_SOURCE_ROUTES,
    OWN_RATES.show("Show an exchange rate"),
    OWN_RATES.change("Change an exchange rate; omitted fields are kept"),
    OWN_RATES.remove("Delete an exchange rate"),
    _PUBLISHED.index("List published exchange rates, newest first", *_FILTERS, handler=index_published),
    _PUBLISHED.show("Show a published exchange rate", handler=show_published),
)  # fmt: skip
