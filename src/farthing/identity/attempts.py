"""Limits sign-in attempts, counted in the database so that all servers share the count.

Each key has one row. One statement counts and reads, so that simultaneous attempts get different numbers. A refused
attempt is rolled back: it does not count, and it does not prolong the window.
"""

import hashlib
from datetime import datetime
from ipaddress import ip_address, ip_network

from farthing.kernel.clock import shift
from farthing.kernel.errors import TooMany
from farthing.kernel.text import fold, pluralize
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from .callers import hash_secret
from .session import CHALLENGES_OF_ADDRESS, TRIES_OF_ACCOUNT, TRIES_OF_ADDRESS, WINDOW

_COUNT = """
INSERT INTO sign_in_attempts (key, tries, since) VALUES (:key, 1, :now)
ON CONFLICT (key) DO UPDATE SET
    tries = CASE WHEN sign_in_attempts.since <= :over THEN 1 ELSE sign_in_attempts.tries + 1 END,
    since = CASE WHEN sign_in_attempts.since <= :over THEN :now ELSE sign_in_attempts.since END
RETURNING tries, since
"""
# With IPv6, one client has a whole network of addresses.
_IPV6_NETWORK_BITS = 64


def count_for_address(db: Unit, address: str, now: str) -> None:
    """Always call this before `count_for_account`: it also limits how many accounts an address can add to the table."""
    _count(db, _address_key(address), TRIES_OF_ADDRESS, now)


def count_for_device(db: Unit, secret: str, now: str) -> None:
    """Instead of its address, which it may share with strangers."""
    _count(db, _device_key(secret), TRIES_OF_ADDRESS, now)


def count_for_app(db: Unit, address: str, now: str) -> None:
    """Apart from people at the same address: an app that tries again and again must not lock them out."""
    _count(db, f"app {_address_key(address)}", TRIES_OF_ADDRESS, now)


def forgive_app(db: Unit, address: str, now: str) -> None:
    _take_off(db, f"app {_address_key(address)}", now)


def count_for_account(db: Unit, email: str, now: str) -> None:
    _count(db, _account_key(email), TRIES_OF_ACCOUNT, now)


def count_code(db: Unit, user_id: int, now: str, *, is_known: bool) -> None:
    """Counts a second factor, apart from passwords: who knows the password must not guess codes without end.

    `is_known`: it comes from a browser in which the user has signed in before. All of these count together, because
    whoever knows the password can make a new one with each change of it.
    """
    _count(db, _code_key(user_id, is_known=is_known), TRIES_OF_ACCOUNT, now)


def forgive_codes(db: Unit, user_id: int, *, is_known: bool) -> None:
    """Only for a right second factor."""
    db.run("DELETE FROM sign_in_attempts WHERE key = :key", key=_code_key(user_id, is_known=is_known))


def count_challenge_for_address(db: Unit, address: str, now: str) -> None:
    """Nothing is wrong with asking for one, so it is no attempt; but each is a row in a table."""
    _count(db, f"challenge {_address_key(address)}", CHALLENGES_OF_ADDRESS, now)


def count_challenge_for_device(db: Unit, secret: str, now: str) -> None:
    """Instead of its address, as with attempts."""
    _count(db, f"challenge {_device_key(secret)}", CHALLENGES_OF_ADDRESS, now)


def forgive(db: Unit, address: str, email: str | None, now: str) -> None:
    """After a successful sign-in: reset the count of the account, and take this attempt off the address."""
    _take_off(db, _address_key(address), now)
    if email:
        db.run("DELETE FROM sign_in_attempts WHERE key = :key", key=_account_key(email))


def forgive_device(db: Unit, secret: str, now: str) -> None:
    """What strangers have tried at the account stays counted."""
    _take_off(db, _device_key(secret), now)


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "sign_in_attempts", "key", "since <= :over", over=_window_start(now))


def _count(db: Unit, key: str, tries_max: int, now: str) -> None:
    row = db.one(_COUNT, key=key, now=now, over=_window_start(now))
    assert row is not None
    tries, since = row
    if tries > tries_max:
        ends = datetime.fromisoformat(since) + WINDOW
        seconds = max(1, int((ends - datetime.fromisoformat(now)).total_seconds()))
        minutes = -(-seconds // 60)
        raise TooMany(f"Too many attempts. Try again in {pluralize(minutes, 'minute')}.", seconds)


def _take_off(db: Unit, key: str, now: str) -> None:
    db.run(
        "UPDATE sign_in_attempts SET tries = tries - 1 WHERE key = :key AND tries > 0 AND since > :over",
        key=key,
        over=_window_start(now),
    )


def _window_start(now: str) -> str:
    """A window that began then, or earlier, is over now."""
    return shift(now, -WINDOW)


def _account_key(email: str) -> str:
    # Hashed, because people sometimes type their password into this field.
    return f"account {hashlib.sha256(fold(email).encode()).hexdigest()}"


def _code_key(user_id: int, *, is_known: bool) -> str:
    return f"code {user_id} {'known' if is_known else 'strange'}"


def _device_key(secret: str) -> str:
    return f"device {hash_secret(secret)}"


def _address_key(address: str) -> str:
    try:
        known = ip_address(address)
    except ValueError:
        return f"address {address[:64]}"
    if known.version == 6 and known.ipv4_mapped:
        known = known.ipv4_mapped
    if known.version == 6:
        return f"address {ip_network((known, _IPV6_NETWORK_BITS), strict=False)}"
    return f"address {known}"
