"""Stores entries: the only writer of entries, splits, balances and counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Literal

from farthing.ledger.balance import Effect
from farthing.ledger.entry import OTHER_DATES, BookedSplit, Entry, Label, book_splits, is_booked_foreign
from farthing.ledger.kinds import Type
from farthing.storage import changes
from farthing.storage.drivers import dialects
from farthing.storage.unit import Answer, Row, Unit

from ..attachments import store as attachments
from . import booked, derived, mentions, payments, sets, sums
from .derived import EVERYTHING, Affected
from .model import Relabelling
from .words import SearchText

# So many entries are read back at once when they are taken away; memory stays bounded.
_BATCH = 1000


def ask_ids(db: Unit, count: int) -> Answer[Row] | None:
    """Ids for new entries. None on SQLite, which assigns them as it stores."""
    return dialects.ask_ids(db, "entries", count)


def add_all(
    db: Unit, user_id: int, entries: Sequence[Entry], now: str, ids: Answer[Row] | None = None
) -> list[tuple[int, Entry]]:
    """A handful of statements, however many entries. Returns each with its id."""
    given = [_entry_row(user_id, entry, now) for entry in entries]
    rows = ids.rows() if ids else db.many_returning(_ADD_ENTRY, given)
    entry_ids = [int(entry_id) for (entry_id,) in rows]
    numbered = list(zip(entry_ids, entries, strict=True))
    if ids:
        db.many(_ADD_NUMBERED_ENTRY, [(*row, entry_id) for row, entry_id in zip(given, entry_ids, strict=True)])
    db.many(_ADD_SPLIT, [row for entry_id, entry in numbered for row in _split_rows(user_id, entry_id, entry)])
    _add_tags(db, [row for entry_id, one in numbered if one.tag_ids for row in _tag_rows(user_id, entry_id, one)])
    effect = Effect()
    _add_new(db, user_id, entries, effect)
    sums.apply(db, user_id, effect)
    mentions.add(db, user_id, [SearchText.of(entry_id, entry) for entry_id, entry in numbered])
    payments.add(db, user_id, numbered)
    changes.log_created(db, "entries", entry_ids)
    return numbered


def change(db: Unit, user_id: int, entry_id: int, entry: Entry, now: str) -> None:
    """Splits are matched by position: those that stay keep their ids."""
    effect = Effect()
    texts, paid = mentions.ask_stored(db, user_id, [entry_id]), payments.ask_stored(db, user_id, [entry_id])
    _add_stored(db, user_id, [entry_id], effect, -1)
    _add_new(db, user_id, [entry], effect)
    kept = len(entry.splits)
    mentions.take_out(db, user_id, mentions.read(texts))
    payments.take_out(db, user_id, paid)
    changes.log_changing(db, "entries", "id = :id", id=entry_id)
    changes.log_changing(db, "splits", "entry_id = :id AND position < :kept", id=entry_id, kept=kept)
    changes.log_removing(db, "splits", "entry_id = :id AND position >= :kept", id=entry_id, kept=kept)
    changes.log_removing(db, "entry_tags", "entry_id = :id", id=entry_id)
    db.many(_CHANGE_ENTRY, [(*_entry_row(user_id, entry, now)[1:], user_id, entry_id)])
    db.run(
        "DELETE FROM splits WHERE user_id = :user_id AND entry_id = :id AND position >= :kept",
        user_id=user_id,
        id=entry_id,
        kept=kept,
    )
    db.many(_ADD_SPLIT + _OR_CHANGE_SPLIT, list(_split_rows(user_id, entry_id, entry)))
    db.run("DELETE FROM entry_tags WHERE user_id = :user_id AND entry_id = :id", user_id=user_id, id=entry_id)
    _add_tags(db, list(_tag_rows(user_id, entry_id, entry)))
    _note_new_parts(db, entry_id)
    sums.apply(db, user_id, effect)
    mentions.add(db, user_id, [SearchText.of(entry_id, entry)])
    payments.add(db, user_id, [(entry_id, entry)])


def _note_new_parts(db: Unit, entry_id: int) -> None:
    """What an entry gains when it is changed has to go again when the change is undone."""
    for part in ("splits", "entry_tags"):
        changes.log_created_parts(db, part, "entry_id = :id", id=entry_id)


def remove(db: Unit, user_id: int, entry_ids: list[int], *, gone: Sequence[int] = ()) -> None:
    """The accounts in `gone` are deleted, too, with all that is summed for them."""
    _take_out(db, user_id, entry_ids, gone)
    for batch in sets.batches(entry_ids):
        attachments.remove_of_entries(db, user_id, batch)
        changes.log_removing(db, "entry_tags", "entry_id IN :entry_ids", entry_ids=batch)
        changes.log_removing(db, "splits", "entry_id IN :entry_ids", entry_ids=batch)
        changes.log_removing(db, "entries", "id IN :entry_ids", entry_ids=batch)
        for table, column in (("entry_tags", "entry_id"), ("splits", "entry_id"), ("entries", "id")):
            statement = f"DELETE FROM {table} WHERE user_id = :user_id AND {column} IN :entry_ids"
            db.run(statement, user_id=user_id, entry_ids=batch)


def take_out(db: Unit, user_id: int, entry_ids: list[int], affected: Affected = EVERYTHING) -> None:
    """Out of everything that is kept beside the entries, as they are stored now; they themselves stay."""
    _take_out(db, user_id, _find_stored(db, user_id, entry_ids), (), affected)


def put_in(db: Unit, user_id: int, entry_ids: list[int], affected: Affected = EVERYTHING) -> None:
    """Into everything that is kept beside the entries, as they are stored now; what is not there is left out."""
    stored_ids = _find_stored(db, user_id, entry_ids)
    _sum(db, user_id, stored_ids, 1, (), affected)
    for batch in sets.batches(stored_ids if affected.words else []):
        mentions.add(db, user_id, mentions.read_stored(db, user_id, batch))
        payments.add_stored(db, user_id, batch)


def _find_stored(db: Unit, user_id: int, entry_ids: list[int]) -> list[int]:
    stored = "SELECT id FROM entries WHERE user_id = :user_id AND id IN :ids ORDER BY id"
    return [entry_id for (entry_id,) in db.all(stored, user_id=user_id, ids=entry_ids)] if entry_ids else []


def _take_out(
    db: Unit, user_id: int, entry_ids: list[int], gone: Sequence[int], affected: Affected = EVERYTHING
) -> None:
    if affected.words:
        _remove_words_and_payments(db, user_id, entry_ids)
    _sum(db, user_id, entry_ids, -1, gone, affected)


def _remove_words_and_payments(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    if len(entry_ids) >= sets.ENTRIES_MIN and sets.is_large_part(db, user_id, entry_ids):
        sets.remove_words_and_payments(db, user_id, entry_ids)
        return
    for batch in sets.batches(entry_ids):
        mentions.remove(db, user_id, batch)
        payments.remove(db, user_id, batch)


def _sum(
    db: Unit, user_id: int, entry_ids: list[int], times: Literal[1, -1], gone: Sequence[int], affected: Affected
) -> None:
    """In sets when there are many, and no sum on the way can leave 64 bits: only the outcome must not.

    A few are added to all sums: what is not affected is taken out and put back as it was.
    """
    if len(entry_ids) >= sets.ENTRIES_MIN and sets.can_be_summed(db, user_id, entry_ids):
        sets.add(db, user_id, entry_ids, times, list(gone), affected.sums)
        return
    effect = Effect()
    for batch in sets.batches(entry_ids):
        _add_stored(db, user_id, batch, effect, times)
    sums.apply(db, user_id, effect)


_UNRECONCILED = "id IN :ids AND reconciled = 0"


def mark_reconciled(db: Unit, user_id: int, split_ids: list[int], now: str) -> None:
    """Those that are marked already stay as they are, and leave no trace in the log."""
    found = booked.find(db, user_id, _UNRECONCILED, ids=split_ids)
    if not found:
        return
    effect, exchange_id = Effect(), _exchange_id(db, user_id, (split for _, split in found))
    for _, split in found:
        if not split.settled:
            effect.reconcile(split, exchange_id)
    entry_ids = sorted({entry_id for entry_id, _ in found})
    changes.log_changing(db, "splits", _UNRECONCILED, ids=split_ids)
    _touch(db, user_id, entry_ids, now)
    db.run(
        f"UPDATE splits SET reconciled = 1 WHERE user_id = :user_id AND {_UNRECONCILED}",
        user_id=user_id,
        ids=split_ids,
    )
    sums.apply(db, user_id, effect)


def relabel(db: Unit, user_id: int, given: Relabelling, now: str) -> None:
    """A handful of statements, however many entries."""
    effect, tagged = Effect(), [entry_id for entry_id, _ in given.tags]
    _add_stored(db, user_id, given.entry_ids, effect, -1)
    _touch(db, user_id, given.entry_ids, now)
    if given.labels:
        changes.log_changing(db, "splits", "id IN :ids", only=tuple(given.labels), ids=given.split_ids)
        columns = ", ".join(f"{column} = :{column}" for column in given.labels)
        statement = f"UPDATE splits SET {columns} WHERE user_id = :user_id AND id IN :ids"
        db.run(statement, user_id=user_id, ids=given.split_ids, **given.labels)
    if given.default_budget_id:
        changes.log_changing(db, "splits", _WITHOUT_BUDGET, only=("budget_id",), ids=given.split_ids)
        statement = f"UPDATE splits SET budget_id = :budget_id WHERE user_id = :user_id AND {_WITHOUT_BUDGET}"
        db.run(statement, user_id=user_id, ids=given.split_ids, budget_id=given.default_budget_id)
    if tagged:
        changes.log_removing(db, "entry_tags", "entry_id IN :ids", ids=tagged)
        db.run("DELETE FROM entry_tags WHERE user_id = :user_id AND entry_id IN :ids", user_id=user_id, ids=tagged)
        _add_tags(db, list(_tag_rows_of(user_id, given.tags)))
        made = "SELECT id FROM entry_tags WHERE user_id = :user_id AND entry_id IN :ids ORDER BY id"
        changes.log_created(db, "entry_tags", [one for (one,) in db.all(made, user_id=user_id, ids=tagged)])
    _add_stored(db, user_id, given.entry_ids, effect, 1)
    sums.apply(db, user_id, effect)


_WITHOUT_BUDGET = f"id IN :ids AND (type = {int(Type.WITHDRAWAL)} OR refund = 1) AND budget_id IS NULL"


def _touch(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    changes.log_changing(db, "entries", "id IN :ids", ids=entry_ids)
    statement = "UPDATE entries SET updated_at = :now WHERE user_id = :user_id AND id IN :ids"
    db.run(statement, user_id=user_id, ids=entry_ids, now=now)


def rebook(db: Unit, user_id: int, account_id: int) -> None:
    """The account reckons in another currency now: splits with two amounts may be booked with the other one."""
    effect = Effect()
    entry_ids = derived.find_exchanging_entries(db, user_id, [account_id])
    for first in range(0, len(entry_ids), _BATCH):
        batch = entry_ids[first : first + _BATCH]
        _add_stored(db, user_id, batch, effect, -1)
        derived.update(db, user_id, batch)
        _add_stored(db, user_id, batch, effect, 1)
    sums.apply(db, user_id, effect)


def find_entries_of_account(db: Unit, user_id: int, account_id: int) -> list[int]:
    """The entries with a split on the account, as ids."""
    rows = db.all(
        """
        SELECT entry_id FROM splits WHERE user_id = :user_id AND source_id = :account_id
        UNION
        SELECT entry_id FROM splits WHERE user_id = :user_id AND destination_id = :account_id
        """,
        user_id=user_id,
        account_id=account_id,
    )
    return [entry_id for (entry_id,) in rows]


def forget_label(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """The label goes, its transactions stay. Its kept sums go with its own row."""
    if label == "tags":
        changes.log_removing(db, "entry_tags", "tag_id = :id", id=label_id)
        db.run("DELETE FROM entry_tags WHERE user_id = :user_id AND tag_id = :id", user_id=user_id, id=label_id)
        return
    column = {"categories": "category_id", "budgets": "budget_id"}[label]
    changes.log_changing(db, "splits", f"{column} = :id", only=(column,), id=label_id)
    db.run(
        f"UPDATE splits SET {column} = NULL WHERE user_id = :user_id AND {column} = :id", user_id=user_id, id=label_id
    )


def find_opening(db: Unit, user_id: int, account_id: int) -> int | None:
    found: int | None = db.value(
        "SELECT id FROM entries WHERE user_id = :user_id AND opening_account_id = :account_id",
        user_id=user_id,
        account_id=account_id,
    )
    return found


_ENTRY = [
    "type", "on_day", "description", "notes", "internal_reference", *(f"{name}_on" for name in OTHER_DATES),
    "opening_account_id", "bill_id", "bill_by_hand", "recurrence_id", "piggy_bank_id",
]  # fmt: skip
_ADD_ENTRY = f"""
INSERT INTO entries (user_id, {", ".join(_ENTRY)}, created_at, updated_at)
VALUES (:user_id, {", ".join(f":{column}" for column in _ENTRY)}, :now, :now) RETURNING id
"""
_ADD_NUMBERED_ENTRY = f"""
INSERT INTO entries (user_id, {", ".join(_ENTRY)}, created_at, updated_at, id)
VALUES (:user_id, {", ".join(f":{column}" for column in _ENTRY)}, :now, :now, :id)
"""
_CHANGE_ENTRY = f"""
UPDATE entries SET {", ".join(f"{column} = :{column}" for column in _ENTRY)}, updated_at = :now
WHERE user_id = :user_id AND id = :id
"""


def _entry_row(user_id: int, entry: Entry, now: str) -> Row:
    """In the order of `_ADD_ENTRY`."""
    return (
        user_id,
        int(entry.type),
        entry.on.isoformat(),
        entry.description,
        entry.notes,
        entry.internal_reference,
        *[day.isoformat() if day else None for day in entry.dates],
        entry.opening_account_id,
        entry.bill_id,
        int(entry.bill_by_hand),
        entry.recurrence_id,
        entry.piggy_bank_id,
        now,
    )


def _tag_rows(user_id: int, entry_id: int, entry: Entry) -> Iterator[Row]:
    return _tag_rows_of(user_id, {(entry_id, entry.on.isoformat()): entry.tag_ids})


def _tag_rows_of(user_id: int, given: Mapping[tuple[int, str], tuple[int, ...]]) -> Iterator[Row]:
    for (entry_id, on), tag_ids in given.items():
        yield from ((user_id, entry_id, tag_id, on) for tag_id in tag_ids)


def _add_tags(db: Unit, rows: list[Row]) -> None:
    if rows:
        db.many(
            """
            INSERT INTO entry_tags (user_id, entry_id, tag_id, on_day)
            VALUES (:user_id, :entry_id, :tag_id, :on_day)
            """,
            rows,
        )


_ADD_SPLIT = """
INSERT INTO splits (user_id, entry_id, position, type, on_day, source_id, destination_id, units, currency_id,
    foreign_units, foreign_currency_id, source_foreign, destination_foreign, description, reconciled,
    category_id, budget_id, refund)
