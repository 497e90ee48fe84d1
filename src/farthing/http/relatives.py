"""Which relatives do several kinds of object share? The user, above all."""

from collections.abc import Callable, Sequence
from typing import Any

from ..currencies import store as currencies
from ..currencies import wire as currencies_wire
from ..currencies.model import Kept
from ..users import wire as users_wire
from .call import Call
from .document import Thing, thing
from .includes import Include, Related


def caller_thing(call: Call) -> Thing[Any]:
    user = call.caller.user
    return thing(call.base, "users", user.id, users_wire.show(user), uri=f"/users/{user.id}")


def _user(call: Call, objects: Sequence[Any]) -> list[Related]:
    """Every object belongs to the caller: nobody sees anyone else's."""
    return [caller_thing(call)] * len(objects)


USER = Include("user", _user)


def transaction_currency(currency_id: Callable[[Any], int]) -> Include:
    """The currency of an object, by default along with it; one query for a page."""

    def load(call: Call, objects: Sequence[Any]) -> list[Related]:
        kept = currencies.all_of(call.db, {currency_id(one) for one in objects})
        shown = {one.currency.id: _currency_thing(call, one) for one in kept}
        return [shown[currency_id(one)] for one in objects]

    return Include("transaction_currency", load, default=True)


def _currency_thing(call: Call, kept: Kept) -> Thing[Any]:
    attributes = currencies_wire.show(kept, default=False)
    return thing(
        call.base, "transaction_currencies", kept.currency.id, attributes, uri=f"/currencies/{kept.currency.id}"
    )
