"""Reads the first owner's details."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from farthing.kernel.fields import RequestBody, parse, text
from farthing.kernel.parsed import Parsed

from ..preferences.wire import Language, TimeZone
from ..sessions.wire import Code, Password
from ..users.wire import Email, check_new_user


class FirstRunBody(RequestBody):
    code: Code | None = Field(None, description="Of the link that `farthing serve` printed.")
    email: Email | None = None
    password: Password | None = Field(None, description="8 characters or more.")
    currency_code: Annotated[str, text(51)] | None = Field(None, description="Left out: EUR.")
    timezone: TimeZone | None = Field(
        None, description="Such as Europe/Berlin; left out: the setting `FARTHING_TIMEZONE`."
    )
    language: Language | None = Field(None, description="Such as en_US, which it is if left out.")


class OfferedCurrency(Struct, gc=False):
    code: str
    name: str


class FirstRun(Struct, gc=False):
    needed: bool
    # For the owner to choose from; empty once there is an owner.
    currencies: list[OfferedCurrency]


def read(raw: Mapping[str, object]) -> Parsed[FirstRunBody]:
    parsed = parse(FirstRunBody, raw)
    check_new_user(parsed)
    return parsed
