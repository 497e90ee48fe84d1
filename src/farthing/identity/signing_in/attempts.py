"""Limits sign-in attempts, counted in the database so that all servers share the count.

Each key has one row. One statement counts and reads, so that simultaneous attempts get different numbers. A refused
attempt is rolled back, so it neither raises the count nor extends the window.
"""

import hashlib
from datetime import datetime
from ipaddress import ip_address, ip_network

from farthing.kernel.clock import shift
from farthing.kernel.errors import TooMany
from farthing.kernel.text import fold, pluralize
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from ..callers import hash_secret
from ..session import CHALLENGES_OF_ADDRESS, TRIES_OF_ACCOUNT, TRIES_OF_ADDRESS, WINDOW

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
    """Call this before `count_for_account`: it also limits how many accounts an address can add to the table."""
    _count(db, _address_key(address), TRIES_OF_ADDRESS, now)


def count_for_device(db: Unit, secret: str, now: str) -> None:
    """Counts by device, because its address may be shared with strangers."""
    _count(db, _device_key(secret), TRIES_OF_ADDRESS, now)


def count_for_app(db: Unit, address: str, now: str) -> None:
    """Counts apps separately from people at the same address, so that an app that keeps retrying locks nobody out."""
    _count(db, f"app {_address_key(address)}", TRIES_OF_ADDRESS, now)


def forgive_app(db: Unit, address: str, now: str) -> None:
    _take_off(db, f"app {_address_key(address)}", now)


def count_for_account(db: Unit, email: str, now: str) -> None:
    _count(db, _account_key(email), TRIES_OF_ACCOUNT, now)


def count_code(db: Unit, user_id: int, now: str, *, is_known: bool) -> None:
    """Counts second factors apart from passwords: somebody who knows the password must not guess codes forever.

    `is_known` says that the browser has been used to sign in before. All known browsers share one count, because
    somebody who knows the password can add another with each password change.
    """
    _count(db, _code_key(user_id, is_known=is_known), TRIES_OF_ACCOUNT, now)


def forgive_codes(db: Unit, user_id: int, *, is_known: bool) -> None:
    """Resets the count after a correct second factor."""
    db.run("DELETE FROM sign_in_attempts WHERE key = :key", key=_code_key(user_id, is_known=is_known))


def count_challenge_for_address(db: Unit, address: str, now: str) -> None:
    """Limits the rows that challenges add to their table; asking for one is not a sign-in attempt."""
    _count(db, f"challenge {_address_key(address)}", CHALLENGES_OF_ADDRESS, now)


def count_challenge_for_device(db: Unit, secret: str, now: str) -> None:
    """Counts by device instead of by address, as with attempts."""
    _count(db, f"challenge {_device_key(secret)}", CHALLENGES_OF_ADDRESS, now)


def forgive(db: Unit, address: str, email: str | None, now: str) -> None:
    """Resets the count of the account after a successful sign-in, and takes this attempt off the address."""
    _take_off(db, _address_key(address), now)
    if email:
        db.run("DELETE FROM sign_in_attempts WHERE key = :key", key=_account_key(email))


def forgive_device(db: Unit, secret: str, now: str) -> None:
    """Takes one attempt off the device; attempts of strangers on the account remain counted."""
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
    """Returns the latest start of a window that is over now."""
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
        ip = ip_address(address)
    except ValueError:
        return f"address {address[:64]}"
    if ip.version == 6 and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if ip.version == 6:
        return f"address {ip_network((ip, _IPV6_NETWORK_BITS), strict=False)}"
    return f"address {ip}"
