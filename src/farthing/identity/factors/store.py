"""Stores second factors and recovery codes, and checks codes.

The codes of authenticator apps (RFC 6238) change every 30 seconds.
"""

import hmac
import re
import secrets
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, structs
from pyotp import random_base32
from pyotp.totp import TOTP

from farthing.storage import installation, tables
from farthing.storage.unit import Clash, Unit

from ..callers import hash_secret

RECOVERY_CODES = 10
# The alphabet omits letters that are easily confused. A code of 16 letters cannot be guessed, even from its hash.
_LETTERS, _GROUP, _GROUPS = "abcdefghjkmnpqrstuvwxyz23456789", 4, 4
PASSKEYS_MAX = 20


class FactorKind(StrEnum):
    TOTP = "totp"
    PASSKEY = "passkey"


class Factor(Struct, frozen=True, kw_only=True):
    """Describes a second factor: an authenticator app or a passkey. It is not used until it is confirmed.

    `secret` is the key of the app, or the public key of the passkey in base64url. Only passkeys have the last three
    fields.
    """

    id: int
    user_id: int
    kind: FactorKind
    name: str
    secret: str
    counter: int
    created_at: str
    confirmed_at: str | None
    last_used_at: str | None
    credential: str | None
    handle: str | None
    transports: str | None


class PasskeyDraft(Struct, frozen=True, kw_only=True):
    """Holds a new passkey from its authenticator; `public_key` is in base64url."""

    name: str
    credential: str
    public_key: str
    counter: int
    handle: str
    transports: str


class CredentialTaken(Exception):
    pass


def is_needed(db: Unit, user_id: int) -> bool:
    """Returns whether this user needs a second factor to sign in."""
    return bool(db.value("SELECT 1 FROM factors WHERE user_id = :id AND confirmed_at IS NOT NULL LIMIT 1", id=user_id))


def list_confirmed(db: Unit, user_id: int) -> list[Factor]:
    return [factor for factor in tables.find_all(db, Factor, "factors", user_id=user_id) if factor.confirmed_at]


def get(db: Unit, user_id: int, factor_id: int) -> Factor | None:
    return tables.find(db, Factor, "factors", user_id=user_id, id=factor_id)


def list_passkeys(db: Unit, user_id: int) -> list[Factor]:
    return [factor for factor in list_confirmed(db, user_id) if factor.kind is FactorKind.PASSKEY]


def find_passkey(db: Unit, credential: str) -> Factor | None:
    """Finds a passkey of any user, because authenticators name the passkey and not the user."""
    return tables.find(db, Factor, "factors", credential=credential, kind=FactorKind.PASSKEY.value)


def add_passkey(db: Unit, user_id: int, draft: PasskeyDraft, now: str) -> Factor:
    """Adds a passkey, which counts as confirmed, because its authenticator has just signed. Raises CredentialTaken."""
    values = structs.asdict(draft)
    values["secret"] = values.pop("public_key")
    stamps = {"created_at": now, "confirmed_at": now}
    try:
        passkey = tables.add_and_get(
            db, Factor, "factors", user_id=user_id, kind=FactorKind.PASSKEY, **values, **stamps
        )
    except Clash as error:
        raise CredentialTaken(draft.credential) from error
    installation.touch(db)
    return passkey


def use_passkey(db: Unit, passkey: Factor, counter: int, now: str) -> bool:
    """Stores the use of a passkey. Returns False if its counter has not increased, because then a copy must exist.

    Many authenticators do not count and always send 0, which is accepted.
    """
    is_higher = "(counter < :counter OR (counter = 0 AND :counter = 0))"
    return _raise_counter(db, passkey, counter, is_higher, now)


def rename(db: Unit, factor: Factor, name: str) -> None:
    tables.change(db, "factors", _key(factor), name=name)


def _key(factor: Factor) -> dict[str, int]:
    return {"user_id": factor.user_id, "id": factor.id}


def add_app(db: Unit, user_id: int, name: str, now: str) -> Factor:
    """Adds an authenticator app, which has to be confirmed with a code. Deletes earlier apps that are not confirmed."""
    db.run("DELETE FROM factors WHERE user_id = :user_id AND confirmed_at IS NULL", user_id=user_id)
    app = {"kind": FactorKind.TOTP, "name": name, "secret": random_base32(), "counter": 0}
    return tables.add_and_get(db, Factor, "factors", user_id=user_id, created_at=now, **app)


