"""Updates the labels of recurrences when a category, a budget or a tag is renamed or deleted."""

import msgspec

from farthing.kernel.text import fold
from farthing.ledger.entry import Label
from farthing.storage import changes
from farthing.storage.unit import Unit


def forget_label(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Recurrences name tags and create them when they fire, so a deleted tag stays in the list."""
    if label == "tags":
        return
    column = {"categories": "category_id", "budgets": "budget_id"}[label]
    changes.log_changing(db, "recurrence_splits", f"{column} = :id", id=label_id)
    db.run(
        f"UPDATE recurrence_splits SET {column} = NULL WHERE user_id = :user_id AND {column} = :id",
        user_id=user_id,
        id=label_id,
    )


def rename_tag(db: Unit, user_id: int, old: str, new: str) -> None:
    """A user has few recurrences, so all with tags are read."""
    rows = db.all("SELECT id, tags FROM recurrences WHERE user_id = :user_id AND tags <> '[]'", user_id=user_id)
    for recurrence_id, written in rows:
        tags: list[str] = msgspec.json.decode(written)
        renamed = list(dict.fromkeys(new if fold(tag) == fold(old) else tag for tag in tags))
        if renamed != tags:
            changes.log_changing(db, "recurrences", "id = :id", id=recurrence_id)
            db.run(
                "UPDATE recurrences SET tags = :tags WHERE user_id = :user_id AND id = :id",
                user_id=user_id,
                id=recurrence_id,
                tags=msgspec.json.encode(renamed).decode(),
            )
