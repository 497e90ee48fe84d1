"""Shows what was spent and earned under a label."""

from collections.abc import Iterable

from msgspec import Struct

from farthing.books.labels.model import Sum
from farthing.kernel.shown import Number, number


class SumShown(Struct, gc=False):
    """An amount in one currency."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    amount: Number


def show_sums(sums: Iterable[Sum]) -> list[SumShown]:
    return [
        SumShown(
            currency_id=one.currency.id,
            currency_code=one.currency.code,
            currency_symbol=one.currency.symbol,
            currency_dp=one.currency.places,
            amount=number(one.units, one.currency.places),
        )
        for one in sums
    ]
