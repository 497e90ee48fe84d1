"""How are budgets answered? The same by themselves and along with their limits."""

from collections.abc import Sequence

from ..http.call import Call
from ..http.document import Thing, thing
from ..labels.listing import sums_of
from . import wire
from .model import Budget

BudgetThing = Thing[wire.BudgetAttributes]


def things(call: Call, budgets: Sequence[Budget]) -> list[BudgetThing]:
    sums = sums_of(call, "budgets", [one.id for one in budgets])
    return [
        thing(call.base, "budgets", one.id, wire.show(one, sums[one.id]), uri=f"/budgets/{one.id}") for one in budgets
    ]
