"""Checks webhooks, and updates which events they wait for after an undo."""

from collections.abc import Iterator
from contextlib import contextmanager

from farthing.kernel.errors import Conflict, Problem
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..webhooks import store
from ..webhooks.model import WEBHOOKS_MAX

TOO_MANY = f"You may have at most {WEBHOOKS_MAX} webhooks."


def title_problems(db: Unit, user_id: int, title: str | None, *, except_id: int) -> list[Problem]:
    """Finds what speaks against the title of a webhook. `except_id` is 0 for a new one, which may be one too many."""
    if not except_id and store.count(db, user_id) >= WEBHOOKS_MAX:
        return [Problem("title", TOO_MANY)]
    if not title or not store.is_title_taken(db, user_id, title, except_id=except_id):
        return []
    return [Problem("title", "The title has already been taken by another of your webhooks.")]


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    yield
    if undoing.list_touched("webhooks"):
        if store.count(db, user_id) > WEBHOOKS_MAX:
            raise Conflict(f"Not undone: {TOO_MANY}")
        store.update_bits(db, user_id)
        store.begin(db, user_id, undoing.now)
