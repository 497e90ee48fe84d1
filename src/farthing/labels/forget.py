"""What happens when a label goes? Transactions and recurrences stay, without it."""

from ..ledger.entry import Label
from ..recurrences import labels as recurrences
from ..storage.unit import Unit
from ..transactions import store as transactions
from . import store


def forget(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    transactions.forget_label(db, user_id, label, label_id)
    recurrences.forget_label(db, user_id, label, label_id)
    store.remove(db, user_id, label, label_id)
