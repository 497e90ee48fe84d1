"""How does a session begin? Under a new secret, always; the one that the browser had before ends."""

from dataclasses import dataclass
from datetime import timedelta

from ..clock import moved
from ..storage.unit import Unit
from . import store
from .model import Session, device_of


@dataclass(frozen=True)
class Begun:
    session: Session
    secret: str
    seconds: int


def begin(db: Unit, user_id: int, *, agent: str, before: str | None, now: str, days: int) -> Begun:
    """`before` is the secret that the browser came with."""
    if before:
        store.end_with(db, before)
    lasts = timedelta(days=days)
    session, secret = store.begin(db, user_id, device_of(agent), now, moved(now, lasts))
    return Begun(session, secret, int(lasts.total_seconds()))
