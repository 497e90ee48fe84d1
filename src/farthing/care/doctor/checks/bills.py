"""Checks the words of bills, and that only withdrawals pay them."""

from collections.abc import Iterator

import msgspec

from farthing.books.bills.model import longest_word, words_key
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .basics.finding import DoctorFinding, Person, name_type


def bills(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    yield from _words(db, person)
    yield from _links(db, person)


def _words(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks the columns derived from the words."""
    rows = db.stream(
        "SELECT id, name, words, words_key, longest_word FROM bills WHERE user_id = :user_id ORDER BY id",
        user_id=person.id,
    )
    for bill_id, name, words, *stored in rows:
        meant = tuple(msgspec.json.decode(words))
        if stored != [words_key(meant), longest_word(meant)]:
            quoted = ", ".join(f"'{word}'" for word in meant)
            yield person.finding("bill", f"bill {bill_id} '{name}' does not look for its words {quoted}.")


def _links(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    rows = db.stream(
        """
        SELECT id, type, on_day, bill_id FROM entries
        WHERE user_id = :user_id AND bill_id IS NOT NULL AND type <> :withdrawal ORDER BY id
        """,
        user_id=person.id,
        withdrawal=int(Type.WITHDRAWAL),
    )
    for entry_id, type_, on, bill_id in rows:
        sentence = f"the {name_type(type_)} {entry_id} of {on} pays bill {bill_id}, but only withdrawals pay bills."
        yield person.finding("bill", sentence, period=on)
