"""Serves tokens: creates them for signed-in users, lists and revokes them."""

from farthing.http.answer.document import Item, Page, Thing, thing
from farthing.http.answer.pages import asked, page
from farthing.http.request.call import NOTHING, Answer, Call, found
from farthing.http.route import PAGED, Gate, Route
from farthing.identity import tokens
from farthing.identity.user import Token
from farthing.kernel.errors import Forbidden
from farthing.kernel.parsed import ensure

from . import wire

TokenThing = Thing[wire.TokenAttributes]
NewTokenThing = Thing[wire.NewTokenAttributes]


def index(call: Call) -> Answer:
    at = asked(call)
    total, kept = tokens.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    return Answer(page(call, "/tokens", [_thing(call, token) for token in kept], total))


def show(call: Call) -> Answer:
    return Answer(Item(_thing(call, found(tokens.get(call.db, call.user_id, call.id)))))


def create(call: Call) -> Answer:
    """Not with a token: a stolen token could create others that outlive its revocation."""
    if call.caller.session_id is None:
        raise Forbidden("A token cannot make tokens: sign in, or use `farthing token create`.")
    values = wire.read(call.fields)
    expires_at = tokens.compute_expiry(values.expires_in_days, call.now)
    token_id, secret = tokens.make(call.db, call.user_id, ensure(values.name), expires_at, call.now, str(values.access))
    made = found(tokens.get(call.db, call.user_id, token_id))
    return Answer(Item(thing(call.base, "tokens", token_id, wire.show_new(made, secret))))


def revoke(call: Call) -> Answer:
    found(tokens.revoke_own(call.db, call.user_id, call.id) or None)
    return NOTHING


def _thing(call: Call, token: Token) -> TokenThing:
    shown = wire.show(token, current=token.id == call.caller.token_id)
    return thing(call.base, "tokens", token.id, shown)


ROUTES = (
    Route("GET", "/tokens", index, "List your tokens", gives=Page[TokenThing], parameters=PAGED, gate=Gate.IDENTITY),
    Route(
        "POST", "/tokens", create, "Make a token; it is shown this once",
        gives=Item[NewTokenThing], takes=wire.TokenBody, requires=("name", "access"),
        gate=Gate.IDENTITY, fails=(Forbidden,),
    ),
    Route("GET", "/tokens/{id}", show, "Show a token", gives=Item[TokenThing], gate=Gate.IDENTITY),
    Route("DELETE", "/tokens/{id}", revoke, "Revoke a token, at once", gate=Gate.IDENTITY),
)  # fmt: skip
