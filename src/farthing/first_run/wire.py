"""How does the API name what the first owner says of themselves?"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from ..errors import Problem
from ..fields import Parsed, Reads, Refused, parse, required, text
from ..preferences.model import is_time_zone, language_meant
from ..sessions.wire import Code, Password
from ..users.model import password_problems
from ..users.wire import Email

_as_word = text(64).read


def _zone(value: object) -> str:
    name = str(_as_word(value))
    if not is_time_zone(name):
        raise Refused("The {label} must be a time zone such as Europe/Berlin.")
    return name


def _language(value: object) -> str:
    code = language_meant(str(_as_word(value)))
    if code is None:
        raise Refused("The {label} must be a language such as en_US.")
    return code


class FirstRunBody(BaseModel):
    code: Code | None = Field(None, description="Of the link that `farthing serve` printed.")
    email: Email | None = None
    password: Password | None = Field(None, description="8 characters or more.")
    currency_code: Annotated[str, text(51)] | None = Field(None, description="Left out: EUR.")
    timezone: Annotated[str, Reads(_zone, {"type": "string"})] | None = Field(
        None, description="Such as Europe/Berlin; left out: the setting `FARTHING_TIMEZONE`."
    )
    language: Annotated[str, Reads(_language, {"type": "string"})] | None = Field(
        None, description="Such as en_US, which it is if left out."
    )


class OfferedCurrency(Struct, gc=False):
    code: str
    name: str


class FirstRun(Struct, gc=False):
    needed: bool
    # For the owner to choose from; once there is one, nobody else is told.
    currencies: list[OfferedCurrency]


def read(raw: Mapping[str, object]) -> Parsed[FirstRunBody]:
    return parse(FirstRunBody, raw)


def problems(parsed: Parsed[FirstRunBody]) -> list[Problem]:
    values = parsed.values
    found = [*parsed.problems, *required(parsed, "code", "email", "password")]
    if values.password:
        found += password_problems("password", values.password, values.email or "")
    return found
