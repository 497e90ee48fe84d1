"""Begins a session under a new secret and ends the one that the browser had before."""

from datetime import timedelta

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage.unit import Unit

from . import sessions as store
from .session import Session, name_device


class NewSession(Struct, frozen=True):
    session: Session
    secret: str
    seconds: int


def begin(db: Unit, user_id: int, *, agent: str, before: str | None, now: str, days: int) -> NewSession:
    """`before` is the secret that the browser came with."""
    if before:
        store.end_with(db, before)
    lasts = timedelta(days=days)
    session, secret = store.begin(db, user_id, name_device(agent), now, shift(now, lasts))
    return NewSession(session=session, secret=secret, seconds=int(lasts.total_seconds()))
