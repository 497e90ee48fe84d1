"""Moves the splits of one label or account to another, together with their stored sums.

Uses a few statements on sets of rows. The caller then deletes the label or account that has no splits left, which also
deletes its sums.
"""

from typing import Literal

from farthing.ledger.entry import Label
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import find_ids
from farthing.storage.unit import Unit

from ..stored_sums import sets
from ..stored_sums.sums import TABLES, add_rows


def move_label(db: Unit, user_id: int, label: Label, from_id: int, *, into_id: int) -> None:
    if label == "tags":
        _drop_doubles(db, user_id, from_id, into_id)
        _move(db, user_id, "entry_tags", "tag_id", from_id, into_id)
    else:
        column = {"categories": "category_id", "budgets": "budget_id"}[label]
        _count_common_once(db, user_id, f"sums_of_{label}", (column,), from_id, into_id)
        _move(db, user_id, "splits", column, from_id, into_id)
    _move_sums(db, user_id, f"sums_of_{label}", from_id=from_id, into_id=into_id)


def move_account(db: Unit, user_id: int, from_id: int, *, into_id: int) -> None:
    """Moves the splits of an account to another, which must book the same amounts (see `find_booked_otherwise`)."""
    sides = ("source_id", "destination_id")
    _count_common_once(db, user_id, "sums_of_accounts", sides, from_id, into_id)
    for side in sides:
        _move(db, user_id, "splits", side, from_id, into_id)
    for table in ("balances", "sums_of_accounts"):
        _move_sums(db, user_id, table, from_id=from_id, into_id=into_id)


def share_entries(db: Unit, user_id: int, account_id: int, other_id: int) -> bool:
    """Checks if any split moves money between the two accounts."""
    sql = """
        SELECT 1 FROM splits WHERE user_id = :user_id AND source_id IN :ids AND destination_id IN :ids LIMIT 1
    """
    return bool(db.value(sql, user_id=user_id, ids=[account_id, other_id]))


def forget_sums(db: Unit, user_id: int, account_id: int) -> None:
    """Deletes the sums of an account whose splits were moved, if the account stays."""
    for table, column in (("balances", "account_id"), ("sums_of_accounts", "label_id")):
        db.run(f"DELETE FROM {table} WHERE user_id = :user_id AND {column} = :id", user_id=user_id, id=account_id)


def _count_common_once(
    db: Unit, user_id: int, table: str, columns: tuple[str, ...], from_id: int, into_id: int
) -> None:
    """Corrects the number of entries, because `_move_sums` would count those twice that have both labels."""
    having = (
        " UNION ".join(
            f"SELECT entry_id FROM splits WHERE user_id = :user_id AND {column} = {id_}" for column in columns
        )
        for id_ in (":from_id", ":into_id")
    )
    common = "SELECT entry_id FROM ({}) AS leaving INTERSECT SELECT entry_id FROM ({}) AS staying".format(*having)
    entry_ids = find_ids(db, common, user_id=user_id, from_id=from_id, into_id=into_id)
    sets.count_common_once(db, user_id, table, entry_ids, from_id=from_id, into_id=into_id)


def find_booked_otherwise(db: Unit, user_id: int, account_id: int, currency_id: int) -> bool:
    """Checks if any split with two amounts would be booked with the other amount if the account had this currency."""
    return any(
        db.value(
            f"""
            SELECT 1 FROM splits WHERE user_id = :user_id AND {side}_id = :id AND foreign_currency_id IS NOT NULL
                AND {side}_foreign <> CASE WHEN foreign_currency_id = :currency_id AND currency_id <> :currency_id
                    THEN 1 ELSE 0 END
            LIMIT 1
            """,
            user_id=user_id,
            id=account_id,
            currency_id=currency_id,
        )
        for side in ("source", "destination")
    )


def _drop_doubles(db: Unit, user_id: int, from_id: int, into_id: int) -> None:
    """Removes the tag `from_id` from entries that have both tags, so that these entries are not summed twice."""
    sql = """
        SELECT a.entry_id FROM entry_tags a
        JOIN entry_tags b ON b.user_id = a.user_id AND b.entry_id = a.entry_id AND b.tag_id = :into_id
        WHERE a.user_id = :user_id AND a.tag_id = :from_id ORDER BY a.entry_id
    """
    entry_ids = find_ids(db, sql, user_id=user_id, from_id=from_id, into_id=into_id)
    sets.take_tag_out(db, user_id, entry_ids, from_id)
    for batch in sets.batches(entry_ids):
        double = "tag_id = :from_id AND entry_id IN :batch"
        changes.delete(db, "entry_tags", user_id, double, from_id=from_id, batch=batch)


def _move(
    db: Unit, user_id: int, table: Literal["splits", "entry_tags"], column: str, from_id: int, into_id: int
) -> None:
    changes.update(db, table, user_id, f"{column} = :from_id", {column: into_id}, narrow=True, from_id=from_id)


def _move_sums(db: Unit, user_id: int, table: str, *, from_id: int, into_id: int) -> None:
    """Adds the sums of `from_id` to those of `into_id`. The sums of `from_id` remain until it is deleted."""
    (owner, *others), amounts = TABLES[table]
    columns = ", ".join((*others, "grain", "period", *amounts))
    sql = add_rows(
        table,
        f"""
        SELECT user_id, CAST(:into_id AS BIGINT), {columns} FROM {table}
        WHERE user_id = :user_id AND {owner} = :from_id
        """,
    )
    db.run(sql, user_id=user_id, from_id=from_id, into_id=into_id)
