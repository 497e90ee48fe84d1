"""Serves tokens: creates them for signed-in users, lists and revokes them."""

from typing import Any

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import Before, Gate, Runs
from farthing.identity import tokens
from farthing.identity.audit import Event
from farthing.identity.sharing import members
from farthing.identity.user import Token
from farthing.kernel.errors import Forbidden, TooMany, refuse_field
from farthing.kernel.parsed import ensure

from ..audit.noting import note
from ..resources.lists import things_without_uri
from ..resources.resource import Resource
from ..sessions.entrance import PasswordCheck, ask_current_password, check_password, refuse_wrong_password
from ..sessions.recent import needs_password
from . import wire

TokenThing = Thing[wire.TokenAttributes]
NewTokenThing = Thing[wire.NewTokenAttributes]


def ask_password(call: Call) -> PasswordCheck | None:
    """Asks for the password, because a stolen session must not create a token that outlives it.

    Refuses tokens too: a stolen one could create others that outlive its revocation. Wrong passwords count as at
    sign-in.
    """
    if call.caller.session_id is None:
        raise Forbidden("A token cannot create tokens. Sign in, or use `farthing token create`.")
    values = _read(call)
    return None if values.current_password is None else ask_current_password(call, values.current_password)


def create(call: Call) -> Answer:
    values = _read(call)
    refuse_wrong_password(call)
    expires_at = tokens.compute_expiry(values.expires_in_days, call.now)
    token_id, secret = tokens.make(
        call.db, call.user_id, ensure(values.name), expires_at, call.now, str(values.access), wire.limits(values)
    )
    note(call, Event.TOKEN_MADE, about=ensure(values.name))
    token = _TOKENS.read(call, token_id)
    return Answer(Item(thing(call.base, "tokens", token_id, wire.show_new(token, secret))))


def _read(call: Call) -> wire.TokenBody:
    values = wire.read(call.fields, needs_password=needs_password(call))
    if values.books_id is not None and members.enter(call.db, call.caller, values.books_id) is None:
        refuse_field("books_id", "These books are not shared with you.")
    return values


def revoke(call: Call) -> Answer:
    token = _TOKENS.find(call)
    tokens.revoke_own(call.db, call.user_id, token.id)
    note(call, Event.TOKEN_REVOKED, about=token.name)
    return NOTHING


_TOKENS: Resource[Token, Any] = Resource(
    path="/tokens",
    shows=TokenThing,
    things=things_without_uri("tokens", lambda call, token: wire.show(token, current=token.id == call.caller.token_id)),
    get=tokens.get,
    page=tokens.page,
    gate=Gate.IDENTITY,
)

ROUTES = (
    _TOKENS.index("List your tokens"),
    _TOKENS.create(
        "Create a token; it is shown only once", handler=create, gives=Item[NewTokenThing], takes=wire.TokenBody,
        requires=("name", "access"), shows_secret=True, fails=(Forbidden, TooMany),
        runs=Runs(before=Before(ask=ask_password, compute=check_password)),
    ),
    _TOKENS.show("Show a token"),
    _TOKENS.remove("Revoke a token at once", handler=revoke),
)  # fmt: skip
