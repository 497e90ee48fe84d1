"""Converts amounts, and shows the latest rates of the currencies that the caller's accounts use."""

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates import store
from farthing.books.exchange_rates.convert import DatedAmount, KnownRates, convert, load_rates
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import DATE, Parameter, Route
from farthing.kernel.errors import Invalid, Problem
from farthing.kernel.money import Currency, NotRepresentable, to_units
from farthing.kernel.parsed import ensure

from ..serializers.currencies import currency_fields
from . import wire
from .totals import find_named, find_primary


def show_converted(call: Call) -> Answer:
    call.days()  # reports an invalid day before anything else
    parsed = wire.read_query_amount(call.query)
    if not call.query.get("from"):
        parsed.problems.append(Problem("from", "The from field is required: send the code or the id of a currency."))
    parsed.finish()
    from_, to = find_named(call, "from"), _find_target(call)
    day = (call.day or call.today).isoformat()
    amount = DatedAmount(currency_id=from_.id, units=_read_units(parsed, from_), on=day)
    [conversion] = convert(call.db, call.user_id, [amount], to.id)
    currencies_by_id = {from_.id: from_, to.id: to}
    if conversion.rate and conversion.rate.via_id:
        currencies_by_id |= currencies.by_ids(call.db, {conversion.rate.via_id})
    return Answer(Item(wire.show_conversion(conversion, currencies_by_id, to)))


def index_latest(call: Call) -> Answer:
    """Lists the latest rate of each currency that the caller's accounts use."""
    to, day = _find_target(call), (call.day or call.today).isoformat()
    held = store.list_held_currencies(call.db, call.user_id)
    amounts = [DatedAmount(currency_id=currency.id, units=1, on=day) for currency in held if currency.id != to.id]
    rates = load_rates(call.db, call.user_id, amounts, to.id)
    used = {amount.currency_id: rates.find(amount.currency_id, day) for amount in amounts}
    via = currencies.by_ids(call.db, {rate.via_id for rate in used.values() if rate and rate.via_id})
    data = [_show_latest(currency, rates, day, via) for currency in held if currency.id != to.id]
    return Answer(wire.LatestRates(data, to.code))


def _show_latest(currency: Currency, rates: KnownRates, day: str, via: dict[int, Currency]) -> wire.LatestRate:
    used = rates.find(currency.id, day)
    return wire.LatestRate(
        **currency_fields(currency),
        currency_name=currency.name,
        rate=wire.show_fraction(used.rate) if used else None,
        rate_date=used.on if used else None,
        via_currency_code=via[used.via_id].code if used and used.via_id else None,
    )


def _find_target(call: Call) -> Currency:
    return find_named(call, "to") if call.query.get("to") else find_primary(call, "to")


def _read_units(parsed: wire.ParsedQuery, currency: Currency) -> int:
    try:
        return to_units(ensure(parsed.values.amount), currency)
    except NotRepresentable as error:
        raise Invalid([Problem("amount", f"The amount {error}.")]) from error


_CODE_OR_ID = {"type": "string", "pattern": "^([0-9]{1,18}|[A-Za-z0-9]{3})$"}
_AMOUNT = Parameter("amount", {"type": "string"}, "An exact amount, such as 12.50.", required=True)
_FROM = Parameter("from", _CODE_OR_ID, "The currency of the amount, by code or id.", required=True)
_TO = Parameter("to", _CODE_OR_ID, "The target currency, by code or id. Defaults to your primary currency.")
_DATE = Parameter("date", DATE.schema, "Uses the latest rate on or before this day. Defaults to today.")

ROUTES = (
    Route(
        "GET", "/exchange_rates/convert", show_converted, "Convert an amount",
        gives=Item[wire.ConversionData], parameters=(_AMOUNT, _FROM, _TO, _DATE),
    ),
    Route(
        "GET", "/exchange_rates/latest", index_latest, "Show the latest rate of each currency that your accounts use",
        gives=wire.LatestRates, parameters=(_TO, _DATE),
    ),
)  # fmt: skip