VALUES (:user_id, :entry_id, :position, :type, :on_day, :source_id, :destination_id, :units, :currency_id,
    :foreign_units, :foreign_currency_id, :source_foreign, :destination_foreign, :description, :reconciled,
    :category_id, :budget_id, :refund)
"""
_OR_CHANGE_SPLIT = """
ON CONFLICT (user_id, entry_id, position) DO UPDATE SET type = excluded.type, on_day = excluded.on_day,
    source_id = excluded.source_id, destination_id = excluded.destination_id, units = excluded.units,
    currency_id = excluded.currency_id, foreign_units = excluded.foreign_units,
    foreign_currency_id = excluded.foreign_currency_id, source_foreign = excluded.source_foreign,
    destination_foreign = excluded.destination_foreign, description = excluded.description,
    reconciled = excluded.reconciled, category_id = excluded.category_id, budget_id = excluded.budget_id,
    refund = excluded.refund
"""


def _split_rows(user_id: int, entry_id: int, entry: Entry) -> Iterator[Row]:
    """In the order of `_ADD_SPLIT`."""
    type_, on = int(entry.type), entry.on.isoformat()
    for position, split in enumerate(entry.splits):
        foreign = split.foreign
        yield (
            user_id,
            entry_id,
            position,
            type_,
            on,
            split.source.id,
            split.destination.id,
            split.amount.units,
            split.amount.currency.id,
            foreign.units if foreign else None,
            foreign.currency.id if foreign else None,
            int(is_booked_foreign(split, split.source)) if foreign else 0,
            int(is_booked_foreign(split, split.destination)) if foreign else 0,
            split.description,
            int(split.reconciled),
            split.category_id,
            split.budget_id,
            int(split.refund),
        )


def _add_new(db: Unit, user_id: int, entries: Sequence[Entry], effect: Effect) -> None:
    splits = [[*book_splits(entry)] for entry in entries]
    exchange_id = _exchange_id(db, user_id, chain.from_iterable(splits))
    for of_entry in splits:
        effect.add(of_entry, exchange_id)


def _add_stored(db: Unit, user_id: int, entry_ids: list[int], effect: Effect, times: Literal[1, -1]) -> None:
    """Adds the effect of having these entries, or of taking them away, read back from what is stored."""
    entries = booked.of_entries(db, user_id, entry_ids)
    exchange_id = _exchange_id(db, user_id, chain.from_iterable(entries))
    for splits in entries:
        effect.add(splits, exchange_id, times=times)


_exchanges = attrgetter("exchanges")


def _exchange_id(db: Unit, user_id: int, splits: Iterable[BookedSplit]) -> int | None:
    if not any(map(_exchanges, splits)):
        return None
    found: int | None = db.value(
        "SELECT id FROM accounts WHERE user_id = :user_id AND kind = 'Exchange account'", user_id=user_id
    )
    return found
