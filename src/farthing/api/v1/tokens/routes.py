"""Serves tokens: creates tokens for signed-in users, lists them and revokes them."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Annotated, Any

from msgspec import Struct

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import Before, Gate, Runs
from farthing.identity import tokens
from farthing.identity.audit import Event
from farthing.identity.scopes import SCOPES, WRITE, tidy
from farthing.identity.sessions import RECENT_MINUTES
from farthing.identity.sharing import members
from farthing.identity.tokens import TokenLimits
from farthing.identity.user import PASSWORD_MAX, Access, ApiVersion, Token
from farthing.kernel.errors import Forbidden, Problem, TooMany, refuse_field
from farthing.kernel.fields import Id, Name, RequestBody, choice, described, parse, text, whole, words
from farthing.kernel.limits import DAYS_MAX
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant, show_as

from ..resources.lists import things_without_uri
from ..resources.resource import Resource
from ..sessions.entrance import (
    PasswordCheck,
    ask_current_password,
    check_password,
    needs_password,
    refuse_wrong_password,
)

_AGAIN = f"You signed in more than {RECENT_MINUTES} minutes ago. Enter your password again."


class TokenBody(RequestBody):
    name: Name | None = described("Says what the token is for.")
    access: Annotated[str, choice(*Access)] | None = None
    expires_in_days: Annotated[int, whole(minimum=1, maximum=DAYS_MAX)] | None = described(
        "If omitted, the token never expires."
    )
    scopes: Annotated[list[str], words(1000)] | None = described(
        "Limits the token to scopes such as `transactions:write`, which includes reading. If omitted, the"
        " token may do everything that its `access` allows.",
        examples=[["accounts:read", "transactions:write"]],
    )
    networks: Annotated[list[str], words(1000)] | None = described(
        "Limits the token to these networks. If omitted, it works from anywhere.",
        examples=[["192.168.1.0/24", "2001:db8::/32"]],
    )
    books_id: Id | None = described(
        "The id of the user whose books the token uses, unless a request names other books. Defaults to your own."
    )
    api_version: Annotated[str, choice(*ApiVersion)] | None = described(
        "The version of the API that the token works with; defaults to `v1`. Below `/v6`, every token uses `v6`."
    )
    current_password: Annotated[str, text(PASSWORD_MAX)] | None = described(
        f"Required if the session began more than {RECENT_MINUTES} minutes ago."
    )


def _read_body(raw: Mapping[str, object], *, needs_password: bool) -> TokenBody:
    parsed = parse(TokenBody, raw)
    parsed.require("name", "access")
    parsed.report_all(_limit_problems(parsed.values))
    if needs_password and parsed.absent("current_password"):
        parsed.report("current_password", _AGAIN)
    parsed.finish()
    return parsed.values


def _limit_problems(values: TokenBody) -> Iterator[Problem]:
    """Finds problems in the limits.

    An empty list is refused, because it would create a token without limits.
    """
    for field in ("scopes", "networks"):
        if getattr(values, field) == []:
            yield Problem(field, f"The {field} may not be empty. Name at least one, or omit the field to set no limit.")
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
    """`scopes`, `networks` and `books_id` are null if they do not limit the token."""

    created_at: Instant
    name: str
    access: str
    expires_at: Instant | None
    last_used_at: Instant | None
    current: bool
    scopes: list[str] | None
    networks: list[str] | None
    books_id: str | None
    api_version: str


class NewTokenAttributes(TokenAttributes, gc=False):
    token: str


def _show_limits(token: Token) -> dict[str, Any]:
    return {
        "scopes": None if token.scopes is None else token.scopes.split(),
        "networks": None if token.networks is None else token.networks.split(),
        "books_id": None if token.books_id is None else str(token.books_id),
    }


TokenThing = Thing[TokenAttributes]
NewTokenThing = Thing[NewTokenAttributes]


def ask_password(call: Call) -> PasswordCheck | None:
    """Returns the password for checking, after counting the attempt.

    The password is required so that nobody can use a stolen session to create a token that outlives the session.
    """
    call.session_only("create tokens", "Sign in, or use `farthing token create`.")
    values = _read(call)
    return None if values.current_password is None else ask_current_password(call, values.current_password)


def create(call: Call) -> Answer:
    values = _read(call)
    refuse_wrong_password(call)
    expires_at = tokens.compute_expiry(values.expires_in_days, call.now)
    token_id, secret = tokens.make(
        call.db,
        call.user_id,
        ensure(values.name),
        expires_at,
        call.now,
        str(values.access),
        limits(values),
        version=values.api_version or ApiVersion.V1,
    )
    note(call, Event.TOKEN_MADE, about=ensure(values.name))
    token = _TOKENS.read(call, token_id)
    return Answer(
        Item(
            thing(
                call.base,
                "tokens",
                token_id,
                show_as(NewTokenAttributes, token, current=False, token=secret, **_show_limits(token)),
            )
        )
    )


def _read(call: Call) -> TokenBody:
    values = _read_body(call.fields, needs_password=needs_password(call))
    if values.books_id is not None and members.enter(call.db, call.caller, values.books_id) is None:
        refuse_field("books_id", "These books are not shared with you.")
    return values


def revoke(call: Call) -> Answer:
    token = _TOKENS.find(call)
    tokens.revoke_own(call.db, call.user_id, token.id)
    note(call, Event.TOKEN_REVOKED, about=token.name)
    return NOTHING


def _show(call: Call, token: Token) -> TokenAttributes:
    return show_as(TokenAttributes, token, current=token.id == call.caller.token_id, **_show_limits(token))


_TOKENS: Resource[Token, Any] = Resource(
    path="/tokens",
    shows=TokenThing,
    things=things_without_uri("tokens", _show),
    get=tokens.get,
    page=tokens.page,
    gate=Gate.IDENTITY,
)

ROUTES = (
    _TOKENS.index("List your tokens"),
    _TOKENS.create(
        "Create a token; it is shown only once", handler=create, gives=Item[NewTokenThing], takes=TokenBody,
        requires=("name", "access"), shows_secret=True, fails=(Forbidden, TooMany),
        runs=Runs(before=Before(ask=ask_password, compute=check_password)),
    ),
    _TOKENS.show("Show a token"),
    _TOKENS.remove("Revoke a token at once", handler=revoke),
)  # fmt: skip
