"""Shows totals converted into one currency, with the day of the rate and the currencies without a rate."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import ConvertedTotal
from farthing.http.request.call import Call
from farthing.http.route import Parameter
from farthing.kernel.errors import refuse_field
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay, number
from farthing.kernel.text import parse_id

CONVERT = Parameter(
    "convert",
    {"type": "string"},
    "Adds converted totals: `1` for your primary currency, or the code of a currency.",
)


class ConvertedAmount(Struct, gc=False):
    """`rate_date` is the day of the oldest rate used, or null if no rate was needed.

    `missing` lists the codes of currencies without a rate, whose totals are not included in `amount`.
    """

    amount: Number
    rate_date: ShownDay | None
    missing: list[str]


def show(total: ConvertedTotal, to: Currency, currencies_by_id: Mapping[int, Currency]) -> ConvertedAmount:
    return ConvertedAmount(
        amount=number(total.units, to.places),
        rate_date=total.rates_on,
        missing=[currencies_by_id[currency_id].code for currency_id in total.missing_ids],
    )


def find_target(call: Call) -> Currency | None:
    """Finds the currency that `convert` names. Returns None if it is omitted, empty or 0."""
    word = call.query.get("convert", "")
    if word in ("", "0", "false"):
        return None
    return find_primary(call, "convert") if word in ("1", "true") else find_named(call, "convert")


def find_primary(call: Call, name: str) -> Currency:
    """Finds the user's primary currency. If this currency was deleted, reports a problem with the field `name`."""
    code = call.caller.currency_code
    currency = currencies.by_code(call.db, code)
    if currency is None:
        refuse_field(name, f"Your primary currency {code} was deleted. Choose another one in your preferences.")
    return currency


def find_named(call: Call, name: str) -> Currency:
    """Finds the currency that the query names, by id or by code."""
    word = call.query.get(name, "")
    number_ = parse_id(word)
    currency = currencies.by_id(call.db, number_) if number_ else currencies.by_code(call.db, word.upper())
    if currency is None:
        refuse_field(name, f"The selected {name} is invalid: it must be the code or the id of a currency.")
    return currency
