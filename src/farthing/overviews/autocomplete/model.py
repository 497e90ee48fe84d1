"""Suggestions."""

from msgspec import Struct

from farthing.kernel.money import Currency


class Name(Struct, frozen=True):
    id: int
    name: str


class AccountName(Struct, frozen=True):
    id: int
    name: str
    kind: str
    currency: Currency
