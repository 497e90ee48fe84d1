"""Updates rules that refer to something by name when it is renamed."""

from collections.abc import Collection, Mapping

from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import values_by_id
from farthing.storage.unit import Unit

from . import store
from .model import REFERRING, Referred


def rename(db: Unit, user_id: int, referred: Referred, renamed: Mapping[str, str], now: str) -> None:
    """Replaces old names with new ones in triggers and actions.

    Reads all triggers and actions that may contain such a name, because a user has only a few rules.
    """
    assert db.author is not None, "a write takes its user first"
    by_fold = {fold(old): new for old, new in renamed.items() if old != new}
    if not by_fold or not db.author.rules_version:
        return
    for table, names in zip(store.TABLES, REFERRING[referred], strict=True):
        parts = store.find_parts(db, user_id, table, names)
        following = {part_id: {"value": by_fold[fold(value)]} for part_id, _, value in parts if fold(value) in by_fold}
        if following:
            changes.update_each(db, table, user_id, following, now=now)
            store.touch(db, user_id)


def load_names(db: Unit, user_id: int, referred: Referred, ids: Collection[int]) -> dict[int, str]:
    return values_by_id(db, user_id, referred, "name", ids)


def find_renamed(db: Unit, user_id: int, referred: Referred, before: Mapping[int, str]) -> dict[str, str]:
    """Maps old names to new ones. Skips an old name if another object has it by now."""
    now = load_names(db, user_id, referred, before)
    renamed = {name: now[object_id] for object_id, name in before.items() if now.get(object_id, name) != name}
    if not renamed:
        return {}
    sql = f"SELECT name_fold FROM {referred} WHERE user_id = :user_id AND name_fold IN :folds"
    rows = db.all(sql, user_id=user_id, folds=[fold(name) for name in renamed])
    taken = {name_fold for (name_fold,) in rows}
    return {old: new for old, new in renamed.items() if fold(old) == fold(new) or fold(old) not in taken}
