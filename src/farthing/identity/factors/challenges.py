"""Stores the challenges that authenticators sign. Each challenge works once, for a few minutes and for one purpose."""

import secrets
from datetime import timedelta
from enum import StrEnum

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from ..callers import hash_secret

LASTS = timedelta(minutes=5)


class Purpose(StrEnum):
    """Names what a challenge is for. The names are stored, so they must not change."""

    SIGN_IN = "sign_in"
    SECOND_FACTOR = "second_factor"
    PROOF = "proof"
    ENROLMENT = "enrolment"


class UsedChallenge(Struct, frozen=True):
    """Describes a challenge that was answered. `handle` is only set for a new passkey, and identifies its user."""

    handle: str | None


def make(db: Unit, purpose: Purpose, user_id: int | None, now: str, *, handle: str | None = None) -> str:
    """Makes a challenge. `user_id` is the user who must answer it, or None if the user is not known yet."""
    challenge = secrets.token_urlsafe(32)
    whose = {"purpose": purpose, "user_id": user_id, "handle": handle}
    tables.add(db, "passkey_challenges", hash=hash_secret(challenge), expires_at=shift(now, LASTS), **whose)
    return challenge


def use(db: Unit, challenge: str, purpose: Purpose, user_id: int | None, now: str) -> UsedChallenge | None:
    """Deletes the challenge, so that only one of two simultaneous uses succeeds.

    Returns None if the challenge does not exist, or was made for another user or purpose.
    """
    return db.struct(
        UsedChallenge,
        """
        DELETE FROM passkey_challenges
        WHERE hash = :hash AND purpose = :purpose AND COALESCE(user_id, 0) = :user_id AND expires_at > :now
        RETURNING handle
        """,
        hash=hash_secret(challenge),
        purpose=purpose.value,
        user_id=user_id or 0,
        now=now,
    )


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "passkey_challenges", "hash", "expires_at <= :now", now=now)
