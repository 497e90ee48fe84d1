"""Adds, changes and removes bills, and updates their payments, their attachments and the rules that name them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from farthing.kernel.errors import Problem
from farthing.kernel.text import fold
from farthing.storage.change_log import restoring
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..attachments import store as attachments
from ..attachments.model import Model
from ..bills import claim, store
from ..bills.model import Bill, BillDraft, words_key
from ..object_groups import store as object_groups
from ..rules import renaming


def taken_problems(
    db: Unit, user_id: int, *, name: str | None, words: Sequence[str] | None, except_id: int
) -> list[Problem]:
    problems = []
    if name and store.is_taken(db, user_id, column="name_fold", value=fold(name), except_id=except_id):
        problems.append(Problem("name", "The name has already been taken by another of your bills."))
    key = words_key(tuple(words), name or "") if words else None
    if key and store.is_taken(db, user_id, column="words_key", value=key, except_id=except_id):
        problems.append(Problem("match", "The match words are already used by another of your bills."))
    return problems


def add(db: Unit, user_id: int, draft: BillDraft, now: str) -> Bill:
    return _claim_payments(db, user_id, store.add(db, user_id, draft, now), now)


def change(db: Unit, user_id: int, bill: Bill, draft: BillDraft, now: str) -> Bill:
    store.change(db, user_id, bill.id, draft, now)
    if draft.object_group_id != bill.object_group_id:
        object_groups.remove_empty(db, user_id)
    renaming.rename(db, user_id, "bills", {bill.name: draft.name}, now)
    return _claim_payments(db, user_id, bill.id, now)


def _claim_payments(db: Unit, user_id: int, bill_id: int, now: str) -> Bill:
    bill = store.get(db, user_id, bill_id)
    assert bill is not None, "it was stored just now"
    claim.begin(db, user_id, bill, now)
    return bill


def remove(db: Unit, user_id: int, bill: Bill) -> None:
    """Removes a bill. Its transactions stay, but are no longer linked to it."""
    claim.end(db, user_id, bill)
    attachments.remove_of(db, user_id, Model.BILL, [bill.id])
    store.remove(db, user_id, bill.id)
    if bill.object_group_id:
        object_groups.remove_empty(db, user_id)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Links restored bills to the transactions that pay them, and restored transactions to bills that changed
    meanwhile.

    Also updates the names of restored bills in rules.
    """
    bill_ids = undoing.list_touched("bills")
    before = renaming.load_names(db, user_id, "bills", bill_ids)
    yield
    renaming.rename(db, user_id, "bills", renaming.find_renamed(db, user_id, "bills", before), undoing.now)
    claiming = set(bill_ids)
    if undoing.list_touched("entries"):
        claiming |= restoring.find_touched_since(db, user_id, "bills", undoing.revision)
    if claiming:
        bills = [bill for bill in store.all_of(db, user_id) if bill.id in claiming]
        claim.begin_all(db, user_id, bills, undoing.now)
