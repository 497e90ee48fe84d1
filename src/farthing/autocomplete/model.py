"""What is suggested?"""

from typing import NamedTuple

from ..money import Currency


class Name(NamedTuple):
    id: int
    name: str


class AccountName(NamedTuple):
    id: int
    name: str
    kind: str
    currency: Currency
