"""Where are the names that transactions carry kept? Categories, budgets and tags: a name, once, in any case."""

from typing import Literal

from ..storage import changes
from ..storage.unit import Unit
from ..text import fold

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
