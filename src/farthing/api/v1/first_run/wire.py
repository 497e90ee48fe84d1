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
    code: Code | None = Field(None, description="The code of the link that `farthing serve` printed.")
    email: Email | None = None
    password: Password | None = Field(None, description="Has 8 characters or more.")
    currency_code: Annotated[str, text(51)] | None = Field(None, description="Defaults to EUR.")
    timezone: TimeZone | None = Field(
        None, description="A name such as Europe/Berlin. Defaults to the setting `FARTHING_TIMEZONE`."
    )
    language: Language | None = Field(None, description="Defaults to en_US.")


class OfferedCurrency(Struct, gc=False):
    code: str
    name: str


class FirstRun(Struct, gc=False):
    needed: bool
    # The owner chooses from these; the list is empty once there is an owner.
    currencies: list[OfferedCurrency]


def read(raw: Mapping[str, object]) -> Parsed[FirstRunBody]:
    parsed = parse(FirstRunBody, raw)
    check_new_user(parsed)
    return parsed