def confirm(db: Unit, factor: Factor, code: str, now: str) -> bool:
    """Confirms an authenticator app with its first code. From then on, the user needs a second factor to sign in."""
    if not _use_app(db, factor, code, now):
        return False
    tables.change(db, "factors", _key(factor), confirmed_at=now)
    installation.touch(db)  # a preference shows that it is confirmed, but the log of changes does not
    return True


def remove(db: Unit, factor: Factor) -> None:
    """Removes the factor. If it was the user's last one, also removes the recovery codes."""
    tables.remove(db, "factors", **_key(factor))
    if not is_needed(db, factor.user_id):
        tables.remove(db, "recovery_codes", user_id=factor.user_id)
    installation.touch(db)


def remove_all(db: Unit, user_id: int) -> int:
    """Removes all factors and recovery codes, for a user who has lost them. Returns the number of factors."""
    tables.remove(db, "recovery_codes", user_id=user_id)
    count = tables.remove_and_count(db, "factors", user_id=user_id)
    installation.touch(db)
    return count


def make_recovery_codes(db: Unit, user_id: int) -> list[str]:
    """Replaces the recovery codes of a user. Returns the new codes, which cannot be read later."""
    codes = [_make_recovery_code() for _ in range(RECOVERY_CODES)]
    tables.remove(db, "recovery_codes", user_id=user_id)
    db.many(
        "INSERT INTO recovery_codes (user_id, hash) VALUES (:user_id, :hash)",
        [{"user_id": user_id, "hash": hash_secret(code.replace("-", ""))} for code in codes],
    )
    return codes


def count_recovery_codes(db: Unit, user_id: int) -> int:
    return int(db.value("SELECT COUNT(*) FROM recovery_codes WHERE user_id = :user_id", user_id=user_id))


def use_code(db: Unit, user_id: int, code: str, now: str) -> bool:
    """Checks a code of an authenticator app, or a recovery code. Each code works once. Ignores spaces and hyphens."""
    tidy = re.sub(r"[\s-]", "", code).lower()
    if tidy.isascii() and tidy.isdigit():
        apps = [factor for factor in list_confirmed(db, user_id) if factor.kind is FactorKind.TOTP]
        return any(_use_app(db, app, tidy, now) for app in apps)
    return tables.remove_and_count(db, "recovery_codes", user_id=user_id, hash=hash_secret(tidy)) > 0


def _use_app(db: Unit, factor: Factor, code: str, now: str) -> bool:
    """Checks the code of an authenticator app. Only one of two simultaneous uses of a code succeeds."""
    step = _find_step(factor.secret, code, now, after=factor.counter)
    return step is not None and _raise_counter(db, factor, step, "counter < :counter", now)


def _raise_counter(db: Unit, factor: Factor, counter: int, condition: str, now: str) -> bool:
    which = f"user_id = :user_id AND id = :id AND {condition}"
    statement = f"UPDATE factors SET counter = :counter, last_used_at = :now WHERE {which}"
    return db.run_and_count(statement, **_key(factor), counter=counter, now=now) > 0


def _make_recovery_code() -> str:
    letters = [secrets.choice(_LETTERS) for _ in range(_GROUP * _GROUPS)]
    return "-".join("".join(letters[at : at + _GROUP]) for at in range(0, len(letters), _GROUP))


STEP_S = 30
# A phone's clock may be wrong, so the previous and the next code are also accepted.
_STEPS_AROUND = (0, -1, 1)


def make_address(secret: str, email: str, issuer: str) -> str:
    """Returns the address in the QR code that the app scans."""
    return TOTP(secret).provisioning_uri(name=email, issuer_name=issuer)


def _find_step(secret: str, code: str, now: str, *, after: int) -> int | None:
    """Returns the time step of this code, or None if the code is wrong or not newer than the step `after`."""
    clock = int(datetime.fromisoformat(now).timestamp()) // STEP_S
    app = TOTP(secret)
    for step in (clock + around for around in _STEPS_AROUND):
        if step > after and hmac.compare_digest(app.at(step * STEP_S).encode(), code.encode()):
            return step
    return None
