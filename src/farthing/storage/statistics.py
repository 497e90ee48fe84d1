"""What do large books look like? SQLite's planner is told, and then plans for large ones from the first day.

Without figures it takes `user_id = ?` for a few rows, and reads all that a user ever wrote where ten rows would do.
Figures of its own (ANALYZE) would change with the data, and plans with them; these are the same for everybody.
"""

from collections.abc import Iterator
from itertools import groupby

from .unit import Row, Unit

# Rows of a table, of all users together: were there only one, reading the whole table would look as good as an index.
_USERS = 10
_FEW, _MANY = 300 * _USERS, 1_000_000 * _USERS
_LARGE = frozenset((
    "entries", "splits", "entry_tags", "balances", "account_counts", "payments", "words", "mentions", "changes",
    "sums_of_categories", "sums_of_budgets", "sums_of_tags", "firings", "piggy_bank_events", "attachments",
    "revisions", "answers", "dry_run_changes",
))  # fmt: skip
# How many different values a column has, in the books of one user; in any other each row has one of its own.
_DIFFERENT = {
    "user_id": _USERS, "type": 3, "grain": 3, "currency_id": 3, "foreign_currency_id": 3, "kind": 10, "active": 2,
    "category_id": 50, "budget_id": 50, "tag_id": 50, "label_id": 50, "bill_id": 50, "recurrence_id": 50,
    "source_id": 250, "destination_id": 250, "account_id": 250, "on_day": 3650, "period": 3800, "word_id": 5000,
}  # fmt: skip
# The key of a table without row numbers goes by the name of the table.
_INDEXED_COLUMNS = """
SELECT t.name, CASE WHEN l.wr = 1 AND i.origin = 'pk' THEN t.name ELSE i.name END, c.name
FROM sqlite_master t
JOIN pragma_table_list(t.name) l
JOIN pragma_index_list(t.name) i
JOIN pragma_index_info(i.name) c
WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, i.name, c.seqno
"""


def tell(db: Unit) -> None:
    """Takes the place of what was told before. Other connections learn of it with the new schema, this one at once."""
    columns = db.all(_INDEXED_COLUMNS)
    db.script("ANALYZE migrations")  # makes the table of figures
    db.run("DELETE FROM sqlite_stat1")
    db.many("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:table, :index, :stat)", list(_figures(columns)))
    db.script("ANALYZE sqlite_master")  # reads nothing but the table of figures


def _figures(columns: list[Row]) -> Iterator[dict[str, str]]:
    for (table, index), group in groupby(columns, key=lambda row: row[:2]):
        left = total = _MANY if table in _LARGE else _FEW
        figures = [total]
        for _, _, column in group:
            left = max(1, left // _DIFFERENT.get(column, total))
            figures.append(left)
        yield {"table": table, "index": index, "stat": " ".join(map(str, figures))}
