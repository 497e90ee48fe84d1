"""What can be done with tokens over HTTP? Make one where you are signed in, see them, revoke one."""

from ..errors import Forbidden
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page, Thing, thing
from ..http.pages import asked, page
from ..http.route import PAGED, Route
from ..users import tokens
from ..users.model import Token
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
    """Not with a token: one that has got into the wrong hands would make others, and revoking it would not end them."""
    if call.caller.session_id is None:
        raise Forbidden("A token cannot make tokens: sign in, or use `farthing token create`.")
    values = wire.read(call.fields)
    assert values.name is not None
    assert values.access is not None
    expires_at = tokens.ends(values.expires_in_days, call.now)
    token_id, secret = tokens.make(call.db, call.user_id, values.name, expires_at, call.now, str(values.access))
    made = found(tokens.get(call.db, call.user_id, token_id))
    return Answer(Item(thing(call.base, "tokens", token_id, wire.show_new(made, secret))))


def revoke(call: Call) -> Answer:
    found(tokens.revoke_own(call.db, call.user_id, call.id) or None)
    return NOTHING


def _thing(call: Call, token: Token) -> TokenThing:
    shown = wire.show(token, current=token.id == call.caller.token_id)
    return thing(call.base, "tokens", token.id, shown)


ROUTES = (
    Route("GET", "/tokens", index, "List your tokens", gives=Page[TokenThing], parameters=PAGED, books=False),
    Route(
        "POST", "/tokens", create, "Make a token; it is shown this once",
        gives=Item[NewTokenThing], takes=wire.TokenBody, requires=("name", "access"), books=False, fails=(Forbidden,),
    ),
    Route("GET", "/tokens/{id}", show, "Show a token", gives=Item[TokenThing], books=False),
    Route("DELETE", "/tokens/{id}", revoke, "Revoke a token, at once", books=False),
)  # fmt: skip
