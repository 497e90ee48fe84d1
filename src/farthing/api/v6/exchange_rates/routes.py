"""Serves exchange rates. A rate of a pair and a day that is created again replaces the stored one."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates import store
from farthing.books.exchange_rates.model import ExchangeRate, ExchangeRateDraft, find_rate_problem, pair_problems
from farthing.books.exchange_rates.store import RateFilter
from farthing.http.answer.document import Item, Page
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, Parameter, Route
from farthing.kernel.errors import Problem, refuse
from farthing.kernel.fields import parse, query_day
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.text import parse_id

from ..parts.documents import answer_page
from ..parts.resource import Resource
from . import wire
from .wire import ExchangeRateThing, make_rate

Body = Parsed[wire.ExchangeRateBody]


def show_pair(call: Call) -> Answer:
    return _list(call, _path(call), _filter_pair(call))


def remove_pair(call: Call) -> Answer:
    store.remove_matching(call.db, call.user_id, _filter_pair(call))
    return NOTHING


def show_day(call: Call) -> Answer:
    return _list(call, f"{_path(call)}/{call.path['date']}", _filter_day(call))


def change_day(call: Call) -> Answer:
    stored = _find_day(call)
    store.change(call.db, call.user_id, stored.id, _draft(call, stored), call.now)
    return _RATES.answer_with(call, stored.id)


def remove_day(call: Call) -> Answer:
    store.remove(call.db, call.user_id, _find_day(call).id)
    return NOTHING


def create_by_day(call: Call) -> Answer:
    """Stores the rates of one currency in several others on a day."""
    parsed, on = parse(wire.RatesOfDayBody, call.fields), _read_day(call)
    values = parsed.values
    parsed.require("rates")
    if values.from_word is None and not parsed.wrong("from"):
        parsed.report("from", "The from field is required.")
    from_ = _choose(call, parsed, "from", values.from_word)
    coded = currencies.all_coded(call.db)
    drafts = []
    for code, sent in (values.rates or {}).items():
        to = coded.get(code.upper())
        if to is None:
            parsed.report(f"rates.{code}", f"The selected currency is invalid: there is no currency {code}.")
        if to and to == from_:
            parsed.report_all(pair_problems(from_, to, field=f"rates.{code}"))
        rate = _read_rate(parsed, f"rates.{code}", sent)
        if from_ and to and rate:
            drafts.append(ExchangeRateDraft(from_currency=from_, to_currency=to, on=on, rate=rate))
    parsed.finish()
    return _store(call, f"/exchange-rates/by-date/{on}", drafts)


def create_by_pair(call: Call) -> Answer:
    """Stores the rates of one currency in another on several days. The body maps days to rates."""
    from_, to = _find_pair(call)
    parsed = parse(wire.ExchangeRateBody, {})
    if not 0 < len(call.fields) <= wire.RATES_MAX:
        parsed.report("rates", f"The body must be an object with 1 to {wire.RATES_MAX} days and their rates.")
    drafts = []
    for word, sent in list(call.fields.items())[: wire.RATES_MAX]:
        day = parse(wire.RateBody, {"date": word}).values.date
        rate = _read_rate(parsed, word, sent)
        if day is None:
            parsed.report(word, f"{word} is not a valid date.")
        elif rate:
            on = day.on_day(call.caller.timezone)
            drafts.append(ExchangeRateDraft(from_currency=from_, to_currency=to, on=on, rate=rate))
    parsed.report_all(pair_problems(from_, to, field="to"))
    parsed.finish()
    return _store(call, f"/exchange-rates/by-currencies/{from_.code}/{to.code}", drafts)


def _read_rate(parsed: Parsed[Any], field: str, sent: object) -> Any:
    read = parse(wire.RateBody, {"rate": sent})
    rate = read.values.rate
    problem = find_rate_problem(rate) if rate else "must be a number above zero"
    if problem:
        parsed.report(field, f"The rate {problem}.")
    return None if problem else rate


def _store(call: Call, path: str, drafts: list[ExchangeRateDraft]) -> Answer:
    """Stores rates and answers with them. Of several rates for one pair and day, the last one is kept."""
    by_key = {draft.pair_and_day: draft for draft in drafts}
    store.put(call.db, call.user_id, list(by_key.values()), call.now)
    days = sorted(on for _, _, on in by_key)
    within = RateFilter(from_id=drafts[0].from_currency.id, start_on=days[0], end_on=days[-1])
    _, rates = store.page(call.db, call.user_id, within, limit=wire.RATES_MAX**2, offset=0)
    stored = [rate for rate in rates if (rate.from_currency.id, rate.to_currency.id, rate.on_day) in by_key]
    return answer_page(call, path, _things(call, stored), len(stored))


def _draft(call: Call, stored: ExchangeRate | None) -> ExchangeRateDraft:
    """Reads the body. Fields that a change omits keep their values."""
    parsed = parse(wire.ExchangeRateBody, call.fields)
    values = parsed.values
    if stored is None:
        parsed.require("date", "rate")
        missing = {"from": values.from_word, "to": values.to_word}
        parsed.report_all(
            Problem(name, f"The {name} field is required.")
            for name, word in missing.items()
            if word is None and not parsed.wrong(name)
        )
    from_ = _choose(call, parsed, "from", values.from_word) or (stored.from_currency if stored else None)
    to = _choose(call, parsed, "to", values.to_word) or (stored.to_currency if stored else None)
    parsed.report_all(pair_problems(from_, to, field="to"))
    if values.rate is not None and (problem := find_rate_problem(values.rate)):
        parsed.report("rate", f"The rate {problem}.")
    on = values.date.on_day(call.caller.timezone) if values.date else stored.date if stored else None
    if stored and from_ and to and on:
        pair_and_day = (from_.id, to.id, on.isoformat())
        if same := store.find_same_day(call.db, call.user_id, pair_and_day, except_id=stored.id):
            parsed.report("date", f"There is already a rate of {from_.code} in {to.code} on {on}: rate {same}.")
    parsed.finish()
    rate = values.rate or (stored.value if stored else None)
    return ExchangeRateDraft(from_currency=ensure(from_), to_currency=ensure(to), on=ensure(on), rate=ensure(rate))


def _add(call: Call, draft: ExchangeRateDraft) -> int:
    """Adds a rate, or replaces the one of the same pair and day, because clients do not look for it first."""
    same = store.find_same_day(call.db, call.user_id, draft.pair_and_day, except_id=0)
    if same is None:
        return store.add(call.db, call.user_id, draft, call.now)
    store.change(call.db, call.user_id, same, draft, call.now)
    return same


def _choose(call: Call, parsed: Parsed[Any], field: str, word: str | None) -> Currency | None:
    currency = _find_currency(call, word) if word else None
    if word and currency is None:
        parsed.report(field, f"The selected {field} is invalid: it must be the code or the id of a currency.")
    return currency


def _find_currency(call: Call, word: str) -> Currency | None:
    currency_id = parse_id(word)
    return currencies.by_code(call.db, word.upper()) if currency_id is None else currencies.by_id(call.db, currency_id)


def _find_pair(call: Call) -> tuple[Currency, Currency]:
    from_, to = (or_404(currencies.by_code(call.db, call.path[name].upper())) for name in ("from", "to"))
    return from_, to


def _filter_pair(call: Call) -> RateFilter:
    from_, to = _find_pair(call)
    return RateFilter(from_id=from_.id, to_id=to.id)


def _filter_day(call: Call) -> RateFilter:
    from_, to = _find_pair(call)
    on = _read_day(call).isoformat()
    return RateFilter(from_id=from_.id, to_id=to.id, start_on=on, end_on=on)


def _find_day(call: Call) -> ExchangeRate:
    _, rates = store.page(call.db, call.user_id, _filter_day(call), limit=1, offset=0)
    return or_404(next(iter(rates), None))


def _read_day(call: Call) -> date:
    day = query_day(call.path["date"], "date")
    if day is None:
        refuse([Problem("date", "The date is not a valid date.")])
    return ensure(day)


def _path(call: Call) -> str:
    return f"/exchange-rates/{call.path['from']}/{call.path['to']}"


def _list(call: Call, path: str, chosen: RateFilter) -> Answer:
    at = read_page_request(call)
    total, rates = store.page(call.db, call.user_id, chosen, limit=at.size, offset=at.offset)
    return answer_page(call, path, _things(call, rates), total)


def _things(call: Call, rates: Iterable[ExchangeRate]) -> list[ExchangeRateThing]:
    return [make_rate(call, rate) for rate in rates]


_RATES = Resource(
    path="/exchange-rates",
    shows=ExchangeRateThing,
    things=_things,
    get=store.get,
    page=store.page,
    filters=lambda _: {"chosen": RateFilter()},
    draft=_draft,
    add=_add,
    update=lambda call, rate, draft: store.change(call.db, call.user_id, rate.id, draft, call.now),
    delete=lambda call, rate: store.remove(call.db, call.user_id, rate.id),
    takes=wire.ExchangeRateBody,
)
_WORD = {"type": "string"}
_FROM = Parameter("from", _WORD, "The code of the currency to convert from.")
_TO = Parameter("to", _WORD, "The code of the currency to convert into.")
_DATE = Parameter("date", {"type": "string", "format": "date"}, "The day of the rate.")
_PAIR, _DAY = "/exchange-rates/{from}/{to}", "/exchange-rates/{from}/{to}/{date}"
_PAGE = Page[ExchangeRateThing]
ROUTES = (
    _RATES.index("List your exchange rates, newest first"),
    _RATES.create("Create or replace an exchange rate", requires=("from", "to", "date", "rate")),
    _RATES.show("Show an exchange rate"),
    _RATES.change("Change an exchange rate"),
    _RATES.remove("Delete an exchange rate"),
    Route(
        "POST", "/exchange-rates/by-date/{date}", create_by_day, "Create or replace several rates of a currency",
        gives=_PAGE, takes=wire.RatesOfDayBody, requires=("from", "rates"), parameters=(_DATE,), runs=LARGE,
    ),
    Route(
        "POST", "/exchange-rates/by-currencies/{from}/{to}", create_by_pair, "Create or replace rates on several days",
        gives=_PAGE, takes=wire.RatesByDayBody, parameters=(_FROM, _TO), runs=LARGE,
    ),
    Route("GET", _PAIR, show_pair, "List the rates of two currencies", gives=_PAGE, parameters=(_FROM, _TO, *PAGED)),
    Route("DELETE", _PAIR, remove_pair, "Delete all rates of two currencies", parameters=(_FROM, _TO), runs=LARGE),
    Route(
        "GET", _DAY, show_day, "List the rates of two currencies on a day",
        gives=_PAGE, parameters=(_FROM, _TO, _DATE, *PAGED),
    ),
    Route(
        "PUT", _DAY, change_day, "Change the rate of two currencies on a day",
        gives=Item[ExchangeRateThing], takes=wire.ExchangeRateBody, parameters=(_FROM, _TO, _DATE),
    ),
    Route("DELETE", _DAY, remove_day, "Delete the rate of two currencies on a day", parameters=(_FROM, _TO, _DATE)),
)  # fmt: skip
