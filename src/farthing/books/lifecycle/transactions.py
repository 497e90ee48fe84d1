"""Records and changes transactions after applying the user's rules, one or many in a unit of work."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.errors import Conflict, Invalid, Problem
from farthing.ledger.entry import Entry
from farthing.storage.change_log import changes
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..bookkeeping import record, relabel
from ..bookkeeping.halving import try_by_halves
from ..bookkeeping.relabel import RelabelRequest
from ..rules import apply as rules
from ..rules.apply_changed import on_change_of_many
from ..transactions import derived
from ..transactions import store as transactions
from ..transactions.model import Lookup, TransactionDraft


def record_one(
    db: Unit, user_id: int, draft: TransactionDraft, lookup: Lookup, now: str, *, amount_field: str
) -> tuple[int, Entry]:
    """Records a transaction; returns the entry as it is stored, with its id."""
    [draft], lookup = rules.on_create(db, user_id, [draft], lookup)
    entry = record.EntryMaker(db, user_id, lookup, now).entry(draft)
    return record.book(db, user_id, [entry], now, amount_field=amount_field)[0]


def change(
    db: Unit,
    user_id: int,
    entry_id: int,
    draft: TransactionDraft,
    lookup: Lookup,
    now: str,
    *,
    amount_field: str,
    unlinks: bool,
    leaves_piggy_bank: bool,
) -> Entry:
    """Changes a transaction; returns the entry as it is stored.

    `unlinks`: the caller wants no bill for it; `leaves_piggy_bank`: no piggy bank.
    """
    draft, lookup = rules.on_change(db, user_id, entry_id, draft, lookup, unlinks=unlinks)
    entry = record.EntryMaker(db, user_id, lookup, now).entry(draft)
    return record.rewrite(
        db,
        user_id,
        entry_id,
        entry,
        now,
        amount_field=amount_field,
        unlinks=unlinks,
        leaves_piggy_bank=leaves_piggy_bank,
    )


def relabel_many(db: Unit, user_id: int, request: RelabelRequest, now: str) -> None:
    """Relabels all splits or none; rules run as for a single change, but in a job if they take long."""
    relabel.carry_out(db, user_id, request, now)
    on_change_of_many(db, user_id, request.entry_ids, now)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Subtracts the entries from the stored sums and indexes, and adds them again as they are after the undo."""
    entry_ids = undoing.list_touched("entries")
    affects = derived.find_affected(undoing.changed)
    transactions.take_out(db, user_id, entry_ids, affects)
    yield
    derived.update(db, user_id, entry_ids)
    account_id = derived.find_account_opened_in_other_currency(db, user_id, entry_ids, undoing.list_touched("accounts"))
    if account_id is not None:
        raise Conflict(f"Not undone: the opening balance of account {account_id} would be in another currency.")
    transactions.put_in(db, user_id, entry_ids, affects)


class BulkItem(Struct, frozen=True):
    """One transaction of a bulk request, with the index it was sent under; no draft if it is invalid."""

    index: str
    draft: TransactionDraft | None
    problems: tuple[Problem, ...]
    amount_field: str


class BulkItemResult(Struct, frozen=True):
    """The id of the recorded entry, or the problems."""

    index: str
    entry_id: int | None = None
    problems: tuple[Problem, ...] = ()


class RuledItems(Struct, frozen=True):
    """The valid items after the user's rules, as of a revision of their books."""

    revision: int
    items: list[BulkItem]
    lookup: Lookup


class Unruled(Exception):
    """Running the rules would take too long under the lock of a write: call `rule_each` before."""


def rule_each(db: Unit, user_id: int, lookup: Lookup, sent: Sequence[BulkItem], revision: int) -> RuledItems:
    """Runs the rules without recording anything, in a read, so that no write has to wait for them."""
    items, lookup = _apply_rules(db, user_id, lookup, sent)
    return RuledItems(revision=revision, items=items, lookup=lookup)


def record_each(
    db: Unit, user_id: int, lookup: Lookup, sent: Sequence[BulkItem], now: str, ruled_before: RuledItems | None = None
) -> list[BulkItemResult]:
    """Returns a result for each item, in their order; one that would overflow a balance fails alone.

    `ruled_before` is used if nothing of the user has changed since. Raises Unruled if it is needed.
    """
    assert db.author is not None, "a write takes its user first"
    if ruled_before and ruled_before.revision + 1 == db.author.revision:
        ruled, lookup = ruled_before.items, ruled_before.lookup
    elif rules.takes_long(db, user_id, len(sent)):
        raise Unruled
    else:
        ruled, lookup = _apply_rules(db, user_id, lookup, sent)
    maker = record.EntryMaker(db, user_id, lookup, now)

    def attempt(items: Sequence[BulkItem]) -> list[int]:
        """Records items, and creates the accounts that they need once; a failed attempt creates none."""
        nonlocal maker
        copy = maker.copy()
        with db.savepoint():
            entries = [copy.entry(item.draft) for item in items if item.draft]
            entry_ids = record.record_all(db, user_id, entries, now, amount_field=items[0].amount_field)
        maker = copy
        return entry_ids

    done = {item.index: _result(item, outcome) for item, outcome in try_by_halves(ruled, attempt)}
    return [done.get(item.index) or BulkItemResult(index=item.index, problems=item.problems) for item in sent]


def _apply_rules(db: Unit, user_id: int, lookup: Lookup, sent: Sequence[BulkItem]) -> tuple[list[BulkItem], Lookup]:
    """Returns the valid items, after the user's rules."""
    whole = [(item, item.draft) for item in sent if item.draft]
    drafts, lookup = rules.on_create(db, user_id, [draft for _, draft in whole], lookup)
    return [replace(item, draft=draft) for (item, _), draft in zip(whole, drafts, strict=True)], lookup


def _result(item: BulkItem, outcome: int | Invalid) -> BulkItemResult:
    if isinstance(outcome, Invalid):
        return BulkItemResult(index=item.index, problems=outcome.problems)
    return BulkItemResult(index=item.index, entry_id=outcome)


class _Undo(Exception):
    pass


@contextmanager
def roll_back_if(db: Unit, *, discard: bool) -> Iterator[None]:
    """Runs the body, then rolls it back if `discard`; nothing appears in the list of changes then."""
    if not discard:
        yield
        return
    try:
        with db.savepoint():
            yield
            raise _Undo
    except _Undo:
        changes.hide_if_empty(db)
