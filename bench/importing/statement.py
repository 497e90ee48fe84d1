"""Makes the bank's file to import, always the same, for the books of the benchmark."""

import random
from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct

from ..books import DAYS, EXPENSES, LAST_DAY

HEADER = "Date,Payee,Description,Amount"


class BankRow(Struct, frozen=True, kw_only=True):
    """A payment by card; `shop` is the place of its payee among the expense accounts."""

    on: date
    shop: int
    description: str
    units: int

    @property
    def payee(self) -> str:
        return f"Shop {self.shop:03}"


def make_rows(number: int, *, days: int = DAYS, seed: int = 1) -> list[BankRow]:
    """Up to the last day of the books. Most texts have a number of their own, as those of banks do."""
    chance = random.Random(seed)
    return [
        BankRow(
            on=LAST_DAY - timedelta(days=days - 1 - place * days // number),
            shop=chance.randrange(EXPENSES),
            description=f"Card payment {chance.randrange(1_000_000)} branch {chance.randrange(500)}",
            units=chance.randrange(100, 20_000),
        )
        for place in range(number)
    ]


def as_csv(rows: list[BankRow]) -> bytes:
    return "\n".join((HEADER, *_lines(rows), "")).encode()


def _lines(rows: list[BankRow]) -> Iterator[str]:
    for one in rows:
        yield f"{one.on},{one.payee},{one.description},-{one.units // 100}.{one.units % 100:02}"
