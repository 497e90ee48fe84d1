"""Serves second factors. They are added with the password, and removed with a factor: a stolen session does neither."""

import io

from farthing.http.answer.document import All, Item, Thing, thing
from farthing.http.request.call import NOTHING, Answer, Call, found
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity import users
from farthing.identity.audit import Event
from farthing.identity.factors import store, totp
from farthing.identity.factors.store import Factor
from farthing.identity.passwords import Checked
from farthing.identity.sign_in import count_attempt, forgive_attempt
from farthing.kernel.errors import Conflict, Forbidden, TooMany, refuse_field
from farthing.kernel.parsed import ensure

from ..audit.noting import note
from ..sessions.entrance import NOT_CURRENT, WRONG_CODE, PasswordCheck, check_password
from . import wire

FactorThing = Thing[wire.FactorAttributes]
NewAppThing = Thing[wire.NewAppAttributes]
_ISSUER = "Farthing"


def index(call: Call) -> Answer:
    return Answer(All([_thing(call, one) for one in store.list_confirmed(call.db, call.user_id)]))


def ask_password(call: Call) -> PasswordCheck:
    """Guessing it counts as at sign-in."""
    _refuse_tokens(call)
    parsed = wire.read_app(call.fields)
    parsed.finish()
    email = call.caller.user.email
    count_attempt(call.db, call.visitor.origin, email, call.now)
    return PasswordCheck(kept=users.password_hash(call.db, email), given=ensure(parsed.values.current_password))


def add_app(call: Call) -> Answer:
    values = wire.read_app(call.fields).values
    assert isinstance(call.prepared, Checked)
    if not call.prepared.right:
        refuse_field("current_password", NOT_CURRENT)
    forgive_attempt(call.db, call.visitor.origin, call.caller.user.email, call.now)
    app = store.add_app(call.db, call.user_id, ensure(values.name), call.now)
    address = totp.make_address(app.secret, call.caller.user.email, _ISSUER)
    return Answer(Item(thing(call.base, "factors", app.id, wire.show_app(app, address, _draw(address)))))


def confirm(call: Call) -> Answer:
    """Answers with recovery codes if it is the first factor."""
    factor = _find(call)
    _refuse_tokens(call)
    if factor.confirmed_at:
        raise Conflict("This authenticator app is confirmed already.")
    code, is_first = wire.read_otp(call.fields), not store.is_needed(call.db, call.user_id)
    if not store.confirm(call.db, factor, code, call.now):
        refuse_field("otp", WRONG_CODE)
    note(call, Event.FACTOR_ADDED, about=factor.name)
    codes = store.make_recovery_codes(call.db, call.user_id) if is_first else []
    return Answer(Item(wire.RecoveryCodes(recovery_codes=codes)))


def remove(call: Call) -> Answer:
    factor = _find(call)
    _refuse_tokens(call)
    if factor.confirmed_at:
        _prove(call, wire.read_otp(call.fields))
        note(call, Event.FACTOR_REMOVED, about=factor.name)
    store.remove(call.db, factor)
    return NOTHING


def renew_recovery_codes(call: Call) -> Answer:
    _refuse_tokens(call)
    code = wire.read_otp(call.fields)
    if not store.is_needed(call.db, call.user_id):
        raise Conflict("Recovery codes stand in for a second factor, and you have none.")
    _prove(call, code)
    note(call, Event.RECOVERY_CODES_MADE)
    return Answer(Item(wire.RecoveryCodes(recovery_codes=store.make_recovery_codes(call.db, call.user_id))))


def ask_attempt(call: Call) -> None:
    """Guessing a code counts as at sign-in."""
    count_attempt(call.db, call.visitor.origin, call.caller.user.email, call.now)


def _prove(call: Call, code: str) -> None:
    if not store.use_code(call.db, call.user_id, code, call.now):
        refuse_field("otp", WRONG_CODE)
    forgive_attempt(call.db, call.visitor.origin, call.caller.user.email, call.now)


def _refuse_tokens(call: Call) -> None:
    if call.caller.session_id is None:
        raise Forbidden("A token cannot change second factors: sign in.")


def _find(call: Call) -> Factor:
    return found(store.get(call.db, call.user_id, call.id))


def _thing(call: Call, factor: Factor) -> FactorThing:
    return thing(call.base, "factors", factor.id, wire.show(factor))


def _draw(address: str) -> str:
    """As an image in a page: no library in the browser, and the address goes nowhere."""
    import segno  # imported late: it is seldom needed, and loads an XML library

    buffer = io.BytesIO()
    segno.make(address, error="m").save(buffer, kind="svg", border=4, xmldecl=False, svgns=True)
    return buffer.getvalue().decode()


_COUNTED = Runs(before=Before(ask=ask_attempt))
ROUTES = (
    Route("GET", "/factors", index, "List your second factors", gives=All[FactorThing], gate=Gate.IDENTITY),
    Route(
        "POST", "/factors", add_app, "Set up an authenticator app; it counts once it is confirmed",
        gives=Item[NewAppThing], takes=wire.AppBody, requires=("name", "current_password"), gate=Gate.IDENTITY,
        runs=Runs(before=Before(ask=ask_password, compute=check_password)), fails=(Forbidden, TooMany),
    ),
    Route(
        "POST", "/factors/{id}/confirm", confirm, "Confirm an authenticator app with its first code",
        gives=Item[wire.RecoveryCodes], takes=wire.ConfirmBody, requires=("otp",), gate=Gate.IDENTITY,
        fails=(Forbidden, Conflict),
    ),
    Route(
        "DELETE", "/factors/{id}", remove, "Remove a second factor; it takes a code",
        takes=wire.ProofBody, requires=("otp",), gate=Gate.IDENTITY, runs=_COUNTED, fails=(Forbidden, TooMany),
    ),
    Route(
        "POST", "/factors/recovery_codes", renew_recovery_codes, "Make new recovery codes; it takes a code",
        gives=Item[wire.RecoveryCodes], takes=wire.ProofBody, requires=("otp",), gate=Gate.IDENTITY, runs=_COUNTED,
        fails=(Forbidden, Conflict, TooMany),
    ),
)  # fmt: skip
