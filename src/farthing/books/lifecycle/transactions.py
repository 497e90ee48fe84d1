"""Records and changes one or many transactions in a unit of work, after applying the user's rules."""

from collections.abc import Iterator, Mapping, Sequence
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
from ..bookkeeping.lookup import look_up
from ..bookkeeping.relabel import RelabelRequest
from ..rules import apply as rules
from ..rules.apply_changed import on_change_of_many
from ..transactions import derived, drafts, lines, links
from ..transactions import store as transactions
from ..transactions.model import Lookup, TransactionDraft


def record_one(
    db: Unit,
    user_id: int,
    draft: TransactionDraft,
    lookup: Lookup,
    now: str,
    *,
    amount_field: str,
    apply_rules: bool = True,
) -> tuple[int, Entry]:
    """Records a transaction. Returns its id, and the entry as it is stored."""
    if apply_rules:
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
    kept: Mapping[int, int] | None = None,
    apply_rules: bool = True,
) -> Entry:
    """Changes a transaction. Returns the entry as it is stored.

    `kept` maps the ids of splits that stay to their new positions. If it is None, splits are matched by position.
    `unlinks` says that the transaction pays no bill, and `leaves_piggy_bank` that it has no piggy bank.
    """
    if apply_rules:
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
        kept=kept,
    )


def remove_split(db: Unit, user_id: int, entry_id: int, split_id: int, now: str) -> None:
    """Removes one split of a transaction, or the whole transaction if it has no other split. No rules run."""
    staying = [line for line in lines.of_entries(db, user_id, [entry_id]) if line.id != split_id]
    if not staying:
        record.erase(db, user_id, [entry_id])
        return
    linked = links.of_entry(db, user_id, entry_id)
    lookup = look_up(db, user_id, drafts.request_references(staying, {entry_id: linked}))
    entry = record.EntryMaker(db, user_id, lookup, now).entry(drafts.make_draft(staying, linked, lookup))
    kept = {line.id: position for position, line in enumerate(staying)}
    record.rewrite(db, user_id, entry_id, entry, now, amount_field="id", kept=kept)


def relabel_many(db: Unit, user_id: int, request: RelabelRequest, now: str) -> None:
    """Relabels either all splits or none.

    Rules run as they do for a single change, but in a job if they would take long.
    """
    relabel.carry_out(db, user_id, request, now)
    on_change_of_many(db, user_id, request.entry_ids, now)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Subtracts the affected entries from the stored sums and indexes, and adds them again as they are after the undo.

    Refuses the undo if an opening balance would then be in another currency than its account.
    """
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
    """Represents one transaction of a bulk request.

    `index` is the key of the transaction in the request. `draft` is None if the transaction is invalid.
    """

    index: str
    draft: TransactionDraft | None
    problems: tuple[Problem, ...]
    amount_field: str


class BulkItemResult(Struct, frozen=True):
    """Holds either the id of the recorded entry or the problems that prevented it."""

    index: str
    entry_id: int | None = None
    problems: tuple[Problem, ...] = ()


class RuledItems(Struct, frozen=True):
    """Holds the valid items with the user's rules already applied.

    `revision` is the revision of the user's books when the rules were applied.
    """

    revision: int
    items: list[BulkItem]
    lookup: Lookup


class Unruled(Exception):
    """Signals that the rules would take too long while a write holds its lock. Call `rule_each` first."""


def rule_each(db: Unit, user_id: int, lookup: Lookup, sent: Sequence[BulkItem], revision: int) -> RuledItems:
    """Applies the rules in a read, without recording anything, so that no write has to wait for the rules."""
    items, lookup = _apply_rules(db, user_id, lookup, sent)
    return RuledItems(revision=revision, items=items, lookup=lookup)


def record_each(
    db: Unit, user_id: int, lookup: Lookup, sent: Sequence[BulkItem], now: str, ruled_before: RuledItems | None = None
) -> list[BulkItemResult]:
    """Records the items, and returns a result for each of them, in the same order.

    If an item would overflow a balance, only that item fails. `ruled_before` is used if none of the user's data has
    changed since. Otherwise, raises Unruled if the rules would take too long here.
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
        """Records items, and creates each account that they need only once. A failed attempt creates no accounts."""
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
    """Returns the valid items, with the user's rules already applied."""
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
    """Runs the body of the `with` block.

    With `discard`, rolls back all its changes, so that the list of changes shows nothing.
    """
    if not discard:
        yield
        return
    try:
        with db.savepoint():
            yield
            raise _Undo
    except _Undo:
        changes.hide_if_empty(db)
