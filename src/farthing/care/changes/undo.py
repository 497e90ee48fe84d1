"""Undoes a change: restores its rows in reverse order, with their old ids, or says what is in the way.

Stored balances, counts, sums and words follow, because the affected entries are taken out of them before the undo and
put back into them afterwards.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

from farthing.books.recurrences import store as recurrences
from farthing.books.rules import store as rules
from farthing.books.transactions import derived
from farthing.books.transactions import store as transactions
from farthing.kernel.errors import Conflict
from farthing.storage import restoring
from farthing.storage.unit import Clash, Overflow, Unit

from . import fitting, store
from .model import OBJECTS, Change, Image

_TOLD_MAX = 5
_FOUNDING = "users.found"
_RULES = frozenset(("rules", "rule_groups", "rule_triggers", "rule_actions"))


def undo(db: Unit, user_id: int, change: Change) -> None:
    if change.undone_by is not None:
        raise Conflict(f"It was already undone, by change {change.undone_by}.")
    if change.doing == _FOUNDING:
        raise Conflict("The creation of the user cannot be undone.")
    done = store.images(db, user_id, change.revision)
    if not done:
        raise Conflict("There is nothing to undo: this change touched nothing that is logged.")
    _refuse_touched(db, user_id, change)
    entry_ids = _find_affected(db, user_id, "entries", done)
    recurrence_ids = _find_affected(db, user_id, "recurrences", done)
    _refuse_used(db, user_id, done, entry_ids)
    recoined = fitting.find_currency_changes(db, user_id, done)
    fitting.refuse_currency_conflicts(db, user_id, change, done, recoined)
    entry_ids = sorted({*entry_ids, *derived.find_exchanging_entries(db, user_id, recoined)})
    try:
        transactions.take_out(db, user_id, entry_ids)
        for one in groupby(done, key=lambda image: (image.kind, image.action, tuple(image.before or ()))):
            _reverse(db, user_id, list(one[1]))
        derived.update(db, user_id, entry_ids)
        fitting.refuse_misfits(db, user_id, done, entry_ids, recoined)
        transactions.put_in(db, user_id, entry_ids)
        for recurrence_id in recurrence_ids:
            recurrences.set_due(db, user_id, recurrence_id)
        if any(image.kind in _RULES for image in done):
            rules.touch(db, user_id)
    except Clash as error:
        raise Conflict(_explain_clash(done)) from error
    except Overflow as error:
        raise Conflict("Not undone: a balance would exceed 64 bits.") from error
    assert db.author is not None, "a write takes its user first"
    store.mark_undone(db, user_id, change, db.author.revision)


def _reverse(db: Unit, user_id: int, images: Sequence[Image]) -> None:
    kind, action = images[0].kind, images[0].action
    rows = [{**(image.before or {}), "id": image.object_id} for image in images]
    match action:
        case "created":
            restoring.delete(db, user_id, kind, [image.object_id for image in images])
        case "changed":
            restoring.update(db, user_id, kind, rows)
        case _:
            restoring.insert(db, kind, rows)


def _refuse_touched(db: Unit, user_id: int, change: Change) -> None:
    later = store.find_touched_since(db, user_id, change.revision, limit=_TOLD_MAX)
    if later:
        told = [f"{_describe(kind, one)} by change {change_id} at {at}" for kind, one, change_id, at in later]
        raise Conflict(f"Not undone, because something was changed since: {'; '.join(told)}. Undo that first.")


def _refuse_used(db: Unit, user_id: int, done: Sequence[Image], entry_ids: list[int]) -> None:
    """Objects that the change created may be used by others now, which the undo does not touch."""
    made: dict[str, list[int]] = defaultdict(list)
    touched: dict[str, list[int]] = defaultdict(list, {"entries": list(entry_ids)})
    for image in done:
        touched[image.kind].append(image.object_id)
        if image.action == "created":
            made[image.kind].append(image.object_id)
    for kind, ids in made.items():
        strangers = restoring.find_references(db, user_id, kind, ids, besides=touched, limit=_TOLD_MAX)
        if strangers:
            told = ", ".join(_describe(*one) for one in strangers[:_TOLD_MAX])
            raise Conflict(f"Not undone, because it is now used by: {told}. Delete or change that first.")


def _find_affected(db: Unit, user_id: int, whole: str, done: Iterable[Image]) -> list[int]:
    """The ids of all objects of one kind that are affected, now or before, themselves or through one of their parts."""
    found: set[int] = set()
    unknown: dict[str, list[int]] = defaultdict(list)
    for image in done:
        of, column = restoring.WHOLES.get(image.kind, (image.kind, "id"))
        if of != whole:
            continue
        if image.kind == whole:
            found.add(image.object_id)
        elif image.before and column in image.before:
            found.add(int(image.before[column]))
        else:
            unknown[image.kind].append(image.object_id)
    for table, ids in unknown.items():
        found.update(restoring.find_wholes(db, user_id, table, ids))
    return sorted(found)


def _describe(kind: str, object_id: int) -> str:
    return f"{OBJECTS[kind][0] if kind in OBJECTS else kind.replace('_', ' ')} {object_id}"


def _explain_clash(done: Sequence[Image]) -> str:
    removed = next((one for one in done if one.action != "created" and one.name), None)
    name = f"“{removed.name}”" if removed else "it"
    return (
        f"Not undone: something now conflicts with {name}, such as another one of the same name,"
        " or something that it needs is gone. Rename or restore that first."
    )
