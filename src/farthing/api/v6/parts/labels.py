"""Shows what was spent and earned with categories, budgets and tags."""

from collections.abc import Sequence

from msgspec import Struct

from farthing.books.labels import store
from farthing.books.labels.model import Sum, Sums
from farthing.http.request.call import Call
from farthing.http.resources.lists import read_within
from farthing.ledger.entry import Label

from . import primary
from .primary import Primary

_NONE = Sums()


class LabelSums(Struct, gc=False):
    """Holds the sums of one label, as they are and converted. Amounts that were spent are negative."""

    spent: list[primary.Sum]
    pc_spent: list[primary.Sum]
    earned: list[primary.Sum]
    pc_earned: list[primary.Sum]


def load_sums(call: Call, own: Primary, label: Label, label_ids: Sequence[int]) -> list[LabelSums]:
    """Returns the sums of each label from `start` to `end`. Without a range, they are empty."""
    within = read_within(call)
    by_id = store.sums(call.db, call.user_id, label, label_ids, within) if within else {}
    found = [by_id.get(label_id, _NONE) for label_id in label_ids]
    spent, earned = [negate(sums.spent) for sums in found], [sums.earned for sums in found]
    on = min(within[1], call.today).isoformat() if within else ""
    converted = own.convert_sums([*spent, *earned], on)
    pc_spent, pc_earned = converted[: len(found)], converted[len(found) :]
    return [
        LabelSums(primary.show_sums(out), pc_out, primary.show_sums(in_), pc_in)
        for out, pc_out, in_, pc_in in zip(spent, pc_spent, earned, pc_earned, strict=True)
    ]


def negate(sums: Sequence[Sum]) -> list[Sum]:
    return [Sum(total.currency, -total.units) for total in sums]
