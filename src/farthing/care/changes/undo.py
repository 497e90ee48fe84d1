"""Undoes a change by restoring its rows in reverse order, with their old ids, or refuses with the reason.

Stored balances, counts, sums and words remain correct, because the affected entries are removed from them before the
undo and added again afterwards.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime

from farthing.books.lifecycle import (
    accounts,
    automatic_limits,
    bills,
    labels,
    object_groups,
    recurrences,
    rule_groups,
    rules,
    transactions,
    webhooks,
)
from farthing.books.lifecycle.saving import piggy_banks
from farthing.books.lifecycle.settings import preferences
from farthing.books.preferences import store as chosen
from farthing.books.transactions import derived
from farthing.books.transactions.stored_sums import sets
from farthing.kernel.clock import today_in
from farthing.kernel.errors import Conflict
from farthing.storage.change_log import restoring
from farthing.storage.change_log.restoring import ImageRun, Undoing
from farthing.storage.unit import Clash, Overflow, Unit

from . import later, object_names, store
from .model import OBJECTS, Change, Image

Follower = Callable[[Unit, int, Undoing], AbstractContextManager[None]]
# Each of these context managers may refuse the undo before the rows are restored. After that, it updates everything
# that the same change through the API would update. They are entered in this order and left in reverse order: bills
# look for payments, and piggy banks for transfers, only after transactions have been added to the sums again.
_FOLLOWERS: tuple[Follower, ...] = (
    recurrences.follow_undo,
    preferences.follow_undo,
    bills.follow_undo,
    piggy_banks.follow_undo,
    rules.follow_undo,
    rule_groups.follow_undo,
    labels.follow_undo,
    object_groups.follow_undo,
    automatic_limits.follow_undo,
    transactions.follow_undo,
    accounts.follow_undo,
    webhooks.follow_undo,
)
# The tables for which the followers need the touched ids, in addition to accounts and transactions.
_FOLLOWED = (
    "bills", "budget_limits", "budgets", "categories", "object_groups", "piggy_banks", "preferences", "recurrences",
    "rule_actions", "rule_groups", "rule_triggers", "rules", "tags", "webhooks",
)  # fmt: skip
_LISTED_MAX, _NAME_MAX = 5, 80
TOO_MANY = (
    f"Not undone, because more than {later.TOGETHER_MAX} later changes depend on this one. Undo some of them first."
)
_FINAL = {
    "users.found": "The creation of the user cannot be undone.",
}


def undo(db: Unit, user_id: int, change: Change) -> None:
    if reason := find_final_reason(change):
        raise Conflict(reason)
    author = db.author
    runs = store.list_runs(db, user_id, change.revision, most=sets.BATCH_MAX)
    if not runs:
        raise Conflict("There is nothing to undo: this change altered no data that is logged.")
    refuse_touched(db, user_id, change)
    undoing = _gather(db, user_id, change, runs)
    _refuse_used(db, user_id, change, undoing.list_touched("entries"))
    named = store.images(db, user_id, change.revision, kinds=OBJECTS, limit=_LISTED_MAX)
    try:
        with ExitStack() as followers:
            for follow in _FOLLOWERS:
                followers.enter_context(follow(db, user_id, undoing))
            if db.author != author:  # a due recurrence has fired
                refuse_touched(db, user_id, change)
            for run in runs:
                restoring.restore(db, user_id, change.revision, run)
        db.flush()
    except Clash as error:
        raise Conflict(_explain_clash(named)) from error
    except Overflow as error:
        raise Conflict("Not undone: a balance would become too large to store.") from error
    assert db.author is not None, "a write takes its user first"
    store.mark_undone(db, user_id, change, db.author.revision)


def undo_together(db: Unit, changes: Sequence[Change], undo_one: Callable[[Change], None]) -> None:
    """Undoes several changes, in this order, as one change."""
    if len(changes) > later.TOGETHER_MAX:
        raise Conflict(TOO_MANY)
    author = db.author
    for done, change in enumerate(changes):
        undo_one(change)
        if done and db.author != author:  # what was undone before would be logged under the name of the recurrence
            raise Conflict("Not undone, because a recurring transaction is due today. Let it fire first.")
        author = db.author


def find_final_reason(change: Change) -> str | None:
    """Returns the reason why a change can never be undone, no matter what else is undone first."""
    if change.undone_by is not None:
        return f"This change was already undone, by change {change.undone_by}."
    return _FINAL.get(change.doing)


def _gather(db: Unit, user_id: int, change: Change, runs: Sequence[ImageRun]) -> Undoing:
    """Gathers the data that the followers need.

    The entries include those whose sums change because an account gets its former currency back.
    """
    assert db.author is not None, "a write takes its user first"
    zone = str(chosen.values(db, user_id, ["timezone"])["timezone"])
    ids = {
        table: restoring.find_wholes(db, user_id, change.revision, table, runs)
        for table in ("accounts", "entries", *_FOLLOWED)
    }
    recoined = accounts.find_changing_currency(db, user_id, change.revision) if ids["accounts"] else []
    if recoined:
        ids["entries"] = sorted({*ids["entries"], *derived.find_exchanging_entries(db, user_id, recoined)})
    today = today_in(zone, datetime.fromisoformat(db.author.at))
    changed = restoring.find_columns(db, user_id, change.revision, runs)
    return Undoing(revision=change.revision, today=today, now=db.author.at, ids=ids, changed=changed)


def refuse_touched(db: Unit, user_id: int, change: Change) -> None:
    touched = later.find_touched_since(db, user_id, change.revision, limit=_LISTED_MAX)
    if touched:
        names = object_names.find_names(db, user_id, {(kind, object_id) for kind, object_id, _ in touched})
        each = [f"{_describe(kind, object_id, names)} by change {change_id}" for kind, object_id, change_id in touched]
        raise Conflict(
            f"Not undone, because something was changed since: {'; '.join(each)}. Undo those changes first."
            " With `with_later=1` they are undone together."
        )


def _refuse_used(db: Unit, user_id: int, change: Change, entry_ids: list[int]) -> None:
    """Refuses the undo if it would remove an object that the change created and that other objects now use."""
    of_entries = {"entries": entry_ids}
    users = restoring.find_references(db, user_id, [change.revision], besides=of_entries, limit=_LISTED_MAX)
    if users:
        names = object_names.find_names(db, user_id, set(users[:_LISTED_MAX]))
        uses = ", ".join(_describe(*row, names) for row in users[:_LISTED_MAX])
        raise Conflict(
            f"Not undone, because what this change created is now used by: {uses}. Delete or change those first."
            " With `with_later=1` their changes are undone together with this one."
        )


def _describe(kind: str, object_id: int, names: Mapping[tuple[str, int], str]) -> str:
    name = names.get((kind, object_id))
    called = f"“{name[:_NAME_MAX]}”" if name else str(object_id)
    return f"{OBJECTS[kind][0] if kind in OBJECTS else kind.replace('_', ' ')} {called}"


def _explain_clash(done: Sequence[Image]) -> str:
    removed = next((image for image in done if image.action != "created" and image.name), None)
    name = f"“{removed.name}”" if removed else "this change"
    return (
        f"Not undone: either another object now conflicts with {name}, for example by having the same name,"
        " or an object that it needs was deleted. Rename or restore that object first."
    )
