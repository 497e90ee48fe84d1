"""Defines suggestions."""

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


class NamedThing(Struct, frozen=True):
    """An object with a page of its own. `detail` is the kind of an account."""

    type: str
    id: int
    name: str
    detail: str | None
    active: bool
