"""Fills `entries` of the sums of accounts, categories, budgets and tags, as migration 0033 adds it."""

from ..unit import Unit

# The splits that each table sums, with the id of what they are summed for.
_CARRIED = {
    "sums_of_accounts": """
        (
            SELECT b.*, source_id AS label_id FROM booked_splits b
            UNION ALL SELECT b.*, destination_id FROM booked_splits b
        )
    """,
    "sums_of_categories": "(SELECT b.*, category_id AS label_id FROM booked_splits b WHERE category_id IS NOT NULL)",
    "sums_of_budgets": "(SELECT b.*, budget_id AS label_id FROM booked_splits b WHERE budget_id IS NOT NULL)",
    "sums_of_tags": """
        (
            SELECT b.*, t.tag_id AS label_id FROM entry_tags t
            JOIN booked_splits b ON b.user_id = t.user_id AND b.entry_id = t.entry_id
        )
    """,
}
_KEYS = "user_id, label_id, type, currency_id"
# An entry is counted in the row of the first of its splits that have the label.
_FILL = f"""
INSERT INTO {{table}} ({_KEYS}, grain, period, units, splits, entries)
WITH placed AS MATERIALIZED (
    SELECT user_id, label_id, type, on_day,
        CASE type WHEN 2 THEN arrived_currency_id ELSE left_currency_id END AS currency_id,
        ROW_NUMBER() OVER (PARTITION BY user_id, label_id, entry_id ORDER BY position) AS place
    FROM {{carried}} AS carried
),
days AS MATERIALIZED (
    SELECT {_KEYS}, on_day, COUNT(*) AS entries FROM placed WHERE place = 1 GROUP BY {_KEYS}, on_day
),
counted AS (
    SELECT {_KEYS}, 'day' AS grain, on_day AS period, entries FROM days
    UNION ALL SELECT {_KEYS}, 'month', substr(on_day, 1, 7), SUM(entries) FROM days
        GROUP BY {_KEYS}, substr(on_day, 1, 7)
    UNION ALL SELECT {_KEYS}, 'all', '', SUM(entries) FROM days GROUP BY {_KEYS}
)
SELECT {_KEYS}, grain, period, 0, 0, entries FROM counted WHERE 1 = 1
ON CONFLICT ({_KEYS}, grain, period) DO UPDATE SET entries = excluded.entries
"""


def fill(db: Unit) -> None:
    for table, carried in _CARRIED.items():
        db.run(_FILL.format(table=table, carried=carried))
