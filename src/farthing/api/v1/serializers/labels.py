"""Shows what was spent and earned with a category, budget or tag."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from farthing.books.labels import store
from farthing.books.labels.model import Sum, Sums
from farthing.http.request.call import Call
from farthing.http.resources.lists import read_within
from farthing.kernel.shown import Number, number
from farthing.ledger.entry import Label

from .currencies import InCurrency, currency_fields
from .users import USER

# Answers with labels always include the owner of the books.
OWNER = replace(USER, default=True)


class SumShown(InCurrency, gc=False, kw_only=True):
    """Holds an amount in one currency."""

    amount: Number


def show_sums(sums: Iterable[Sum]) -> list[SumShown]:
    return [
        SumShown(**currency_fields(total.currency), amount=number(total.units, total.currency.places)) for total in sums
    ]


def sums_of(call: Call, label: Label, label_ids: Sequence[int]) -> dict[int, Sums]:
    """Adds up the days from `start` to `end` if both were sent, and otherwise all days."""
    return store.sums(call.db, call.user_id, label, label_ids, read_within(call))
