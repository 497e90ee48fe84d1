"""Checks webhooks, and updates which events they wait for after an undo."""

from collections.abc import Iterator
from contextlib import contextmanager

from farthing.kernel.errors import Problem
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..webhooks import store


def taken_problems(db: Unit, user_id: int, title: str | None, *, except_id: int) -> list[Problem]:
    if not title or not store.is_title_taken(db, user_id, title, except_id=except_id):
        return []
    return [Problem("title", "The title has already been taken by another of your webhooks.")]


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    yield
    if undoing.list_touched("webhooks"):
        store.update_bits(db, user_id)
        store.begin(db, user_id, undoing.now)
