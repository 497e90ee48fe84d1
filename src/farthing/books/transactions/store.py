"""Stores entries. No other package writes entries, splits or their sums."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Literal

from farthing.ledger.balance import Effect
from farthing.ledger.entry import OTHER_DATES, BookedSplit, Entry, Label, book_splits, is_booked_foreign
from farthing.ledger.kinds import Type
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import find_id, find_ids
from farthing.storage.change_log.restoring import AWAY, PARTS
from farthing.storage.drivers import dialects
from farthing.storage.unit import Answer, Row, Unit

from ..attachments import store as attachments
from ..attachments.model import Model
from ..entry_links import store as entry_links
from . import booked, derived, details
from .derived import EVERYTHING, Affected
from .index import mentions, payments
from .index.words import SearchText
from .model import Relabelling
from .stored_sums import sets, sums

# The number of entries that are read back at once, to bound memory.
_BATCH = 1000


def ask_ids(db: Unit, count: int) -> Answer[Row] | None:
    """Requests ids for new entries. Returns None on SQLite, which assigns ids when rows are inserted."""
    return dialects.ask_ids(db, "entries", count)


def add_all(
    db: Unit, user_id: int, entries: Sequence[Entry], now: str, ids: Answer[Row] | None = None
) -> list[tuple[int, Entry]]:
    """Adds entries with a handful of statements. Returns each entry with its new id."""
    rows = [_entry_row(user_id, entry, now) for entry in entries]
    id_rows = ids.rows() if ids else db.many_returning(_ADD_ENTRY, rows)
    entry_ids = [int(entry_id) for (entry_id,) in id_rows]
    numbered = list(zip(entry_ids, entries, strict=True))
    if ids:
        db.many(_ADD_NUMBERED_ENTRY, [(*row, entry_id) for row, entry_id in zip(rows, entry_ids, strict=True)])
    db.many(_ADD_SPLIT, [row for entry_id, entry in numbered for row in _split_rows(user_id, entry_id, entry)])
    _add_tags(db, [row for entry_id, entry in numbered if entry.tag_ids for row in _tag_rows(user_id, entry_id, entry)])
    details.add(db, user_id, numbered)
    effect = Effect()
    _add_new(db, user_id, entries, effect)
    sums.apply(db, user_id, effect)
    mentions.add(db, user_id, [SearchText.of(entry_id, entry) for entry_id, entry in numbered])
    payments.add(db, user_id, numbered)
    changes.log_created(db, "entries", entry_ids)
    return numbered


def change(
    db: Unit, user_id: int, entry_id: int, entry: Entry, now: str, kept: Mapping[int, int] | None = None
) -> None:
    """Replaces an entry. `kept` maps the ids of the splits that stay to their new positions; all others are removed.

    If `kept` is None, splits are matched by position, and keep their ids.
    """
    effect = Effect()
    texts, paid = mentions.ask_stored(db, user_id, [entry_id]), payments.ask_stored(db, user_id, [entry_id])
    _add_stored(db, user_id, [entry_id], effect, -1)
    _add_new(db, user_id, [entry], effect)
    mentions.take_out(db, user_id, mentions.read(texts))
    payments.take_out(db, user_id, paid)
    changes.log_changing(db, "entries", "id = :id", id=entry_id)
    _keep_splits(db, user_id, entry_id, len(entry.splits), kept)
    changes.log_removing(db, "entry_tags", "entry_id = :id", id=entry_id)
    db.many(_CHANGE_ENTRY, [(*_entry_row(user_id, entry, now)[1:], user_id, entry_id)])
    db.many(_ADD_OR_CHANGE_SPLIT, list(_split_rows(user_id, entry_id, entry)))
    db.run("DELETE FROM entry_tags WHERE user_id = :user_id AND entry_id = :id", user_id=user_id, id=entry_id)
    _add_tags(db, list(_tag_rows(user_id, entry_id, entry)))
    for part in ("splits", "entry_tags"):
        changes.log_created_parts(db, part, "entry_id = :id", id=entry_id)
    if entry.details is not None:
        details.change(db, user_id, entry_id, entry.details, now)
    sums.apply(db, user_id, effect)
    mentions.add(db, user_id, [SearchText.of(entry_id, entry)])
    payments.add(db, user_id, [(entry_id, entry)])


def _keep_splits(db: Unit, user_id: int, entry_id: int, count: int, kept: Mapping[int, int] | None) -> None:
    """Moves the splits that stay to their new positions, and removes the others.

    Logs removals first, so that an undo, which goes backwards, frees the positions of removed splits first.
    """
    staying = "position < :count" if kept is None else "id IN :ids"
    values = {"entry_id": entry_id, "count": count} if kept is None else {"entry_id": entry_id, "ids": list(kept)}
    changes.delete(db, "splits", user_id, f"entry_id = :entry_id AND NOT {staying}", **values)
    changes.log_changing(db, "splits", f"entry_id = :entry_id AND {staying}", **values)
    if kept:
        sql = "SELECT id, position FROM splits WHERE user_id = :user_id AND entry_id = :id"
        stored: dict[int, int] = dict(db.all(sql, user_id=user_id, id=entry_id))
        assert stored.keys() == kept.keys(), "only splits of the entry can be kept"
        moved = [(position, user_id, id_) for id_, position in kept.items() if stored[id_] != position]
        if moved:
            away = f"UPDATE splits SET position = position + {AWAY} WHERE user_id = :user_id AND id IN :ids"
            db.run(away, user_id=user_id, ids=[id_ for _, _, id_ in moved])
            db.many("UPDATE splits SET position = :position WHERE user_id = :user_id AND id = :id", moved)


def remove(db: Unit, user_id: int, entry_ids: list[int], *, gone: Sequence[int] = ()) -> None:
    """Removes entries. The sums of accounts in `gone` are not updated, because the caller removes these accounts."""
    _take_out(db, user_id, entry_ids, gone)
    for batch in sets.batches(entry_ids):
        attachments.remove_of(db, user_id, Model.JOURNAL, batch)
        entry_links.remove_of(db, user_id, batch)
        for table, column in (*PARTS["entries"], ("entries", "id")):
            changes.delete(db, table, user_id, f"{column} IN :entry_ids", entry_ids=batch)


def take_out(db: Unit, user_id: int, entry_ids: list[int], affected: Affected = EVERYTHING) -> None:
    """Subtracts the stored entries with these ids from all sums and indexes, without deleting the entries."""
    _take_out(db, user_id, _find_stored(db, user_id, entry_ids), (), affected)


def put_in(db: Unit, user_id: int, entry_ids: list[int], affected: Affected = EVERYTHING) -> None:
    """Adds the stored entries with these ids to all sums and indexes. Ignores ids of entries that do not exist."""
    stored_ids = _find_stored(db, user_id, entry_ids)
    _sum(db, user_id, stored_ids, 1, (), affected)
    for batch in sets.batches(stored_ids if affected.words else []):
        mentions.add(db, user_id, mentions.read_stored(db, user_id, batch))
        payments.add_stored(db, user_id, batch)


def _find_stored(db: Unit, user_id: int, entry_ids: list[int]) -> list[int]:
    stored = "SELECT id FROM entries WHERE user_id = :user_id AND id IN :ids ORDER BY id"
    return find_ids(db, stored, user_id=user_id, ids=entry_ids) if entry_ids else []


def _take_out(
    db: Unit, user_id: int, entry_ids: list[int], gone: Sequence[int], affected: Affected = EVERYTHING
) -> None:
    if affected.words:
        if len(entry_ids) >= sets.ENTRIES_MIN and sets.is_large_part(db, user_id, entry_ids):
            sets.remove_words_and_payments(db, user_id, entry_ids)
        else:
            for batch in sets.batches(entry_ids):
                mentions.remove(db, user_id, batch)
                payments.remove(db, user_id, batch)
    _sum(db, user_id, entry_ids, -1, gone, affected)


def _sum(
    db: Unit, user_id: int, entry_ids: list[int], times: Literal[1, -1], gone: Sequence[int], affected: Affected
) -> None:
    """Adds entries to the sums, or subtracts them. Handles many entries together if no intermediate sum can exceed
    64 bits, otherwise one by one. One by one, sums that are not affected are also updated, but an undo subtracts the
    same entries that it adds later, so these sums end up unchanged.
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
    """Marks splits as reconciled. Splits that are reconciled already are neither changed nor logged."""
    splits = booked.find(db, user_id, _UNRECONCILED, ids=split_ids)
    if not splits:
        return
    effect, exchange_id = Effect(), _exchange_id(db, user_id, (split for _, split in splits))
    for _, split in splits:
        if not split.settled:
            effect.reconcile(split, exchange_id)
    entry_ids = sorted({entry_id for entry_id, _ in splits})
    changes.update(db, "splits", user_id, _UNRECONCILED, {"reconciled": 1}, ids=split_ids)
    touch(db, user_id, entry_ids, now)
    sums.apply(db, user_id, effect)


