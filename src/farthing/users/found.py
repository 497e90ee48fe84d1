"""How does a user begin? With a cash account, the hidden exchange account and every preference."""

from ..accounts import store as accounts
from ..accounts.model import cash_account, exchange_account
from ..currencies import store as currencies
from ..preferences import store as preferences
from ..storage.unit import Unit
from . import store
from .model import User

_FIRST_CURRENCY = "EUR"


def found_user(db: Unit, email: str, password_hash: str, timezone: str, now: str) -> User:
    user = store.add(db, email, password_hash, now)
    store.take(db, user.id, token_id=None, now=now, doing="users.found")
    preferences.add_all(db, user.id, timezone, now)
    currency = currencies.by_code(db, _FIRST_CURRENCY)
    assert currency is not None, "a migration made it"
    for draft in (cash_account(currency), exchange_account(currency)):
        accounts.add(db, user.id, draft, now)
    return user
