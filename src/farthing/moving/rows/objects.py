"""Remembers what a job made besides transactions, so that its undo can take that back."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from farthing.books.accounts import store as accounts
from farthing.books.attachments import store as attachments
from farthing.books.bills import store as bills
from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import bills as bill_lifecycle
from farthing.books.lifecycle import piggy_banks as piggy_bank_lifecycle
from farthing.books.lifecycle import rule_groups as rule_group_lifecycle
from farthing.books.lifecycle import rules as rule_lifecycle
from farthing.books.recurrences import store as recurrences
from farthing.books.rules import store as rules
from farthing.storage.change_log import changes, restoring
from farthing.storage.unit import Unit

Remove = Callable[[Unit, int, list[int], str], None]
_ADD = """
INSERT INTO import_objects (user_id, job_id, kind, source_key, target_id, is_made)
VALUES (:user_id, :job_id, :kind, :source_key, :target_id, :is_made)
"""


def add_made(db: Unit, user_id: int, job_id: int, made: Iterable[tuple[str, int]]) -> None:
    """Accounts and labels that rows named; in the file they have no key of their own."""
    db.many(_ADD, [(user_id, job_id, kind, f"#{target_id}", target_id, 1) for kind, target_id in made])


def add_keyed(db: Unit, user_id: int, job_id: int, kind: str, keyed: Iterable[tuple[str, int, bool]]) -> None:
    """Records for each key of the source its object, and whether the job made it or it already existed."""
    db.many(_ADD, [(user_id, job_id, kind, key, target_id, int(is_made)) for key, target_id, is_made in keyed])


def load_keyed(db: Unit, user_id: int, job_id: int, kind: str, *, is_made: bool = False) -> dict[str, int]:
    """Loads object ids by key; `is_made` limits them to those that the job made."""
    rows = db.all(
        """
        SELECT source_key, target_id FROM import_objects
        WHERE user_id = :user_id AND job_id = :job_id AND kind = :kind AND is_made >= :least
        """,
        least=int(is_made),
        user_id=user_id,
        job_id=job_id,
        kind=kind,
    )
    return dict(rows)


def load_by_kind(db: Unit, user_id: int, job_id: int) -> dict[str, dict[str, int]]:
    rows = db.all(
        "SELECT kind, source_key, target_id FROM import_objects WHERE user_id = :user_id AND job_id = :job_id",
        user_id=user_id,
        job_id=job_id,
    )
    by_kind: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, key, target_id in rows:
        by_kind[kind][key] = target_id
    return by_kind


def count_made(db: Unit, user_id: int, job_ids: list[int]) -> dict[int, dict[str, int]]:
    """Counts made objects by job and kind, in one query."""
    rows = db.all(
        """
        SELECT job_id, kind, COUNT(*) FROM import_objects
        WHERE user_id = :user_id AND job_id IN :job_ids AND is_made = 1 GROUP BY job_id, kind
        """,
        user_id=user_id,
        job_ids=job_ids,
    )
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for job_id, kind, count in rows:
        counts[job_id][kind] = count
    return counts


def remove_unused(db: Unit, user_id: int, job_id: int, now: str) -> None:
    """Removes what the job made, except what something else uses by now."""
    for kind, (parts, remove) in _REMOVERS.items():
        ids = sorted(set(load_keyed(db, user_id, job_id, kind, is_made=True).values()))
        ids = _still_there(db, user_id, kind, ids) if ids else []
        used = restoring.find_used(db, user_id, kind, ids, besides=parts) if ids else set()
        if unused := [account_id for account_id in ids if account_id not in used]:
            remove(db, user_id, unused, now)
    currencies.take_back(db, sorted(set(load_keyed(db, user_id, job_id, "currencies", is_made=True).values())))
    changes.log_removing(db, "import_objects", "job_id = :job_id", job_id=job_id)
    db.run("DELETE FROM import_objects WHERE user_id = :user_id AND job_id = :job_id", user_id=user_id, job_id=job_id)


def _still_there(db: Unit, user_id: int, kind: str, ids: list[int]) -> list[int]:
    rows = db.all(f"SELECT id FROM {kind} WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=ids)
    return [object_id for (object_id,) in rows]


def _remove_accounts(db: Unit, user_id: int, ids: list[int], _now: str) -> None:
    """Removes accounts together with the helpers for their opening balances and reconciliations."""
    accounts.remove(
        db, user_id, [*(helper for account_id in ids for helper in accounts.helpers_of(db, user_id, account_id)), *ids]
    )


def _remove_bills(db: Unit, user_id: int, ids: list[int], _now: str) -> None:
    for bill_id in ids:
        bill = bills.get(db, user_id, bill_id)
        if bill:
            bill_lifecycle.remove(db, user_id, bill)


def _remove_rules(db: Unit, user_id: int, ids: list[int], now: str) -> None:
    for rule_id in ids:
        rule = rules.get(db, user_id, rule_id)
        if rule:
            rule_lifecycle.remove(db, user_id, rule, now)


def _remove_rule_groups(db: Unit, user_id: int, ids: list[int], now: str) -> None:
    for group_id in ids:
        rule_group_lifecycle.remove(db, user_id, group_id, now)


def _remove_attachments(db: Unit, user_id: int, ids: list[int], _now: str) -> None:
    for attachment_id in ids:
        attachments.remove(db, user_id, attachment_id)


def _remove_plainly(kind: str) -> Remove:
    return lambda db, user_id, ids, _now: restoring.remove(db, user_id, kind, ids)


# In the order in which they refer to each other; with each the parts that go with it, and how it is removed.
_REMOVERS: dict[str, tuple[frozenset[str], Remove]] = {
    "attachments": (frozenset(), _remove_attachments),
    "rules": (frozenset(), _remove_rules),
    "rule_groups": (frozenset(), _remove_rule_groups),
    "recurrences": (frozenset(), lambda db, user_id, ids, now: recurrences.remove(db, user_id, ids, now)),
    "piggy_banks": (
        frozenset(("piggy_bank_events",)),
        lambda db, user_id, ids, _now: piggy_bank_lifecycle.remove(db, user_id, ids),
    ),
    "bills": (frozenset(("attachments",)), _remove_bills),
    "budget_limits": (frozenset(), _remove_plainly("budget_limits")),
    "available_budgets": (frozenset(), _remove_plainly("available_budgets")),
    "budgets": (frozenset(), _remove_plainly("budgets")),
    "categories": (frozenset(), _remove_plainly("categories")),
    "tags": (frozenset(), _remove_plainly("tags")),
    "accounts": (frozenset(), _remove_accounts),
}