def relabel(db: Unit, user_id: int, relabelling: Relabelling, now: str) -> None:
    effect, tagged = Effect(), [entry_id for entry_id, _ in relabelling.tags]
    _add_stored(db, user_id, relabelling.entry_ids, effect, -1)
    touch(db, user_id, relabelling.entry_ids, now)
    if relabelling.labels:
        labels, split_ids = relabelling.labels, relabelling.split_ids
        changes.update(db, "splits", user_id, "id IN :ids", labels, narrow=True, ids=split_ids)
    if relabelling.default_budget_id:
        values = {"budget_id": relabelling.default_budget_id}
        changes.update(db, "splits", user_id, _WITHOUT_BUDGET, values, narrow=True, ids=relabelling.split_ids)
    if tagged:
        changes.delete(db, "entry_tags", user_id, "entry_id IN :ids", ids=tagged)
        _add_tags(db, list(_tag_rows_of(user_id, relabelling.tags)))
        made = "SELECT id FROM entry_tags WHERE user_id = :user_id AND entry_id IN :ids ORDER BY id"
        changes.log_created(db, "entry_tags", find_ids(db, made, user_id=user_id, ids=tagged))
    _add_stored(db, user_id, relabelling.entry_ids, effect, 1)
    sums.apply(db, user_id, effect)


