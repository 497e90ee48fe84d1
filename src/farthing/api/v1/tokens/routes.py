"""Serves tokens: creates them for signed-in users, lists and revokes them."""

from farthing.http.answer.document import Item, Page, Thing, thing
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import PAGED, Before, Gate, Route, Runs
from farthing.identity import tokens, users
from farthing.identity.audit import Event
from farthing.identity.passwords import Checked
from farthing.identity.sharing import members
from farthing.identity.sign_in import count_attempt, forgive_attempt
from farthing.identity.user import Token
from farthing.kernel.errors import Forbidden, TooMany, refuse_field
from farthing.kernel.parsed import ensure

from ..audit.noting import note
from ..sessions.entrance import NOT_CURRENT, PasswordCheck, check_password
from ..sessions.recent import needs_password
from . import wire

TokenThing = Thing[wire.TokenAttributes]
NewTokenThing = Thing[wire.NewTokenAttributes]


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, listed = tokens.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    return Answer(page(call, "/tokens", [_thing(call, token) for token in listed], total))


def show(call: Call) -> Answer:
    return Answer(Item(_thing(call, or_404(tokens.get(call.db, call.user_id, call.id)))))


def ask_password(call: Call) -> PasswordCheck | None:
    """A stolen session must not create a token that outlives it. Wrong passwords count as at sign-in.

    Not with a token either: a stolen token could create others that outlive its revocation.
    """
    if call.caller.session_id is None:
        raise Forbidden("A token cannot make tokens: sign in, or use `farthing token create`.")
    values = _read(call)
    if values.current_password is None:
        return None
    email = call.caller.user.email
    count_attempt(call.db, call.visitor.origin, email, call.now)
    return PasswordCheck(kept=users.password_hash(call.db, email), given=values.current_password)


def create(call: Call) -> Answer:
    values = _read(call)
    if isinstance(call.prepared, Checked):
        if not call.prepared.right:
            refuse_field("current_password", NOT_CURRENT)
        forgive_attempt(call.db, call.visitor.origin, call.caller.user.email, call.now)
    expires_at = tokens.compute_expiry(values.expires_in_days, call.now)
    token_id, secret = tokens.make(
        call.db, call.user_id, ensure(values.name), expires_at, call.now, str(values.access), wire.limits(values)
    )
    note(call, Event.TOKEN_MADE, about=ensure(values.name))
    made = or_404(tokens.get(call.db, call.user_id, token_id))
    return Answer(Item(thing(call.base, "tokens", token_id, wire.show_new(made, secret))))


def _read(call: Call) -> wire.TokenBody:
    values = wire.read(call.fields, needs_password=needs_password(call))
    if values.books_id is not None and members.enter(call.db, call.caller, values.books_id) is None:
        refuse_field("books_id", "These books are not shared with you.")
    return values


def revoke(call: Call) -> Answer:
    token = or_404(tokens.get(call.db, call.user_id, call.id))
    tokens.revoke_own(call.db, call.user_id, token.id)
    note(call, Event.TOKEN_REVOKED, about=token.name)
    return NOTHING


def _thing(call: Call, token: Token) -> TokenThing:
    attributes = wire.show(token, current=token.id == call.caller.token_id)
    return thing(call.base, "tokens", token.id, attributes)


ROUTES = (
    Route("GET", "/tokens", index, "List your tokens", gives=Page[TokenThing], parameters=PAGED, gate=Gate.IDENTITY),
    Route(
        "POST", "/tokens", create, "Make a token; it is shown this once",
        gives=Item[NewTokenThing], takes=wire.TokenBody, requires=("name", "access"),
        gate=Gate.IDENTITY, shows_secret=True, runs=Runs(before=Before(ask=ask_password, compute=check_password)),
        fails=(Forbidden, TooMany),
    ),
    Route("GET", "/tokens/{id}", show, "Show a token", gives=Item[TokenThing], gate=Gate.IDENTITY),
    Route("DELETE", "/tokens/{id}", revoke, "Revoke a token, at once", gate=Gate.IDENTITY),
)  # fmt: skip
