"""Creates the first owner of an installation. This works once, with the link that the server prints."""

import logging
from typing import Annotated

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.books.preferences.values import Language, TimeZone
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import Before, Gate, Route, Runs
from farthing.identity import links, users
from farthing.identity.signing_in import passwords
from farthing.identity.signing_in.attempts import count_attempt, forgive_attempt
from farthing.kernel.errors import Conflict, Forged, TooMany, refuse_field
from farthing.kernel.fields import RequestBody, described, parse, text
from farthing.kernel.parsed import ensure

from ..sessions.entrance import CurrentSession, let_in
from ..sessions.wire import Code, Password
from ..users.wire import Email, check_new_user


class FirstRunBody(RequestBody):
    code: Code | None = described("The code in the link that `farthing serve` printed.")
    email: Email | None = None
    password: Password | None = described("Must have at least 8 characters.")
    currency_code: Annotated[str, text(51)] | None = described("Defaults to EUR.")
    timezone: TimeZone | None = described("A name such as Europe/Berlin. Defaults to the setting `FARTHING_TIMEZONE`.")
    language: Language | None = described("Defaults to en_US.")


class OfferedCurrency(Struct, gc=False):
    code: str
    name: str


class FirstRun(Struct, gc=False):
    needed: bool
    # The owner chooses from these; the list is empty once there is an owner.
    currencies: list[OfferedCurrency]


_LOG = logging.getLogger("farthing.sign_in")
_USED_UP = "This link was used before, or has expired. Restart the server to get a new link."
_TAKEN = "This installation already has an owner. Sign in."


def show(call: Call) -> Answer:
    if users.has_any(call.db):
        return Answer(Item(FirstRun(needed=False, currencies=[])))
    offered = [OfferedCurrency(code=currency.code, name=currency.name) for currency in currencies.list_offered(call.db)]
    return Answer(Item(FirstRun(needed=True, currencies=offered)))


def ask_password(call: Call) -> str | None:
    """Returns the password to hash, or None if the code is wrong. Counts the attempt in either case."""
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


def _read(call: Call) -> FirstRunBody:
    parsed = parse(FirstRunBody, call.fields)
    check_new_user(parsed)
    code = parsed.values.currency_code
    if code and currencies.by_code(call.db, code) is None:
        parsed.report("currency_code", "The selected currency code is invalid.")
    parsed.finish()
    return parsed.values


ROUTES = (
    Route(
        "GET", "/first_run", show, "Show whether this installation still needs an owner",
        gives=Item[FirstRun], gate=Gate.OPEN,
    ),
    Route(
        "POST", "/first_run", create, "Create the owner of a new installation, and sign in",
        gives=Item[CurrentSession], takes=FirstRunBody, requires=("code", "email", "password"),
        gate=Gate.OPEN, runs=Runs(before=Before(ask=ask_password, compute=passwords.hash_password)),
        fails=(Conflict, Forged, TooMany),
    ),
)  # fmt: skip
