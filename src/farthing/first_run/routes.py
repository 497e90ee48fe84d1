"""How does an installation get its owner over HTTP? Only with the link that the server prints, and only once."""

import logging
from functools import partial

from ..currencies import store as currencies
from ..errors import Conflict, Forged, Problem, TooMany, refuse, refuse_field
from ..http.call import Answer, Call
from ..http.document import Item
from ..http.entrance import CurrentSession, let_in, visitor
from ..http.route import Route, Slow
from ..sessions import attempts, links
from ..users import passwords
from ..users import store as users
from ..users.found import found_user
from . import wire

_LOG = logging.getLogger("farthing.sign_in")
_USED_UP = "This link was used before, or it is too old: start the server again for a new one."
_TAKEN = "This installation has an owner already: sign in."


def show(call: Call) -> Answer:
    if users.is_anyone(call.db):
        return Answer(Item(wire.FirstRun(needed=False, currencies=[])))
    offered = [wire.OfferedCurrency(one.code, one.name) for one in currencies.offered(call.db)]
    return Answer(Item(wire.FirstRun(needed=True, currencies=offered)))


def create_before(call: Call) -> Slow:
    if users.is_anyone(call.db):
        raise Conflict(_TAKEN)
    values = _read(call)
    attempts.from_address(call.db, visitor(call).address, call.now)
    assert values.code is not None
    assert values.password is not None
    if not links.opens_first_run(call.db, values.code, call.now):
        return _refused
    return partial(passwords.hash_password, values.password)


def create(call: Call) -> Answer:
    values = _read(call)
    assert values.code is not None
    assert values.email is not None
    if not users.claim(call.db) or users.is_anyone(call.db):
        raise Conflict(_TAKEN)
    if not isinstance(call.outcome, str) or not links.use_first_run(call.db, values.code, call.now):
        refuse_field("code", _USED_UP)
    owner = found_user(
        call.db,
        values.email,
        call.outcome,
        values.timezone or call.settings.timezone,
        call.now,
        currency_code=values.currency_code,
        language=values.language,
    )
    attempts.forgive(call.db, visitor(call).address, None, call.now)
    _LOG.info("the owner was made", extra={"user_id": owner.id})
    return let_in(call, owner)


def _refused() -> None:
    """A wrong code has cost a try by now."""
    return


def _read(call: Call) -> wire.FirstRunBody:
    parsed = wire.read(call.fields)
    problems = wire.problems(parsed)
    code = parsed.values.currency_code
    if code and currencies.by_code(call.db, code) is None:
        problems.append(Problem("currency_code", "The selected currency code is invalid."))
    refuse(problems)
    return parsed.values


ROUTES = (
    Route(
        "GET", "/first_run", show, "Say whether this installation still needs its owner",
        gives=Item[wire.FirstRun], open=True, books=False,
    ),
    Route(
        "POST", "/first_run", create, "Make the owner of a new installation, and sign in",
        gives=Item[CurrentSession], takes=wire.FirstRunBody, requires=("code", "email", "password"),
        open=True, books=False, before=create_before, fails=(Conflict, Forged, TooMany),
    ),
)  # fmt: skip
