"""Reads the bodies of users."""

from collections.abc import Mapping
from typing import Annotated, Protocol

from msgspec import Struct
from msgspec.structs import replace

from farthing.identity import addresses
from farthing.identity.user import Role, User, password_problems
from farthing.kernel.fields import FieldParser, Flag, RequestBody, choice, described, parse, parse_complete, text, whole
from farthing.kernel.limits import QUOTA_BYTES_MAX, QUOTA_REQUESTS_MAX
from farthing.kernel.parsed import Parsed
from farthing.storage.quotas import Quotas

_BLOCKED_CODES = ("email_changed",)
_as_text = text(255).read


def _as_address(value: object) -> str:
    """Reads an address without checking it, because only `settle_email` knows the current one."""
    return str(_as_text(value))


Email = Annotated[str, FieldParser(_as_address, {"type": "string", "format": "email", "maxLength": 255})]


class WithEmail(Protocol):
    email: str | None


def settle_email(parsed: Parsed[WithEmail], current: str | None = None) -> None:
    """Normalizes and checks an address, unless it is the current one, which may be older than the current rules."""
    email = parsed.values.email
    if email is None or email == current:
        return
    parsed.values.email = addresses.normalize(email)
    problem = addresses.find_problem(parsed.values.email)
    if problem:
        parsed.report("email", f"The {parsed.label('email')} {problem}.")


class NewUserBody(WithEmail, Protocol):
    password: str | None


def check_new_user(parsed: Parsed[NewUserBody]) -> None:
    """Checks the body of a new user who registers with the code of a link."""
    parsed.require("code", "email", "password")
    settle_email(parsed)
    if password := parsed.values.password:
        parsed.report_all(password_problems("password", password, parsed.values.email or ""))


class UserBody(RequestBody):
    email: Email | None = None
    blocked: Flag | None = None
    blocked_code: Annotated[str, choice(*_BLOCKED_CODES)] | None = None
    role: Annotated[str, choice(*Role)] | None = None


def read(raw: Mapping[str, object], current_email: str | None = None) -> Parsed[UserBody]:
    parsed = parse(UserBody, raw)
    parsed.require("email", "blocked")
    settle_email(parsed, current_email)
    return parsed


def apply(user: User, parsed: Parsed[UserBody], *, role_sent: bool) -> User:
    """Applies the body to the user. Clears omitted fields, except the role, which older clients do not send."""
    values = parsed.values
    role = str(values.role) if values.role else None
    return replace(
        user,
        email=values.email or user.email,
        blocked=bool(values.blocked),
        blocked_code=values.blocked_code,
        role=role if role_sent and not parsed.wrong("role") else user.role,
    )


Bytes = Annotated[int, whole(minimum=0, maximum=QUOTA_BYTES_MAX)]


class QuotaBody(RequestBody):
    attachment_bytes_max: Bytes | None = described(
        "How many bytes of attachments the user may store. If omitted, the limit is kept. An empty value removes it."
    )
    answer_bytes_max: Bytes | None = described(
        "How many bytes of answers may be stored, to repeat them for the same `Idempotency-Key`."
    )
    requests_per_minute_max: Annotated[int, whole(minimum=1, maximum=QUOTA_REQUESTS_MAX)] | None = described(
        "How many requests a minute one token may send. Approximate, because each server process has its own count."
    )


class UserQuotas(Struct, gc=False):
    """Shows how much a user has stored, and the limits. A limit is null if none is set."""

    attachment_bytes_used: int
    attachment_bytes_max: int | None
    answer_bytes_used: int
    answer_bytes_max: int | None
    requests_per_minute_max: int | None


def apply_quotas(quotas: Quotas, raw: Mapping[str, object]) -> Quotas:
    """Applies the limits that were sent. Omitted limits are kept, and empty ones are removed."""
    values = parse_complete(QuotaBody, raw)
    return replace(
        quotas,
        content_bytes_max=(values.attachment_bytes_max if "attachment_bytes_max" in raw else quotas.content_bytes_max),
        answer_bytes_max=values.answer_bytes_max if "answer_bytes_max" in raw else quotas.answer_bytes_max,
        requests_max=values.requests_per_minute_max if "requests_per_minute_max" in raw else quotas.requests_max,
    )


def show_quotas(quotas: Quotas) -> UserQuotas:
    return UserQuotas(
        attachment_bytes_used=quotas.content_bytes,
        attachment_bytes_max=quotas.content_bytes_max,
        answer_bytes_used=quotas.answer_bytes,
        answer_bytes_max=quotas.answer_bytes_max,
        requests_per_minute_max=quotas.requests_max,
    )
