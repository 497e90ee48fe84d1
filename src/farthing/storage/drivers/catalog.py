"""Uses built-in functions of the database to check that its file is intact and that all foreign keys are valid."""

from collections.abc import Iterator

from ..unit import Unit
from .dialects import is_remote

_SOUND = "ok"
# The check looks up each row in each index. With this much memory for pages, it takes a tenth less time.
_CACHE_KIB = 64 * 1024


def find_damage(db: Unit) -> Iterator[str]:
    """Lets SQLite read its whole file, and reports damage to pages, indexes and constraints.

    Reports nothing on PostgreSQL, which checks its own files.
    """
    if is_remote(db):
        return
    db.run(f"PRAGMA cache_size = -{_CACHE_KIB}")
    for (sentence,) in db.stream("PRAGMA integrity_check"):
        if sentence != _SOUND:
            yield " ".join(sentence.split())


def find_dangling(db: Unit) -> Iterator[tuple[str, str]]:
    """Finds rows with a foreign key that matches no row. Yields a description of each, and the table it refers to."""
    return _find_in_postgres(db) if is_remote(db) else _find_in_sqlite(db)


def _find_in_sqlite(db: Unit) -> Iterator[tuple[str, str]]:
    """Names each row by its rowid, unless the table has none."""
    for table, row_id, parent, _ in db.stream("PRAGMA foreign_key_check"):
        which = f"row {row_id}" if row_id is not None else "a row"
        yield f"{table}: {which}", parent


FOREIGN_KEYS = """
SELECT f.conrelid::regclass::text, f.confrelid::regclass::text, (
    SELECT array_agg(a.attname::text ORDER BY k.place)
    FROM unnest(f.conkey) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number
), (
    SELECT array_agg(a.attname::text ORDER BY k.place)
    FROM unnest(f.confkey) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.number
)
FROM pg_constraint f
WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace
ORDER BY 1, 2, f.conname
"""


def _find_in_postgres(db: Unit) -> Iterator[tuple[str, str]]:
    for table, parent, columns, parent_columns in db.all(FOREIGN_KEYS):
        pairs = list(zip(columns, parent_columns, strict=True))
        rows = db.stream(
            f"""
            SELECT {", ".join(f"c.{column}" for column in columns)}
            FROM {table} c LEFT JOIN {parent} p ON {" AND ".join(f"p.{theirs} = c.{ours}" for ours, theirs in pairs)}
            WHERE p.{parent_columns[0]} IS NULL AND {" AND ".join(f"c.{column} IS NOT NULL" for column in columns)}
            """
        )
        for values in rows:
            key = ", ".join(f"{column} {value}" for column, value in zip(columns, values, strict=True))
            yield f"{table}: the row with {key}", parent
