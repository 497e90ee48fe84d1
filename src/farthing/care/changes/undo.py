"""Undoes a change: restores its rows in reverse order, with their old ids, or says what is in the way.

Stored balances, counts, sums and words follow, because the affected entries are taken out of them before the undo and
put back into them afterwards.
"""

from collections.abc import Sequence

from farthing.books.recurrences import store as recurrences
from farthing.books.rules import store as rules
from farthing.books.transactions import derived, sets, sums
from farthing.books.transactions import store as transactions
from farthing.kernel.errors import Conflict
from farthing.storage import restoring
from farthing.storage.restoring import ImageRun
from farthing.storage.unit import Clash, Overflow, Unit

from . import fitting, store
from .model import OBJECTS, Change, Image

_TOLD_MAX = 5
_FINAL = {
    "users.found": "The creation of the user cannot be undone.",
    "import_jobs.start": "The start of an import cannot be undone. Undo the import itself, when it is done.",
}
_RULES = frozenset(("rules", "rule_groups", "rule_triggers", "rule_actions"))


def undo(db: Unit, user_id: int, change: Change) -> None:
    if change.undone_by is not None:
        raise Conflict(f"It was already undone, by change {change.undone_by}.")
    if change.doing in _FINAL:
        raise Conflict(_FINAL[change.doing])
    runs = store.list_runs(db, user_id, change.revision, most=sets.BATCH_MAX)
    if not runs:
        raise Conflict("There is nothing to undo: this change touched nothing that is logged.")
    refuse_touched(db, user_id, change)
    touched = {run.table for run in runs}
    entry_ids = restoring.find_wholes(db, user_id, change.revision, "entries", runs)
    recurrence_ids = restoring.find_wholes(db, user_id, change.revision, "recurrences", runs)
    _refuse_used(db, user_id, change, runs, entry_ids)
    fitted = store.images(db, user_id, change.revision, kinds=fitting.KINDS)
    named = store.images(db, user_id, change.revision, kinds=OBJECTS, limit=_TOLD_MAX)
    recoined = fitting.find_currency_changes(db, user_id, fitted)
    fitting.refuse_currency_conflicts(db, user_id, change, fitted, recoined)
    if recoined:
        entry_ids = sorted({*entry_ids, *derived.find_exchanging_entries(db, user_id, recoined)})
    account_ids = [one.object_id for one in fitted if one.kind == "accounts" and one.action == "changed"]
    try:
        transactions.take_out(db, user_id, entry_ids)
        sums.move_net_worth(db, user_id, account_ids, -1)
        for run in runs:
            restoring.restore(db, user_id, change.revision, run)
        sums.move_net_worth(db, user_id, account_ids, 1)  # as they count now
        derived.update(db, user_id, entry_ids)
        fitting.refuse_misfits(db, user_id, fitted, entry_ids, recoined)
        transactions.put_in(db, user_id, entry_ids)
        for recurrence_id in recurrence_ids:
            recurrences.set_due(db, user_id, recurrence_id)
        if touched & _RULES:
            rules.touch(db, user_id)
        db.flush()
    except Clash as error:
        raise Conflict(_explain_clash(named)) from error
    except Overflow as error:
        raise Conflict("Not undone: a balance would become too large to store.") from error
    assert db.author is not None, "a write takes its user first"
    store.mark_undone(db, user_id, change, db.author.revision)


def refuse_touched(db: Unit, user_id: int, change: Change) -> None:
    later = store.find_touched_since(db, user_id, change.revision, limit=_TOLD_MAX)
    if later:
        told = [f"{_describe(kind, one)} by change {change_id} at {at}" for kind, one, change_id, at in later]
        raise Conflict(f"Not undone, because something was changed since: {'; '.join(told)}. Undo that first.")


def _refuse_used(db: Unit, user_id: int, change: Change, runs: Sequence[ImageRun], entry_ids: list[int]) -> None:
    """Objects that the change created may be used by others now, which the undo does not touch."""
    for table in dict.fromkeys(run.table for run in runs if run.action == "created"):
        strangers = restoring.find_references(
            db, user_id, change.revision, table, besides={"entries": entry_ids}, limit=_TOLD_MAX
        )
        if strangers:
            told = ", ".join(_describe(*one) for one in strangers[:_TOLD_MAX])
            raise Conflict(f"Not undone, because it is now used by: {told}. Delete or change that first.")


def _describe(kind: str, object_id: int) -> str:
    return f"{OBJECTS[kind][0] if kind in OBJECTS else kind.replace('_', ' ')} {object_id}"


def _explain_clash(done: Sequence[Image]) -> str:
    removed = next((one for one in done if one.action != "created" and one.name), None)
    name = f"“{removed.name}”" if removed else "it"
    return (
        f"Not undone: something now conflicts with {name}, such as another one of the same name,"
        " or something that it needs is gone. Rename or restore that first."
    )
