"""Creates the first owner of an installation. This works once, with the link that the server prints."""

import logging

from farthing.books.currencies import store as currencies
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity import links, users
from farthing.identity.signing_in import passwords
from farthing.identity.signing_in.attempts import count_attempt, forgive_attempt
from farthing.kernel.errors import Conflict, Forged, TooMany, refuse_field
from farthing.kernel.parsed import ensure

from ..sessions.entrance import CurrentSession, let_in
from . import wire

_LOG = logging.getLogger("farthing.sign_in")
_USED_UP = "This link was used before, or has expired. Restart the server for a new one."
_TAKEN = "This installation already has an owner. Sign in."


def show(call: Call) -> Answer:
    if users.has_any(call.db):
        return Answer(Item(wire.FirstRun(needed=False, currencies=[])))
    offered = [
        wire.OfferedCurrency(code=currency.code, name=currency.name) for currency in currencies.list_offered(call.db)
    ]
    return Answer(Item(wire.FirstRun(needed=True, currencies=offered)))


def ask_password(call: Call) -> str | None:
    """Returns None for a wrong code, after counting the attempt."""
    if users.has_any(call.db):
        raise Conflict(_TAKEN)
    values = _read(call)
    count_attempt(call.db, call.visitor.origin, None, call.now)
    return values.password if links.opens_first_run(call.db, ensure(values.code), call.now) else None


def create(call: Call) -> Answer:
    values = _read(call)
    if not users.claim(call.db) or users.has_any(call.db):
        raise Conflict(_TAKEN)
    if not isinstance(call.prepared, str) or not links.use_first_run(call.db, ensure(values.code), call.now):
        refuse_field("code", _USED_UP)
    owner = user_lifecycle.add(
        call.db,
        ensure(values.email),
        call.prepared,
        values.timezone or call.settings.timezone,
        call.now,
        currency_code=values.currency_code,
        language=values.language,
    )
    links.remove_first_run_file(call.settings.data)
    forgive_attempt(call.db, call.visitor.origin, None, call.now)
    _LOG.info("owner created", extra={"user_id": owner.id})
    return let_in(call, owner)


def _read(call: Call) -> wire.FirstRunBody:
    parsed = wire.read(call.fields)
    code = parsed.values.currency_code
    if code and currencies.by_code(call.db, code) is None:
        parsed.report("currency_code", "The selected currency code is invalid.")
    parsed.finish()
    return parsed.values


ROUTES = (
    Route(
        "GET", "/first_run", show, "Show whether this installation still needs an owner",
        gives=Item[wire.FirstRun], gate=Gate.OPEN,
    ),
    Route(
        "POST", "/first_run", create, "Create the owner of a new installation, and sign in",
        gives=Item[CurrentSession], takes=wire.FirstRunBody, requires=("code", "email", "password"),
        gate=Gate.OPEN, runs=Runs(before=Before(ask=ask_password, compute=passwords.hash_password)),
        fails=(Conflict, Forged, TooMany),
    ),
)  # fmt: skip