_WITHOUT_BUDGET = f"id IN :ids AND (type = {int(Type.WITHDRAWAL)} OR refund = 1) AND budget_id IS NULL"


def touch(db: Unit, user_id: int, entry_ids: list[int], now: str) -> None:
    """Updates the change time of entries and logs them as changed, without changing anything else."""
    changes.update(db, "entries", user_id, "id IN :ids", {}, now=now, ids=entry_ids)


def rebook(db: Unit, user_id: int, account_id: int) -> None:
    """Updates which amount is booked for splits that have two, after the currency of their account has changed."""
    effect = Effect()
    entry_ids = derived.find_exchanging_entries(db, user_id, [account_id])
    for batch in sets.batches(entry_ids, _BATCH):
        _add_stored(db, user_id, batch, effect, -1)
        derived.update(db, user_id, batch)
        _add_stored(db, user_id, batch, effect, 1)
    sums.apply(db, user_id, effect)


def find_entries_of_accounts(db: Unit, user_id: int, account_ids: list[int]) -> list[int]:
    sql = """
        SELECT entry_id FROM splits WHERE user_id = :user_id AND source_id IN :ids
        UNION
        SELECT entry_id FROM splits WHERE user_id = :user_id AND destination_id IN :ids
        ORDER BY 1
    """
    return find_ids(db, sql, user_id=user_id, ids=account_ids)


def forget_label(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Removes a label from its transactions. The label's sums are deleted later, together with its own row."""
    if label == "tags":
        changes.delete(db, "entry_tags", user_id, "tag_id = :id", id=label_id)
        return
    column = {"categories": "category_id", "budgets": "budget_id"}[label]
    changes.update(db, "splits", user_id, f"{column} = :id", {column: None}, narrow=True, id=label_id)


def find_opening(db: Unit, user_id: int, account_id: int) -> int | None:
    sql = "SELECT id FROM entries WHERE user_id = :user_id AND opening_account_id = :account_id"
    return find_id(db, sql, user_id=user_id, account_id=account_id)


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
    """Returns the values in the order of `_ADD_ENTRY`."""
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


def _tag_rows_of(user_id: int, tags: Mapping[tuple[int, str], tuple[int, ...]]) -> Iterator[Row]:
    for (entry_id, on), tag_ids in tags.items():
        yield from ((user_id, entry_id, tag_id, on) for tag_id in tag_ids)


def _add_tags(db: Unit, rows: list[Row]) -> None:
    if rows:
        sql = """
            INSERT INTO entry_tags (user_id, entry_id, tag_id, on_day)
            VALUES (:user_id, :entry_id, :tag_id, :on_day)
        """
        db.many(sql, rows)


_SPLIT = [
    "user_id", "entry_id", "position", "type", "on_day", "source_id", "destination_id", "units", "currency_id",
    "foreign_units", "foreign_currency_id", "source_foreign", "destination_foreign", "description", "reconciled",
    "category_id", "budget_id", "refund",
]  # fmt: skip
_ADD_SPLIT = f"INSERT INTO splits ({', '.join(_SPLIT)}) VALUES ({', '.join(f':{column}' for column in _SPLIT)})"
_ADD_OR_CHANGE_SPLIT = f"""
{_ADD_SPLIT} ON CONFLICT (user_id, entry_id, position)
DO UPDATE SET {", ".join(f"{column} = excluded.{column}" for column in _SPLIT[3:])}
"""


def _split_rows(user_id: int, entry_id: int, entry: Entry) -> Iterator[Row]:
    """Yields the values in the order of `_SPLIT`."""
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
    """Adds the effect of stored entries to `effect`; with `times=-1`, the effect of removing them."""
    entries = booked.of_entries(db, user_id, entry_ids)
    exchange_id = _exchange_id(db, user_id, chain.from_iterable(entries))
    for splits in entries:
        effect.add(splits, exchange_id, times=times)


_exchanges = attrgetter("exchanges")


def _exchange_id(db: Unit, user_id: int, splits: Iterable[BookedSplit]) -> int | None:
    if not any(map(_exchanges, splits)):
        return None
    sql = "SELECT id FROM accounts WHERE user_id = :user_id AND kind = 'Exchange account'"
    return find_id(db, sql, user_id=user_id)
