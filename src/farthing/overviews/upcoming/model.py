"""Defines expected payments and their days."""

from datetime import date

from msgspec import Struct

from farthing.kernel.money import Currency


class Expected(Struct, frozen=True):
    """An amount that may not be known exactly, as a range."""

    currency: Currency
    lowest_units: int
    highest_units: int


class Counterpart(Struct, frozen=True):
    """The recurrence that pays a bill, or the bill that a recurrence pays, and its day."""

    kind: str
    id: int
    name: str
    on: date

    @property
    def day(self) -> tuple[int, date]:
        return self.id, self.on


class ExpectedItem(Struct, frozen=True):
    """`reason` says why the payment does not fall on its planned day."""

    on: date
    kind: str
    id: int
    planned_on: date
    name: str
    state: str
    reason: str | None
    transaction_type: str
    amounts: tuple[Expected, ...]
    counterpart: Counterpart | None = None

    @property
    def order(self) -> tuple[date, str, int, date]:
        return self.on, self.kind, self.id, self.planned_on
