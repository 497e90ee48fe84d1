"""Records, rewrites and erases entries. All changes to booked amounts are made here, whatever causes them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from msgspec.structs import asdict, replace

from farthing.kernel.errors import Invalid, Problem
from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.entry import BookedSplit, Entry, Party, Split, book_splits
from farthing.ledger.kinds import Type
from farthing.storage.unit import Answer, Overflow, Row, Unit

from ..accounts import store as accounts
from ..accounts.model import AccountDraft
from ..bills.pay import choose_bill_again, choose_bills
from ..categories import store as categories
from ..labels import store as labels
from ..labels.store import Label
from ..piggy_banks import move
from ..transactions import booked, links, store
from ..transactions.merging import store as merging
from ..transactions.model import OWN, AccountRef, KnownAccount, Lookup, Relabelling, SplitDraft, TransactionDraft
from ..transactions.stored_sums import sums
from ..webhooks import outbox
from ..webhooks.model import Trigger

AMOUNT_FIELD = "transactions.0.amount"


def record(db: Unit, user_id: int, entry: Entry, now: str, *, amount_field: str = AMOUNT_FIELD) -> int:
    """Records an entry.

    `amount_field` is the caller's name of the field to report if a balance would overflow 64 bits.
    """
    return record_all(db, user_id, [entry], now, amount_field=amount_field)[0]


def record_all(
    db: Unit, user_id: int, entries: Sequence[Entry], now: str, *, amount_field: str = AMOUNT_FIELD
) -> list[int]:
    return [entry_id for entry_id, _ in book(db, user_id, entries, now, amount_field=amount_field)]


def book(
    db: Unit, user_id: int, entries: Sequence[Entry], now: str, *, amount_field: str = AMOUNT_FIELD
) -> list[tuple[int, Entry]]:
    """Records entries, and returns the stored entries with their ids."""
    entry_ids = store.ask_ids(db, len(entries))
    budgets = _ask_budgets(db, user_id, entries)
    entries = choose_bills(db, user_id, entries)
    defaults: dict[int, int] = dict(budgets.rows()) if budgets else {}
    if defaults:
        entries = [_give_budgets(entry, defaults) for entry in entries]
    with _Within64Bits(db, amount_field):
        numbered = store.add_all(db, user_id, entries, now, entry_ids)
    move.apply(db, user_id, numbered, now)
    outbox.note_entries(db, user_id, Trigger.STORE_TRANSACTION, [entry_id for entry_id, _ in numbered])
    return numbered


def rewrite(
    db: Unit,
    user_id: int,
    entry_id: int,
    entry: Entry,
    now: str,
    *,
    amount_field: str = AMOUNT_FIELD,
    unlinks: bool = False,
    leaves_piggy_bank: bool = False,
    kept: Mapping[int, int] | None = None,
) -> Entry:
    """Replaces a stored entry, and returns the new one as it is stored. Keeps the link to the recurrence of the entry.

    `kept` maps the ids of splits that stay to their new positions. If it is None, splits are matched by position.
    `unlinks` says that the new entry pays no bill, and `leaves_piggy_bank` that it has no piggy bank. If the new entry
    moves a different amount into or out of a piggy bank, the effect of the old entry is reverted first.
    """
    budgets = _ask_budgets(db, user_id, [entry])
    before = links.of_entry(db, user_id, entry_id)
    defaults: dict[int, int] = dict(budgets.rows()) if budgets else {}
    if defaults:
        # Only a split whose category has changed gets the default budget, so that users can remove a budget.
        entry = _give_budgets(entry, defaults, staying=booked.categories_of(db, user_id, entry_id, kept))
    entry = choose_bill_again(db, user_id, replace(entry, recurrence_id=before.recurrence_id), before, unlinks=unlinks)
    if not leaves_piggy_bank:
        entry = move.keep_piggy_bank(db, user_id, entry, before.piggy_bank_id)
    moves = entry.piggy_bank_id != before.piggy_bank_id or _moves_otherwise(db, user_id, entry_id, entry)
    if moves:
        move.undo(db, user_id, [entry_id])
    with _Within64Bits(db, amount_field):
        store.change(db, user_id, entry_id, entry, now, kept)
    if moves:
        move.apply(db, user_id, [(entry_id, entry)], now)
    outbox.note_entries(db, user_id, Trigger.UPDATE_TRANSACTION, [entry_id])
    return entry


def _moves_otherwise(db: Unit, user_id: int, entry_id: int, entry: Entry) -> bool:
    """Tells whether the sums, accounts or days of the entry differ from the stored ones.

    Returns False if the entry has no piggy bank, because it then moves no money into or out of one.
    """
    if entry.piggy_bank_id is None:
        return False
    stored = booked.find(db, user_id, "entry_id = :entry_id ORDER BY position", entry_id=entry_id)
    return [_read_flow(split) for _, split in stored] != [_read_flow(split) for split in book_splits(entry)]


def _read_flow(split: BookedSplit) -> tuple[str | int, ...]:
    """Returns the facts about a split that decide how much it moves into or out of a piggy bank."""
    left = (split.source_id, split.left_currency_id, split.left_units)
    return (split.on, *left, split.destination_id, split.arrived_currency_id, split.arrived_units)


def erase(
    db: Unit,
    user_id: int,
    entry_ids: list[int],
    *,
    amount_field: str = "id",
    gone: Sequence[int] = (),
) -> None:
    """Deletes entries, and reverts what they moved into or out of piggy banks.

    The caller deletes the accounts in `gone`. Even deleting an entry can overflow a balance, if the entry offset
    another huge amount.
    """
    outbox.note_entries(db, user_id, Trigger.DESTROY_TRANSACTION, entry_ids)
    move.undo(db, user_id, entry_ids)
    with _Within64Bits(db, amount_field):
        store.remove(db, user_id, entry_ids, gone=gone)


def mark_reconciled(db: Unit, user_id: int, split_ids: list[int], now: str, *, amount_field: str) -> None:
    with _Within64Bits(db, amount_field):
        store.mark_reconciled(db, user_id, split_ids, now)


def relabel(db: Unit, user_id: int, relabelling: Relabelling, now: str) -> None:
    with _Within64Bits(db, "ids", "the total of a label"):
        store.relabel(db, user_id, relabelling, now)
    outbox.note_entries(db, user_id, Trigger.UPDATE_TRANSACTION, relabelling.entry_ids)


def move_label(db: Unit, user_id: int, label: Label, from_id: int, *, into_id: int) -> None:
    with _Within64Bits(db, "into_id", "the total of a label"):
        merging.move_label(db, user_id, label, from_id, into_id=into_id)


def move_account(db: Unit, user_id: int, from_id: int, *, into_id: int) -> None:
    with _Within64Bits(db, "into_id"):
        merging.move_account(db, user_id, from_id, into_id=into_id)


def rebook(db: Unit, user_id: int, account_id: int, *, amount_field: str) -> None:
    """Rebooks those splits of an account that have two amounts. Call this after the account's currency has changed."""
    with _Within64Bits(db, amount_field):
        store.rebook(db, user_id, account_id)


