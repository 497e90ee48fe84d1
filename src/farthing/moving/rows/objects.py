"""Remembers what a job made besides transactions, so that its undo can take that back."""

from collections import defaultdict
from collections.abc import Iterable

from farthing.storage import changes, restoring
from farthing.storage.unit import Unit

# What refers to others goes before what it refers to.
_ORDER = (
    "rules", "rule_groups", "recurrences", "piggy_banks", "bills", "budget_limits", "available_budgets", "budgets",
    "categories", "tags", "accounts",
)  # fmt: skip
_ADD = """
INSERT INTO import_objects (user_id, job_id, kind, source_key, target_id, is_made)
VALUES (:user_id, :job_id, :kind, :source_key, :target_id, :is_made)
"""


def add_made(db: Unit, user_id: int, job_id: int, made: Iterable[tuple[str, int]]) -> None:
    """Accounts and labels that rows named; in the file they have no key of their own."""
    db.many(_ADD, [(user_id, job_id, kind, f"#{target_id}", target_id, 1) for kind, target_id in made])


def add_keyed(db: Unit, user_id: int, job_id: int, kind: str, keyed: Iterable[tuple[str, int, bool]]) -> None:
    """By the keys of the source: the object, and whether it was made or was there before."""
    db.many(_ADD, [(user_id, job_id, kind, key, target_id, int(is_made)) for key, target_id, is_made in keyed])


def load_keyed(db: Unit, user_id: int, job_id: int, kind: str) -> dict[str, int]:
    rows = db.all(
        """
        SELECT source_key, target_id FROM import_objects
        WHERE user_id = :user_id AND job_id = :job_id AND kind = :kind
        """,
        user_id=user_id,
        job_id=job_id,
        kind=kind,
    )
    return dict(rows)


def count_made(db: Unit, user_id: int, job_ids: list[int]) -> dict[int, dict[str, int]]:
    """By job and kind; one query."""
    rows = db.all(
        """
        SELECT job_id, kind, COUNT(*) FROM import_objects
        WHERE user_id = :user_id AND job_id IN :job_ids AND is_made = 1 GROUP BY job_id, kind
        """,
        user_id=user_id,
        job_ids=job_ids,
    )
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for job_id, kind, count in rows:
        found[job_id][kind] = count
    return found


def remove_unused(db: Unit, user_id: int, job_id: int) -> None:
    """What something else uses by now stays."""
    rows = db.all(
        "SELECT kind, target_id FROM import_objects WHERE user_id = :user_id AND job_id = :job_id AND is_made = 1",
        user_id=user_id,
        job_id=job_id,
    )
    made: dict[str, list[int]] = defaultdict(list)
    for kind, target_id in rows:
        made[kind].append(target_id)
    for kind in _ORDER:
        if ids := made.get(kind):
            used = restoring.find_used(db, user_id, kind, ids)
            restoring.remove(db, user_id, kind, [one for one in ids if one not in used])
    changes.removing(db, "import_objects", "job_id = :job_id", job_id=job_id)
    db.run("DELETE FROM import_objects WHERE user_id = :user_id AND job_id = :job_id", user_id=user_id, job_id=job_id)
