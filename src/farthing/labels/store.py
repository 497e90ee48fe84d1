"""Where are the names that transactions carry kept? Categories, budgets and tags: a name, once, in any case."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from ..storage import changes
from ..storage.unit import Unit
from ..text import fold
from .model import Tag

Label = Literal["categories", "budgets", "tags"]


def add(db: Unit, user_id: int, label: Label, name: str, now: str) -> int:
    label_id = int(
        db.value(
            f"""
            INSERT INTO {label} (user_id, name, name_fold, created_at, updated_at)
            VALUES (:user_id, :name, :name_fold, :now, :now) RETURNING id
            """,
            user_id=user_id,
            name=name,
            name_fold=fold(name),
            now=now,
        )
    )
    changes.created(db, label, [label_id])
    return label_id


def ids_of(db: Unit, user_id: int, label: Label, names: Sequence[str], now: str) -> list[int]:
    """Each name's id, found in any case or made."""
    rows = db.all(
        f"SELECT name_fold, id FROM {label} WHERE user_id = :user_id AND name_fold IN :folds",
        user_id=user_id,
        folds=[fold(name) for name in names],
    )
    known = dict(rows)
    for name in names:
        if fold(name) not in known:
            known[fold(name)] = add(db, user_id, label, name, now)
    return list(dict.fromkeys(known[fold(name)] for name in names))


def tags_of(db: Unit, user_id: int, entry_ids: Sequence[int]) -> Mapping[int, list[Tag]]:
    """The tags of each entry, in the order they were given; an entry without any has an empty list."""
    rows = db.all(
        """
        SELECT l.entry_id, t.id, t.name, t.created_at, t.updated_at
        FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.id
        """,
        user_id=user_id,
        entry_ids=sorted(set(entry_ids)),
    )
    tags: dict[int, list[Tag]] = defaultdict(list)
    for entry_id, *tag in rows:
        tags[entry_id].append(Tag(*tag))
    return tags
