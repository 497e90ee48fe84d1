"""Reads and shows tokens."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Annotated, Any

from msgspec import Struct
from pydantic import Field

from farthing.identity.scopes import SCOPES, WRITE, tidy
from farthing.identity.sessions import RECENT_MINUTES
from farthing.identity.tokens import TokenLimits
from farthing.identity.user import PASSWORD_MAX, Access, Token
from farthing.kernel.errors import Problem
from farthing.kernel.fields import Id, Name, RequestBody, choice, parse, text, whole, words
from farthing.kernel.limits import DAYS_MAX
from farthing.kernel.shown import Instant, show_as

_AGAIN = f"You signed in more than {RECENT_MINUTES} minutes ago. Enter your password again."


class TokenBody(RequestBody):
    name: Name | None = Field(None, description="Describes the purpose.")
    access: Annotated[str, choice(*Access)] | None = None
    expires_in_days: Annotated[int, whole(minimum=1, maximum=DAYS_MAX)] | None = Field(
        None, description="If omitted, the token never expires."
    )
    scopes: Annotated[list[str], words(1000)] | None = Field(
        None,
        description="Limits the token to scopes such as `transactions:write`; writing includes reading. If omitted, it"
        " may do whatever its access allows.",
        examples=[["accounts:read", "transactions:write"]],
    )
    networks: Annotated[list[str], words(1000)] | None = Field(
        None,
        description="Limits the token to these networks. If omitted, it works from anywhere.",
        examples=[["192.168.1.0/24", "2001:db8::/32"]],
    )
    books_id: Id | None = Field(
        None, description="The id of the user whose books it uses, unless a request names others. Defaults to yours."
    )
    current_password: Annotated[str, text(PASSWORD_MAX)] | None = Field(
        None, description=f"Required if the session began more than {RECENT_MINUTES} minutes ago."
    )


def read(raw: Mapping[str, object], *, needs_password: bool) -> TokenBody:
    parsed = parse(TokenBody, raw)
    parsed.require("name", "access")
    parsed.report_all(_limit_problems(parsed.values))
    if needs_password and parsed.absent("current_password"):
        parsed.report("current_password", _AGAIN)
    parsed.finish()
    return parsed.values


def _limit_problems(values: TokenBody) -> Iterator[Problem]:
    """Refuses an empty list, which must not create a token that may do everything."""
    for field in ("scopes", "networks"):
        if getattr(values, field) == []:
            yield Problem(field, f"The {field} are empty. Name at least one, or omit them for no limit.")
    unknown = [scope for scope in values.scopes or () if scope not in SCOPES]
    if unknown:
        yield Problem("scopes", f"There is no scope {unknown[0]}. The scopes are {', '.join(SCOPES)}.")
    writing = [scope for scope in values.scopes or () if scope.endswith(f":{WRITE}")]
    if writing and values.access == Access.READ:
        yield Problem("scopes", f"A token whose access is `read` cannot have the scope {writing[0]}.")
    for network in values.networks or ():
        try:
            ip_network(network)
        except ValueError:
            yield Problem("networks", f"{network} is not a network, such as 192.168.1.0/24 or 2001:db8::/32.")


def limits(values: TokenBody) -> TokenLimits:
    return TokenLimits(
        scopes=tidy(values.scopes) if values.scopes else None,
        networks=" ".join(dict.fromkeys(values.networks)) if values.networks else None,
        books_id=values.books_id,
    )


class TokenAttributes(Struct, gc=False):
    """`scopes`, `networks` and `books_id` are null if the token is not limited by them."""

    created_at: Instant
    name: str
    access: str
    expires_at: Instant | None
    last_used_at: Instant | None
    current: bool
    scopes: list[str] | None
    networks: list[str] | None
    books_id: str | None


class NewTokenAttributes(TokenAttributes, gc=False):
    token: str


def show(token: Token, *, current: bool) -> TokenAttributes:
    return show_as(TokenAttributes, token, current=current, **_show_limits(token))


def show_new(token: Token, secret: str) -> NewTokenAttributes:
    return show_as(NewTokenAttributes, token, current=False, token=secret, **_show_limits(token))


def _show_limits(token: Token) -> dict[str, Any]:
    return {
        "scopes": None if token.scopes is None else token.scopes.split(),
        "networks": None if token.networks is None else token.networks.split(),
        "books_id": None if token.books_id is None else str(token.books_id),
    }
