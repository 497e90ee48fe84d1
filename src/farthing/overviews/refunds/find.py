"""Finds the purchase of a refund, and the refunds of a purchase: by payee, day and amount. Stores nothing."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from msgspec import Struct

from farthing.books.accounts import store as accounts
from farthing.books.currencies import store as currencies
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

# The purchase of a refund is at most this much older than the refund.
_WITHIN = timedelta(days=365)
# The most splits of the payee to read, newest first.
_LOOKED_AT_MAX = 1000


class Trade(Struct, frozen=True):
    """A purchase or a refund: a transaction with one payee, in one currency. `id` is the id of its first split."""

    entry_id: int
    id: int
    on: str
    description: str
    is_refund: bool
    currency: Currency
    units: int

    @property
    def order(self) -> tuple[str, int]:
        return self.on, self.entry_id


class Related(Struct, frozen=True):
    """Holds the `purchase` that a refund refunds, or the `refunds` of a purchase."""

    purchase: Trade | None = None
    refunds: Sequence[Trade] = ()


def find(db: Unit, user_id: int, entry_id: int) -> Related:
    trades = _read_trades(db, user_id, entry_id)
    this = next((trade for trade in trades if trade.entry_id == entry_id), None)
    if this is None:
        return Related()
    if this.is_refund:
        return Related(purchase=find_purchase(this, trades))
    refunds = [trade for trade in trades if trade.is_refund and find_purchase(trade, trades) == this]
    return Related(refunds=sorted(refunds, key=lambda trade: trade.order))


def find_purchase(refund: Trade, trades: Iterable[Trade]) -> Trade | None:
    """Returns the latest purchase of the same amount or, if there is none, the latest purchase of a larger amount."""
    earliest = (date.fromisoformat(refund.on) - _WITHIN).isoformat()
    fitting = [
        trade
        for trade in trades
        if not trade.is_refund
        and earliest <= trade.on <= refund.on
        and trade.currency == refund.currency
        and trade.units >= refund.units
    ]
    return max(fitting, key=lambda trade: (trade.units == refund.units, trade.order), default=None)


_THIS = f"""
SELECT on_day, CASE WHEN refund = 1 THEN source_id ELSE destination_id END FROM splits
WHERE user_id = :user_id AND entry_id = :entry_id AND (type = {Type.WITHDRAWAL:d} OR refund = 1)
ORDER BY position LIMIT 1
"""
_PURCHASES = f"s.type = {Type.WITHDRAWAL:d} AND s.destination_id IN :payees"
_REFUNDS = "s.refund = 1 AND s.source_id IN :payees"
# Purchases and refunds are read one after the other, because each has an index of its own.
_TRADES = """
SELECT s.entry_id, s.id, s.on_day, e.description, s.refund, s.currency_id, s.units
FROM splits s JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
WHERE s.user_id = :user_id AND s.on_day >= :first AND s.on_day <= :last
    AND {chosen}
ORDER BY s.on_day DESC, s.entry_id DESC, s.position LIMIT :most
"""


def _read_trades(db: Unit, user_id: int, entry_id: int) -> list[Trade]:
    this = db.one(_THIS, user_id=user_id, entry_id=entry_id)
    if this is None:
        return []
    on = date.fromisoformat(this[0])
    chosen: dict[str, Any] = {
        "payees": accounts.find_payee_ids(db, user_id, this[1]) or [this[1]],
        "first": (on - _WITHIN).isoformat(),
        "last": (on + _WITHIN).isoformat(),
        "most": _LOOKED_AT_MAX,
    }
    rows = [
        row
        for condition in (_PURCHASES, _REFUNDS)
        for row in db.all(_TRADES.format(chosen=condition), user_id=user_id, **chosen)
    ]
    by_id = currencies.by_ids(db, {row[5] for row in rows})
    trades: dict[tuple[int, int], Trade] = {}
    for entry, id_, day, description, refund, currency_id, units in rows:
        known = trades.get((entry, currency_id))
        trades[entry, currency_id] = Trade(
            entry_id=entry,
            id=known.id if known else id_,
            on=day,
            description=description,
            is_refund=bool(refund),
            currency=by_id[currency_id],
            units=units + (known.units if known else 0),
        )
    return list(trades.values())
