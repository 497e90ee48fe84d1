"""Limits attempts to sign in. The database counts them, so that all servers share the count.

Attempts are counted by key, such as an account or an address; each key has one row. A single statement counts an
attempt and reads the result, so that simultaneous attempts get different numbers. A refused attempt is rolled back, so
it neither raises the count nor extends the window.

Guesses by strangers do not block a browser in which the user has signed in before, because such a browser has a count
of its own.
"""

import hashlib
from datetime import datetime, timedelta
from ipaddress import ip_network

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.kernel.errors import TooMany
from farthing.kernel.network.networks import read_address
from farthing.kernel.text import fold, pluralize
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from .. import devices
from ..callers import hash_secret
from ..user import User

# How many failed attempts are allowed within the window.
TRIES_OF_ACCOUNT, TRIES_OF_ADDRESS = 10, 30
# How many passkey sign-ins an address may begin within the window; a household may share an address.
CHALLENGES_OF_ADDRESS = 120
WINDOW = timedelta(minutes=15)
# How many letters with a link for a new password go to one e-mail address within these times.
_LETTERS = (("hour", timedelta(hours=1), 3), ("day", timedelta(days=1), 10))
_LETTER_KEYS = "letters "  # their counts are kept for a day
_COUNT = """
INSERT INTO sign_in_attempts (key, tries, since) VALUES (:key, 1, :now)
ON CONFLICT (key) DO UPDATE SET
    tries = CASE WHEN sign_in_attempts.since <= :over THEN 1 ELSE sign_in_attempts.tries + 1 END,
    since = CASE WHEN sign_in_attempts.since <= :over THEN :now ELSE sign_in_attempts.since END
RETURNING tries, since
"""
# With IPv6, one client has a whole network of addresses.
_IPV6_NETWORK_BITS = 64


class Origin(Struct, frozen=True, kw_only=True):
    """Describes where an attempt comes from. `device` is the secret that the browser has from an earlier sign-in."""

    address: str
    device: str | None


def count_attempt(db: Unit, origin: Origin, email: str | None, now: str) -> None:
    """Counts an attempt to sign in. Raises TooMany if there were too many.

    A sign-in by link names no e-mail address. In that case, a browser is known if anybody has signed in there before.
    """
    if origin.device and email:
        devices.count_attempt(db, origin.device, email)
    if _is_known(db, origin, email):
        _count(db, _device_key(origin), TRIES_OF_ADDRESS, now)
        return
    # The address is counted first, because its limit also bounds how many rows for accounts it can add to the table.
    _count(db, _address_key(origin.address), TRIES_OF_ADDRESS, now)
    if email:
        count_for_account(db, email, now)


def count_for_account(db: Unit, email: str, now: str) -> None:
    _count(db, _account_key(email), TRIES_OF_ACCOUNT, now)


def forgive_attempt(db: Unit, origin: Origin, email: str | None, now: str) -> None:
    """Removes a successful sign-in from the counts. If the browser is known, only its own count is changed, so that the
    attempts of strangers stay counted."""
    if _is_known(db, origin, email):
        _take_off(db, _device_key(origin), now)
        return
    _take_off(db, _address_key(origin.address), now)
    if email:
        tables.remove(db, "sign_in_attempts", key=_account_key(email))


def count_challenge(db: Unit, origin: Origin, now: str) -> None:
    """Counts a request for a passkey challenge, and raises TooMany if there were too many.

    Such a request is not yet an attempt to sign in, but each one adds a row to a table.
    """
    key = _device_key(origin) if _is_known(db, origin, None) else _address_key(origin.address)
    _count(db, f"challenge {key}", CHALLENGES_OF_ADDRESS, now)


def count_code(db: Unit, origin: Origin, user: User, now: str) -> None:
    """Counts an attempt with a second factor. Raises TooMany if there were too many.

    Call it before the second factor is checked, in the same unit of work. Second factors are counted separately from
    passwords, so that somebody who knows the password cannot guess codes forever.
    """
    _count(db, _code_key(db, origin, user), TRIES_OF_ACCOUNT, now)


