"""Checks webhooks, and updates which events they wait for after an undo."""

from collections.abc import Iterator
from contextlib import contextmanager

from farthing.identity import audit
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
    touched = undoing.list_touched("webhooks")
    if not touched:
        yield
        return
    before = {webhook.id: webhook for webhook in store.get_some(db, user_id, touched)}
    yield
    if store.count(db, user_id) > WEBHOOKS_MAX:
        raise Conflict(f"Not undone: {TOO_MANY}")
    if audit.was_handed_over_since(db, user_id, undoing.revision):
        store.forget_sign_ins(db, user_id, store.get_some(db, user_id, touched), undoing.now)
    for webhook in store.get_some(db, user_id, touched):
        if webhook.id in before:
            store.drop_unwanted(db, user_id, before[webhook.id], webhook)
        store.restart(db, user_id, webhook.id, undoing.now)
    store.update_bits(db, user_id)
