"""How often was it tried? Counted in the database before a password is looked at, so that all servers agree.

A key has one row. One statement counts and reads, so that of any number at the same moment each gets a number of its
own; whoever is refused leaves no trace, and the window ends when it would have ended anyway.
"""

import hashlib
from datetime import datetime
from ipaddress import ip_address, ip_network

from ..clock import moved
from ..errors import TooMany
from ..storage.unit import Unit
from ..text import fold
from .model import TRIES_OF_ACCOUNT, TRIES_OF_ADDRESS, WINDOW

_COUNT = """
INSERT INTO sign_in_attempts (key, tries, since) VALUES (:key, 1, :now)
ON CONFLICT (key) DO UPDATE SET
    tries = CASE WHEN sign_in_attempts.since <= :over THEN 1 ELSE sign_in_attempts.tries + 1 END,
    since = CASE WHEN sign_in_attempts.since <= :over THEN :now ELSE sign_in_attempts.since END
RETURNING tries, since
"""
# A household behind one address has many; with IPv6 whoever has one has the whole network.
_IPV6_NETWORK_BITS = 64


def from_address(db: Unit, address: str, now: str) -> None:
    """The first of the two, always: what one address may try also limits how many accounts it fills the table with."""
    _count(db, _address_key(address), TRIES_OF_ADDRESS, now)


def at_account(db: Unit, email: str, now: str) -> None:
    _count(db, _account_key(email), TRIES_OF_ACCOUNT, now)


def forgive(db: Unit, address: str, email: str | None, now: str) -> None:
    """It was right: the account starts anew, and the address had one try less."""
    db.run(
        "UPDATE sign_in_attempts SET tries = tries - 1 WHERE key = :key AND tries > 0 AND since > :over",
        key=_address_key(address),
        over=_over(now),
    )
    if email:
        db.run("DELETE FROM sign_in_attempts WHERE key = :key", key=_account_key(email))


def forget_old(db: Unit, now: str) -> None:
    db.run("DELETE FROM sign_in_attempts WHERE since <= :over", over=_over(now))


def _count(db: Unit, key: str, tries_max: int, now: str) -> None:
    row = db.one(_COUNT, key=key, now=now, over=_over(now))
    assert row is not None
    tries, since = row
    if tries > tries_max:
        ends = datetime.fromisoformat(since) + WINDOW
        seconds = max(1, int((ends - datetime.fromisoformat(now)).total_seconds()))
        minutes = -(-seconds // 60)
        raise TooMany(f"Too many attempts. Try again in {minutes} minute{'s' * (minutes > 1)}.", seconds)


def _over(now: str) -> str:
    """A window that began then is over now."""
    return moved(now, -WINDOW)


def _account_key(email: str) -> str:
    # As a hash: people type all kinds of things into that field, passwords for one.
    return f"account {hashlib.sha256(fold(email).encode()).hexdigest()}"


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
