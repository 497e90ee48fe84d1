"""Counts sign-in attempts, and begins sessions; a new session replaces the browser's former one."""

from datetime import timedelta

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage.unit import Unit

from .. import devices
from .. import sessions as store
from ..session import Session, name_device
from ..user import User
from . import attempts


class Origin(Struct, frozen=True, kw_only=True):
    """Tells where an attempt comes from; `device` is the secret that the browser has kept from an earlier sign-in."""

    address: str
    device: str | None


class NewSession(Struct, frozen=True):
    session: Session
    secret: str
    seconds: int


def count_attempt(db: Unit, origin: Origin, email: str | None, now: str) -> None:
    """Raises TooMany. Guesses by strangers do not block a browser in which the user has signed in before.

    A link has no e-mail address, so any earlier sign-in in the browser is enough.
    """
    if origin.device and email:
        devices.count_attempt(db, origin.device, email)
    if origin.device and devices.is_known(db, origin.device, email):
        attempts.count_for_device(db, origin.device, now)
        return
    attempts.count_for_address(db, origin.address, now)
    if email:
        attempts.count_for_account(db, email, now)


def count_challenge(db: Unit, origin: Origin, now: str) -> None:
    """Raises TooMany. Strangers do not block a browser in which anybody has signed in before."""
    if origin.device and devices.is_known(db, origin.device, None):
        attempts.count_challenge_for_device(db, origin.device, now)
    else:
        attempts.count_challenge_for_address(db, origin.address, now)


def forgive_attempt(db: Unit, origin: Origin, email: str | None, now: str) -> None:
    """Takes back the count of an attempt after a successful sign-in."""
    if origin.device and devices.is_known(db, origin.device, email):
        attempts.forgive_device(db, origin.device, now)
    else:
        attempts.forgive(db, origin.address, email, now)


def count_code(db: Unit, origin: Origin, user: User, now: str) -> None:
    """Raises TooMany. Call it before a second factor is checked, in the unit of work that checks it."""
    attempts.count_code(db, user.id, now, is_known=_is_known(db, origin, user))


def forgive_codes(db: Unit, origin: Origin, user: User) -> None:
    """Resets the count after a correct second factor."""
    attempts.forgive_codes(db, user.id, is_known=_is_known(db, origin, user))


def _is_known(db: Unit, origin: Origin, user: User) -> bool:
    return origin.device is not None and devices.is_known(db, origin.device, user.email)


def begin(db: Unit, user_id: int, *, agent: str, before: str | None, now: str, days: int) -> NewSession:
    """`before` is the secret of the browser's former session, if it had one."""
    if before:
        store.end_with(db, before)
    lasts = timedelta(days=days)
    session, secret = store.begin(db, user_id, name_device(agent), now, shift(now, lasts))
    return NewSession(session=session, secret=secret, seconds=int(lasts.total_seconds()))
