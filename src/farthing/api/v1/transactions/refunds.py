"""Shows the purchase that a refund is for, and the refunds of a purchase."""

from msgspec import Struct

from farthing.books.transactions import lines
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import Route
from farthing.kernel.shown import Number, ShownDay, number
from farthing.overviews.refunds import find
from farthing.overviews.refunds.find import Trade

from ..serializers.currencies import InCurrency, currency_fields


class TradeShown(InCurrency, gc=False, kw_only=True):
    """Shows a purchase or a refund. `amount` is positive."""

    transaction_id: str
    date: ShownDay
    description: str
    amount: Number


class RelatedRefunds(Struct, gc=False):
    """`purchase` is the probable purchase of a refund, and `refunds` are the probable refunds of a purchase.

    They are found by payee, day and amount.
    """

    purchase: TradeShown | None
    refunds: list[TradeShown]


def refunds(call: Call) -> Answer:
    entry_id, _ = or_404(lines.entry_of(call.db, call.user_id, call.id))
    related = find.find(call.db, call.user_id, entry_id)
    purchase = _show(related.purchase) if related.purchase else None
    return Answer(Item(RelatedRefunds(purchase=purchase, refunds=[_show(refund) for refund in related.refunds])))


def _show(trade: Trade) -> TradeShown:
    return TradeShown(
        **currency_fields(trade.currency),
        transaction_id=str(trade.id),
        date=trade.on,
        description=trade.description,
        amount=number(trade.units, trade.currency.places),
    )


ROUTE = Route(
    "GET", "/transactions/{id}/refunds", refunds, "Show the purchase of a refund, or the refunds of a purchase",
    gives=Item[RelatedRefunds],
)  # fmt: skip
