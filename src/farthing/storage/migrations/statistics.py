"""Provides SQLite's query planner with fixed statistics that describe large books.

Without statistics, the planner assumes that `user_id = ?` matches few rows, and reads all rows of a user where ten
would do. Real statistics (ANALYZE) would change with the data, and so would the query plans. Ours are always the same.
"""

from collections.abc import Iterator
from itertools import groupby

from ..unit import Row, Unit

# The number of rows of a table, for all users together. With one user, a full scan would seem as good as an index.
_USERS = 10
_FEW, _MANY = 300 * _USERS, 1_000_000 * _USERS
_LARGE = frozenset((
    "entries", "splits", "entry_tags", "balances", "sums_of_accounts", "payments", "words", "mentions", "changes",
    "sums_of_categories", "sums_of_budgets", "sums_of_tags", "firings", "piggy_bank_events", "attachments",
    "revisions", "answers", "dry_run_changes", "contents", "import_rows", "exchange_rates",
    "published_rates",
))  # fmt: skip
# The number of distinct values of a column for one user; columns not listed are unique.
_DISTINCT = {
    "user_id": _USERS, "type": 3, "grain": 3, "currency_id": 3, "foreign_currency_id": 3, "kind": 10, "active": 2,
    "category_id": 50, "budget_id": 50, "tag_id": 50, "label_id": 50, "bill_id": 50, "recurrence_id": 50,
    "source_id": 250, "destination_id": 250, "account_id": 250, "on_day": 3650, "period": 3800,
    "word_id": 5000, "job_id": 50, "from_currency_id": 5, "to_currency_id": 30,
}  # fmt: skip
# The primary key of a WITHOUT ROWID table is named after the table.
_INDEXED_COLUMNS = """
SELECT t.name, CASE WHEN l.wr = 1 AND i.origin = 'pk' THEN t.name ELSE i.name END, c.name
FROM sqlite_master t
JOIN pragma_table_list(t.name) l
JOIN pragma_index_list(t.name) i
JOIN pragma_index_info(i.name) c
WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, i.name, c.seqno
"""


def write(db: Unit) -> None:
    """Replaces the statistics. This connection uses them at once, other connections when they read the new schema."""
    columns = db.all(_INDEXED_COLUMNS)
    db.script("ANALYZE migrations")  # creates the statistics table
    db.run("DELETE FROM sqlite_stat1")
    db.many(
        "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (:table, :index, :stat)", list(_compute_statistics(columns))
    )
    db.script("ANALYZE sqlite_master")  # only makes SQLite read the statistics table


def _compute_statistics(columns: list[Row]) -> Iterator[dict[str, str]]:
    for (table, index), group in groupby(columns, key=lambda row: row[:2]):
        left = total = _MANY if table in _LARGE else _FEW
        figures = [total]
        for _, _, column in group:
            left = max(1, left // _DISTINCT.get(column, total))
            figures.append(left)
        yield {"table": table, "index": index, "stat": " ".join(map(str, figures))}
