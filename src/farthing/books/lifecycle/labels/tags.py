"""Changes, merges and removes tags, and updates the rules and recurrences that name them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ...bookkeeping import record
from ...labels import store as label_store
from ...recurrences import labels as recurrences
from ...rules import renaming
from ...tags import store
from ...tags.model import Tag, TagDraft
from . import any_label

taken_problems = partial(any_label.taken_problems, label="tags", field="tag")


def change(db: Unit, user_id: int, tag: Tag, draft: TagDraft, now: str) -> None:
    store.change(db, user_id, tag.id, draft, now)
    if draft.name != tag.name:
        recurrences.rename_tags(db, user_id, {tag.name: draft.name})
        renaming.rename(db, user_id, "tags", {tag.name: draft.name}, now)


def remove(db: Unit, user_id: int, tag_id: int) -> None:
    any_label.remove(db, user_id, "tags", tag_id)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Renames tags in rules and recurrences that were made since."""
    before = renaming.load_names(db, user_id, "tags", undoing.list_touched("tags"))
    yield
    renamed = renaming.find_renamed(db, user_id, "tags", before)
    recurrences.rename_tags(db, user_id, renamed)
    renaming.rename(db, user_id, "tags", renamed, undoing.now)


def merge(db: Unit, user_id: int, tag: Tag, into: Tag, now: str) -> None:
    """Gives `into` to all that has `tag`: transactions, recurrences and rules."""
    record.move_label(db, user_id, "tags", tag.id, into_id=into.id)
    recurrences.rename_tags(db, user_id, {tag.name: into.name})
    renaming.rename(db, user_id, "tags", {tag.name: into.name}, now)
    label_store.remove(db, user_id, "tags", tag.id)
