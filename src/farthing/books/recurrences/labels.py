"""Updates recurrences when a label, an account or a piggy bank that they name is renamed, merged, moved or deleted."""

from collections.abc import Mapping

import msgspec

from farthing.kernel.text import fold
from farthing.ledger.entry import Label
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit


def forget_label(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Removes a deleted category or budget from recurrences. Tags stay: recurrences create them when they fire."""
    if label == "tags":
        return
    _replace(db, user_id, {"categories": "category_id", "budgets": "budget_id"}[label], label_id, None)


def move_category(db: Unit, user_id: int, from_id: int, *, into_id: int) -> None:
    _replace(db, user_id, "category_id", from_id, into_id)


def move_account(db: Unit, user_id: int, from_id: int, *, into_id: int) -> None:
    for column in ("source_id", "destination_id"):
        _replace(db, user_id, column, from_id, into_id)


def _replace(db: Unit, user_id: int, column: str, old: int, new: int | None) -> None:
    changes.update(db, "recurrence_splits", user_id, f"{column} = :old", {column: new}, old=old)


def rename_tags(db: Unit, user_id: int, renamed: Mapping[str, str]) -> None:
    """Replaces old tag names with new ones. Reads all recurrences that have tags, because a user has only a few."""
    by_fold = {fold(old): new for old, new in renamed.items()}
    rows = db.all("SELECT id, tags FROM recurrences WHERE user_id = :user_id AND tags <> '[]'", user_id=user_id)
    following: dict[int, dict[str, str]] = {}
    for recurrence_id, written in rows:
        tags: list[str] = msgspec.json.decode(written)
        new = list(dict.fromkeys(by_fold.get(fold(tag), tag) for tag in tags))
        if new != tags:
            following[recurrence_id] = {"tags": msgspec.json.encode(new).decode()}
    changes.update_each(db, "recurrences", user_id, following)


def release_piggy_banks(db: Unit, user_id: int, piggy_bank_ids: list[int]) -> None:
    changes.update(db, "recurrences", user_id, "piggy_bank_id IN :ids", {"piggy_bank_id": None}, ids=piggy_bank_ids)


def release_stranded(db: Unit, user_id: int, piggy_bank_ids: list[int], ids: list[int]) -> None:
    """Removes the piggy bank from recurrences that do not touch any of its accounts.

    Checks the given recurrences and all recurrences that use the given piggy banks.
    """
    without = {"piggy_bank_id": None}
    changes.update(db, "recurrences", user_id, _STRANDED, without, piggy_bank_ids=piggy_bank_ids, ids=ids)


_STRANDED = """
piggy_bank_id IS NOT NULL AND (piggy_bank_id IN :piggy_bank_ids OR id IN :ids) AND NOT EXISTS (
    SELECT 1 FROM recurrence_splits s
    JOIN piggy_bank_accounts v ON v.user_id = s.user_id AND v.account_id IN (s.source_id, s.destination_id)
    WHERE s.user_id = :user_id AND s.recurrence_id = recurrences.id AND v.piggy_bank_id = recurrences.piggy_bank_id
)
"""
