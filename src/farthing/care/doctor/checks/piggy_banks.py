"""Checks that each piggy bank holds the sum of its events."""

from collections.abc import Iterator

from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Unit

from .balances import AmountFormatter
from .basics.finding import DoctorFinding, Person

_KEPT_AND_MADE = f"""
SELECT p.id, p.name, a.currency_id, p.current_units, {HALVES.format(column="e.units")}
FROM piggy_banks p
JOIN accounts a ON a.user_id = p.user_id AND a.id = p.account_id
LEFT JOIN piggy_bank_events e ON e.user_id = p.user_id AND e.piggy_bank_id = p.id
WHERE p.user_id = :user_id GROUP BY p.id, p.name, a.currency_id, p.current_units ORDER BY p.id
"""
_ASTRAY = """
SELECT v.id, v.entry_id FROM piggy_bank_events v
JOIN entries e ON e.user_id = v.user_id AND e.id = v.entry_id
WHERE v.user_id = :user_id AND (e.piggy_bank_id IS NULL OR e.piggy_bank_id <> v.piggy_bank_id) ORDER BY v.id
"""


def piggy_banks(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    for bank_id, name, currency_id, stored, high, low in db.stream(_KEPT_AND_MADE, user_id=person.id):
        true = join_halves(high, low)
        if stored != true:
            yield person.finding(
                "piggy bank",
                f"piggy bank {bank_id} '{name}': it stores {formatter.show(stored, currency_id)}, "
                f"but its events add up to {formatter.show(true, currency_id)}.",
                stored=stored,
                true=true,
            )
    for event_id, entry_id in db.stream(_ASTRAY, user_id=person.id):
        yield person.finding(
            "piggy bank", f"event {event_id} is of the transaction {entry_id}, which names another piggy bank, or none."
        )
