"""Records and changes transactions after applying the user's rules, one or many in a unit of work."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.errors import Conflict, Invalid, Problem
from farthing.ledger.entry import Entry
from farthing.storage import changes
from farthing.storage.restoring import Undoing
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
    db: Unit, user_id: int, draft: TransactionDraft, known: Lookup, now: str, *, amount_field: str
) -> tuple[int, Entry]:
    """Returns the entry as it is stored, with its id."""
    [draft], known = rules.on_create(db, user_id, [draft], known)
    entry = record.Maker(db, user_id, known, now).entry(draft)
    return record.book(db, user_id, [entry], now, amount_field=amount_field)[0]


def change(
    db: Unit,
    user_id: int,
    entry_id: int,
    draft: TransactionDraft,
    known: Lookup,
    now: str,
    *,
    amount_field: str,
    unlinks: bool,
    leaves_piggy_bank: bool,
) -> Entry:
    """`unlinks`: the caller wants no bill for it; `leaves_piggy_bank`: no piggy bank.

    Returns the entry as it is stored.
    """
    draft, known = rules.on_change(db, user_id, entry_id, draft, known, unlinks=unlinks)
    entry = record.Maker(db, user_id, known, now).entry(draft)
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


def relabel_many(db: Unit, user_id: int, wanted: RelabelRequest, now: str) -> None:
    """All or none; rules run as for a single change, but in a job where they take long."""
    relabel.carry_out(db, user_id, wanted, now)
    on_change_of_many(db, user_id, wanted.entry_ids, now)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Takes the entries out of everything kept beside them, and puts them back as they are afterwards."""
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
    known: Lookup


class Unruled(Exception):
    """Running the rules would take too long under the lock of a write: it has to be done before."""


def rule_each(db: Unit, user_id: int, known: Lookup, sent: Sequence[BulkItem], revision: int) -> RuledItems:
    """Runs the rules without recording anything, in a read, so that no write has to wait for them."""
    items, known = _apply_rules(db, user_id, known, sent)
    return RuledItems(revision=revision, items=items, known=known)


def record_each(
    db: Unit, user_id: int, known: Lookup, sent: Sequence[BulkItem], now: str, ruled_before: RuledItems | None = None
) -> list[BulkItemResult]:
    """A result for each, in the order they were sent; one that would overflow a balance fails alone.

    `ruled_before` serves as long as nothing of the user has changed since. Raises Unruled where it is needed.
    """
    assert db.author is not None, "a write takes its user first"
    if ruled_before and ruled_before.revision + 1 == db.author.revision:
        ruled, known = ruled_before.items, ruled_before.known
    elif rules.takes_long(db, user_id, len(sent)):
        raise Unruled
    else:
        ruled, known = _apply_rules(db, user_id, known, sent)
    attempts = _Attempts(db, user_id, known, now)
    done = {item.index: _result(item, outcome) for item, outcome in try_by_halves(ruled, attempts.record)}
    return [done.get(one.index) or BulkItemResult(index=one.index, problems=one.problems) for one in sent]


def _apply_rules(db: Unit, user_id: int, known: Lookup, sent: Sequence[BulkItem]) -> tuple[list[BulkItem], Lookup]:
    """The valid items, after the user's rules."""
    whole = [(one, one.draft) for one in sent if one.draft]
    drafts, known = rules.on_create(db, user_id, [draft for _, draft in whole], known)
    return [replace(one, draft=draft) for (one, _), draft in zip(whole, drafts, strict=True)], known


class _Attempts:
    """Accounts that items need are made once; those of an attempt that failed are forgotten."""

    def __init__(self, db: Unit, user_id: int, known: Lookup, now: str) -> None:
        self._db = db
        self._user_id = user_id
        self._now = now
        self._maker = record.Maker(db, user_id, known, now)

    def record(self, items: Sequence[BulkItem]) -> list[int]:
        maker = self._maker.copy()
        with self._db.savepoint():
            entries = [maker.entry(item.draft) for item in items if item.draft]
            entry_ids = record.record_all(
                self._db, self._user_id, entries, self._now, amount_field=items[0].amount_field
            )
        self._maker = maker
        return entry_ids


def _result(item: BulkItem, outcome: int | Invalid) -> BulkItemResult:
    if isinstance(outcome, Invalid):
        return BulkItemResult(index=item.index, problems=outcome.problems)
    return BulkItemResult(index=item.index, entry_id=outcome)


class _Undo(Exception):
    pass


@contextmanager
def roll_back_if(db: Unit, *, wanted: bool) -> Iterator[None]:
    """Runs the body, then rolls it back if wanted: people see no change then."""
    if not wanted:
        yield
        return
    try:
        with db.savepoint():
            yield
            raise _Undo
    except _Undo:
        changes.hide_if_empty(db)
