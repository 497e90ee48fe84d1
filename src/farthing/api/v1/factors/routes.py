"""Lists, adds and removes the second factors of a user.

Adding a factor requires the password, and removing one requires a second factor. A stolen session can do neither.
"""

import io

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity.audit import Event
from farthing.identity.factors import store
from farthing.identity.factors.store import Factor
from farthing.kernel.errors import Conflict, Forbidden, TooMany, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import show_as

from ..sessions.checking import ProofCheck, check_proof
from ..sessions.entrance import WRONG_CODE, has_password
from . import wire
from .passkeys import ROUTES as PASSKEY_ROUTES
from .proving import ask_factor, ask_person, refuse_other_person, refuse_without_factor

FactorThing = Thing[wire.FactorAttributes]
NewAppThing = Thing[wire.NewAppAttributes]
_ISSUER = "Farthing"


def index(call: Call) -> Answer:
    left = store.count_recovery_codes(call.db, call.user_id)
    listed = [_thing(call, factor) for factor in store.list_confirmed(call.db, call.user_id)]
    return Answer(wire.FactorList(data=listed, meta=wire.FactorsMeta(recovery_codes_left=left)))


def ask_to_add_app(call: Call) -> ProofCheck:
    call.session_only("change second factors")
    return ask_person(call, wire.read_app(call.fields, has_password=has_password(call)))


def add_app(call: Call) -> Answer:
    body = wire.read_app(call.fields, has_password=has_password(call))
    refusal = refuse_other_person(call, body)
    if refusal:
        return refusal
    app = store.add_app(call.db, call.user_id, ensure(body.name), call.now)
    address = store.make_address(app.secret, call.caller.user.email, _ISSUER)
    return Answer(Item(thing(call.base, "factors", app.id, wire.show_app(app, address, _draw(address)))))


def confirm(call: Call) -> Answer:
    """Confirms the app. Answers with recovery codes if the user had no second factor before."""
    factor = _find(call)
    call.session_only("change second factors")
    if factor.confirmed_at:
        raise Conflict("This authenticator app is already confirmed.")
    body = parse_complete(wire.ConfirmBody, call.fields, "otp")
    is_first = not store.is_needed(call.db, call.user_id)
    if not store.confirm(call.db, factor, ensure(body.otp), call.now):
        refuse_field("otp", WRONG_CODE)
    note(call, Event.FACTOR_ADDED, about=factor.name)
    codes = store.make_recovery_codes(call.db, call.user_id) if is_first else []
    return Answer(Item(wire.RecoveryCodes(recovery_codes=codes)))


def rename(call: Call) -> Answer:
    factor = _find(call)
    call.session_only("change second factors")
    store.rename(call.db, factor, ensure(parse_complete(wire.NameBody, call.fields, "name").name))
    return Answer(Item(_thing(call, _find(call))))


def ask_to_remove(call: Call) -> ProofCheck | None:
    """Asks for a proof, unless the factor was never confirmed: an unconfirmed factor protects nothing yet."""
    factor = _find(call)
    call.session_only("change second factors")
    return ask_factor(call, wire.read_proof(call.fields)) if factor.confirmed_at else None


def remove(call: Call) -> Answer:
    factor = _find(call)
    if factor.confirmed_at:
        refusal = refuse_without_factor(call, wire.read_proof(call.fields))
        if refusal:
            return refusal
        note(call, Event.FACTOR_REMOVED, about=factor.name)
    store.remove(call.db, factor)
    return NOTHING


def ask_to_renew(call: Call) -> ProofCheck:
    call.session_only("change second factors")
    body = wire.read_proof(call.fields)
    if not store.is_needed(call.db, call.user_id):
        raise Conflict("Recovery codes replace a second factor, but you have no second factor.")
    return ask_factor(call, body)


def renew_recovery_codes(call: Call) -> Answer:
    refusal = refuse_without_factor(call, wire.read_proof(call.fields))
    if refusal:
        return refusal
    note(call, Event.RECOVERY_CODES_MADE)
    return Answer(Item(wire.RecoveryCodes(recovery_codes=store.make_recovery_codes(call.db, call.user_id))))


def _find(call: Call) -> Factor:
    return or_404(store.get(call.db, call.user_id, call.id))


def _thing(call: Call, factor: Factor) -> FactorThing:
    return thing(call.base, "factors", factor.id, show_as(wire.FactorAttributes, factor, kind=factor.kind.value))


def _draw(address: str) -> str:
    """Draws a QR code here, so that the browser needs no library and the address is sent nowhere else."""
    import segno  # imported late, because it is rarely needed and loads an XML library

    buffer = io.BytesIO()
    segno.make(address, error="m").save(buffer, kind="svg", border=4, xmldecl=False, svgns=True)
    return buffer.getvalue().decode()


ROUTES = (
    Route("GET", "/factors", index, "List your second factors", gives=wire.FactorList, gate=Gate.IDENTITY),
    Route(
        "POST", "/factors", add_app, "Set up an authenticator app; it must be confirmed before it is used",
        gives=Item[NewAppThing], takes=wire.AppBody, requires=("name",), gate=Gate.IDENTITY, shows_secret=True,
        runs=Runs(before=Before(ask=ask_to_add_app, compute=check_proof)), fails=(Forbidden, Conflict, TooMany),
    ),
    Route(
        "POST", "/factors/{id}/confirm", confirm, "Confirm an authenticator app with its first code",
        gives=Item[wire.RecoveryCodes], takes=wire.ConfirmBody, requires=("otp",),
        gate=Gate.IDENTITY, shows_secret=True,
        fails=(Forbidden, Conflict),
    ),
    Route(
        "PUT", "/factors/{id}", rename, "Rename a second factor",
        gives=Item[FactorThing], takes=wire.NameBody, requires=("name",), gate=Gate.IDENTITY, fails=(Forbidden,),
    ),
    Route(
        "DELETE", "/factors/{id}", remove, "Remove a second factor; requires a code or a passkey",
        takes=wire.ProofBody, gate=Gate.IDENTITY, runs=Runs(before=Before(ask=ask_to_remove, compute=check_proof)),
        fails=(Forbidden, Conflict, TooMany),
    ),
    Route(
        "POST", "/factors/recovery_codes", renew_recovery_codes,
        "Create new recovery codes; requires a code or a passkey",
        gives=Item[wire.RecoveryCodes], takes=wire.ProofBody, gate=Gate.IDENTITY, shows_secret=True,
        runs=Runs(before=Before(ask=ask_to_renew, compute=check_proof)), fails=(Forbidden, Conflict, TooMany),
    ),
    *PASSKEY_ROUTES,
)  # fmt: skip