def move_net_worth(db: Unit, user_id: int, account_id: int, times: Literal[1, -1]) -> None:
    """Subtracts an account from the net worth (-1), or adds it (1).

    Call this with -1 before `include_net_worth` of the account changes, and with 1 afterwards.
    """
    with _Within64Bits(db, "include_net_worth", "the net worth"):
        sums.move_net_worth(db, user_id, [account_id], times)


class _Within64Bits:
    """Raises Invalid instead of Overflow.

    This is a class, because a context manager made from a generator would take three times as long.
    """

    __slots__ = ("_db", "_refusal")

    def __init__(self, db: Unit, amount_field: str, pushed: str = "the balance of an account") -> None:
        self._db = db
        self._refusal = Invalid([Problem(amount_field, f"This would make {pushed} too large to store.")])

    def __enter__(self) -> None:
        self._db.on_overflow = self._refusal

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        self._db.on_overflow = None
        if isinstance(error, Overflow):
            raise self._refusal from error


class EntryMaker:
    """Builds entries from drafts. Creates the accounts and labels that do not exist yet, each only once.

    `made` lists the created objects, as pairs of table and id.
    """

    def __init__(self, db: Unit, user_id: int, lookup: Lookup, now: str) -> None:
        self._db = db
        self._user_id = user_id
        self._now = now
        self._lookup = lookup
        self._accounts: dict[tuple[str, str], Party] = {}
        self._labels = {"tags": dict(lookup.tags_named), "categories": dict(lookup.categories_named)}
        self.made: list[tuple[str, int]] = []

    def copy(self) -> "EntryMaker":
        """Returns a copy for use in a savepoint. If the savepoint fails, discard the copy."""
        other = EntryMaker(self._db, self._user_id, self._lookup, self._now)
        other._accounts = dict(self._accounts)
        other._labels = {table: dict(made) for table, made in self._labels.items()}
        other.made = list(self.made)
        return other

    def entry(self, draft: TransactionDraft) -> Entry:
        return Entry(
            type=draft.type,
            on=draft.on,
            description=draft.description,
            splits=tuple([self._split(split) for split in draft.splits]),
            notes=draft.notes,
            internal_reference=draft.internal_reference,
            dates=draft.dates,
            tag_ids=tuple(dict.fromkeys([self.make_label("tags", tag) for tag in draft.tags])) if draft.tags else (),
            bill_id=draft.bill_id,
            bill_by_hand=draft.bill_id is not None,
            piggy_bank_id=draft.piggy_bank_id,
            details=draft.details,
        )

    def _split(self, split: SplitDraft) -> Split:
        own = split.source if isinstance(split.source, KnownAccount) else split.destination
        assert isinstance(own, KnownAccount), "one side always exists"
        return Split(
            source=self._party(split.source, own.currency),
            destination=self._party(split.destination, own.currency),
            amount=split.amount,
            foreign=split.foreign,
            description=split.description,
            reconciled=split.reconciled,
            category_id=self.label("categories", split.category) if split.category else None,
            budget_id=self.label("budgets", split.budget) if split.budget else None,
            refund=split.refund,
        )

    def _party(self, account: AccountRef, currency: Currency) -> Party:
        if isinstance(account, KnownAccount):
            return account.party
        key = (account.kind.value, fold(account.name))
        if key not in self._accounts:
            draft = AccountDraft(**asdict(account), active=True, include_net_worth=True, currency=currency)
            account_id = accounts.add(self._db, self._user_id, draft, self._now)
            self._accounts[key] = Party(account_id, currency, account.name, may_count=account.kind in OWN)
            self.made.append(("accounts", account_id))
        return self._accounts[key]

    def label(self, table: Label, label: int | str | None) -> int | None:
        return self.make_label(table, label) if isinstance(label, str) else label

    def make_label(self, table: Label, name: str) -> int:
        made, key = self._labels.setdefault(table, {}), fold(name)
        if key not in made:
            made[key] = labels.add(self._db, self._user_id, table, name, self._now)
            self.made.append((table, made[key]))
        return made[key]


def _ask_budgets(db: Unit, user_id: int, entries: Sequence[Entry]) -> Answer[Row] | None:
    """Asks for the default budgets of the entries' categories. Returns None if no split could get a default budget."""
    splits = [split for entry in entries for split in entry.splits if _takes_budget(entry, split)]
    category_ids = {split.category_id for split in splits if split.category_id}
    return categories.ask_budgets(db, user_id, category_ids) if category_ids else None


def _takes_budget(entry: Entry, split: Split) -> bool:
    is_spent = entry.type == Type.WITHDRAWAL or split.refund
    return is_spent and split.budget_id is None and split.category_id is not None


def _give_budgets(
    entry: Entry, budgets: Mapping[int, int], *, staying: Collection[tuple[int, int | None]] = ()
) -> Entry:
    """Sets the default budgets of splits, except for splits that already had their category.

    `staying` holds the positions and categories of those splits.
    """
    splits = tuple(
        replace(split, budget_id=budgets.get(split.category_id or 0))
        if _takes_budget(entry, split) and (position, split.category_id) not in staying
        else split
        for position, split in enumerate(entry.splits)
    )
    return replace(entry, splits=splits)
