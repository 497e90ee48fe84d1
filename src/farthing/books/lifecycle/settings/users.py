"""Creates users, each with a cash account, the hidden exchange account and all preferences."""

from farthing.identity import users as store
from farthing.identity.signing_in import passwords
from farthing.identity.user import User
from farthing.kernel.errors import refuse_field
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Unit

from ...accounts import store as accounts
from ...accounts.model import AccountDraft
from ...currencies import store as currencies
from ...preferences import store as preferences
from ...preferences.model import CURRENCY, Value

_FIRST_CURRENCY = "EUR"


def add(
    db: Unit,
    email: str,
    password_hash: str,
    timezone: str,
    now: str,
    *,
    currency_code: str | None = None,
    language: str | None = None,
) -> User:
    user = store.add(db, email, password_hash, now)
    store.take(db, user.id, token_id=None, now=now, doing="users.found")
    currency = currencies.by_code(db, currency_code or _FIRST_CURRENCY)
    assert currency is not None, "a migration made it, or the caller has looked"
    chosen: dict[str, Value] = {CURRENCY: currency.code}
    if language:
        chosen["language"] = language
    preferences.add_all(db, user.id, timezone, now, chosen)
    for kind in (Kind.CASH, Kind.EXCHANGE):  # the hidden exchange account converts between two currencies
        draft = AccountDraft(kind, kind.value, active=True, include_net_worth=kind == Kind.CASH, currency=currency)
        accounts.add(db, user.id, draft, now)
    return user


def add_by_owner(db: Unit, email: str, timezone: str, now: str) -> User:
    """Adds a user without a password, whose initial data is written in their own name.

    Afterwards the caller is the author again, because the answer shows the caller's revision.
    """
    author = db.author
    try:
        return add(db, email, passwords.NONE, timezone, now)
    except store.EmailTaken:
        refuse_field("email", "The email address is already used by another user.")
    finally:
        db.author = author
