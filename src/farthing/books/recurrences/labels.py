"""Updates recurrences when a category, a budget, a tag or an account that they name is renamed, merged or deleted."""

import msgspec

from farthing.kernel.text import fold
from farthing.ledger.entry import Label
from farthing.storage import changes
from farthing.storage.unit import Unit


def forget_label(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Recurrences name tags and create them when they fire, so a deleted tag stays in the list."""
    if label == "tags":
        return
    _replace(db, user_id, {"categories": "category_id", "budgets": "budget_id"}[label], label_id, None)


def move_category(db: Unit, user_id: int, from_id: int, *, into_id: int) -> None:
    _replace(db, user_id, "category_id", from_id, into_id)


def move_account(db: Unit, user_id: int, from_id: int, *, into_id: int) -> None:
    for column in ("source_id", "destination_id"):
        _replace(db, user_id, column, from_id, into_id)


def _replace(db: Unit, user_id: int, column: str, old: int, new: int | None) -> None:
    changes.log_changing(db, "recurrence_splits", f"{column} = :old", old=old)
    statement = f"UPDATE recurrence_splits SET {column} = :new WHERE user_id = :user_id AND {column} = :old"
    db.run(statement, user_id=user_id, old=old, new=new)


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