def forgive_codes(db: Unit, origin: Origin, user: User) -> None:
    """Resets the count after a correct second factor."""
    tables.remove(db, "sign_in_attempts", key=_code_key(db, origin, user))


def count_letter(db: Unit, user_id: int, now: str) -> None:
    """Counts an e-mail that a user asks for, so that nobody can flood a mailbox or the mail server."""
    _count(db, f"letter {user_id}", TRIES_OF_ACCOUNT, now)


def count_forgotten(db: Unit, address: str, email: str, now: str) -> None:
    """Counts a request for a new password, whether or not a user has this e-mail address."""
    _count(db, f"forgotten {_address_key(address)}", TRIES_OF_ADDRESS, now)
    _count(db, f"forgotten {_account_key(email)}", TRIES_OF_ACCOUNT, now)


def may_send_link(db: Unit, email: str, now: str) -> bool:
    """Counts a letter with a link for a new password, and returns whether the address may get it.

    Whoever asks is not told, so that a stranger's requests lock nobody out: the links already sent stay valid.
    """
    key = f"{_LETTER_KEYS}{_account_key(email)}"
    return all(_count_up(db, f"{key} {name}", now, lasts)[0] <= most for name, lasts, most in _LETTERS)


def count_for_app(db: Unit, address: str, now: str) -> None:
    """Counts apps separately from people at the same address, so that an app that keeps retrying locks nobody out."""
    _count(db, f"app {_address_key(address)}", TRIES_OF_ADDRESS, now)


def forgive_app(db: Unit, address: str, now: str) -> None:
    _take_off(db, f"app {_address_key(address)}", now)


def forget_old(db: Unit, now: str) -> int:
    where = "since <= :over AND (key NOT LIKE :letters OR since <= :day_over)"
    times = {"over": _window_start(now), "day_over": _window_start(now, timedelta(days=1))}
    return delete_some(db, "sign_in_attempts", "key", where, letters=f"{_LETTER_KEYS}%", **times)


def _is_known(db: Unit, origin: Origin, email: str | None) -> bool:
    return origin.device is not None and devices.is_known(db, origin.device, email)


def _count(db: Unit, key: str, tries_max: int, now: str) -> None:
    tries, since = _count_up(db, key, now, WINDOW)
    if tries > tries_max:
        ends = datetime.fromisoformat(since) + WINDOW
        seconds = max(1, int((ends - datetime.fromisoformat(now)).total_seconds()))
        minutes = -(-seconds // 60)
        raise TooMany(f"Too many attempts. Try again in {pluralize(minutes, 'minute')}.", seconds)


def _count_up(db: Unit, key: str, now: str, window: timedelta) -> tuple[int, str]:
    """Returns the new count, and since when it counts."""
    row = db.one(_COUNT, key=key, now=now, over=_window_start(now, window))
    assert row is not None
    tries, since = row
    return tries, since


def _take_off(db: Unit, key: str, now: str) -> None:
    statement = "UPDATE sign_in_attempts SET tries = tries - 1 WHERE key = :key AND tries > 0 AND since > :over"
    db.run(statement, key=key, over=_window_start(now))


def _window_start(now: str, window: timedelta = WINDOW) -> str:
    """Returns the latest start of a window that is over now."""
    return shift(now, -window)


def _account_key(email: str) -> str:
    # Hashed, because people sometimes type their password into this field.
    return f"account {hashlib.sha256(fold(email).encode()).hexdigest()}"


def _code_key(db: Unit, origin: Origin, user: User) -> str:
    """Returns the key for counting wrong second factors. All known browsers of a user share one key; otherwise
    somebody who knows the password would get new attempts with each browser."""
    return f"code {user.id} {'known' if _is_known(db, origin, user.email) else 'strange'}"


def _device_key(origin: Origin) -> str:
    return f"device {hash_secret(origin.device or '')}"


def _address_key(address: str) -> str:
    ip = read_address(address)
    if ip is None:
        return f"address {address[:64]}"
    return f"address {ip if ip.version == 4 else ip_network((ip, _IPV6_NETWORK_BITS), strict=False)}"
