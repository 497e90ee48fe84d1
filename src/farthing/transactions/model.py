"""What is a transaction, seen from outside? One line per split, with the names of everything it touches."""

from dataclasses import dataclass

from ..money import Currency


@dataclass(frozen=True)
class Seen:
    """An account as a line shows it."""

    id: int
    name: str
    iban: str | None
    kind: str


@dataclass(frozen=True)
class Line:
    id: int
    entry_id: int
    position: int
    type: int
    on: str
    entry_description: str
    description: str | None
    notes: str | None
    reconciled: bool
    created_at: str
    updated_at: str
    units: int
    currency: Currency
    foreign_units: int | None
    foreign_currency: Currency | None
    source: Seen
    destination: Seen
