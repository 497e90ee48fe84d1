"""How does money enter the books? API, import, recurrence and opening balance all pass here."""

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import Invalid, Problem
from ..ledger.entry import Entry
from ..storage.unit import Overflow, Unit
from . import store


def record(db: Unit, user_id: int, entry: Entry, now: str, *, amount_field: str) -> int:
    """`amount_field` is the caller's name for the amount, blamed when a balance would leave 64 bits."""
    with _within_64_bits(amount_field):
        return store.add(db, user_id, entry, now)


def rewrite(db: Unit, user_id: int, entry_id: int, entry: Entry, now: str, *, amount_field: str) -> None:
    with _within_64_bits(amount_field):
        store.change(db, user_id, entry_id, entry, now)


def erase(db: Unit, user_id: int, entry_ids: list[int], *, amount_field: str = "id") -> None:
    """Taking away can overflow too: what balanced a huge amount may be what goes."""
    with _within_64_bits(amount_field):
        store.remove(db, user_id, entry_ids)


@contextmanager
def _within_64_bits(amount_field: str) -> Iterator[None]:
    try:
        yield
    except Overflow as error:
        sentence = "This would push the balance of an account past what 64 bits hold."
        raise Invalid([Problem(amount_field, sentence)]) from error
