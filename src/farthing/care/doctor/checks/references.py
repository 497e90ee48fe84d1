"""Checks the database file and all foreign keys, using the database's own catalog."""

from collections.abc import Iterator

from farthing.storage.unit import Unit

from .finding import Finding

_SOUND = "ok"
# Each row is looked up in each of its indexes; with more pages in memory that takes a tenth less.
_CACHE_KIB = 64 * 1024


def integrity(db: Unit) -> Iterator[Finding]:
    """SQLite reads its whole file: pages, indexes, CHECK, NOT NULL and UNIQUE. PostgreSQL checks its own files."""
    if db.dialect == "postgresql":
        return
    db.run(f"PRAGMA cache_size = -{_CACHE_KIB}")
    for (sentence,) in db.stream("PRAGMA integrity_check"):
        if sentence != _SOUND:
            yield Finding("integrity", f"The database file is damaged: {' '.join(sentence.split())}")


def dangling(db: Unit) -> Iterator[Finding]:
    """Rows whose foreign keys refer to no row, or to a row of another user."""
    return _dangling_in_sqlite(db) if db.dialect == "sqlite" else _dangling_in_postgres(db)


def _dangling_in_sqlite(db: Unit) -> Iterator[Finding]:
    """Tables without a rowid cannot say which row it is."""
    for table, row_id, parent, _ in db.stream("PRAGMA foreign_key_check"):
        which = f"row {row_id}" if row_id is not None else "a row"
        yield _leads_nowhere(f"{table}: {which}", parent)


_FOREIGN_KEYS = """
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


def _dangling_in_postgres(db: Unit) -> Iterator[Finding]:
    for table, parent, columns, parent_columns in db.all(_FOREIGN_KEYS):
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
            yield _leads_nowhere(f"{table}: the row with {key}", parent)


def _leads_nowhere(which: str, parent: str) -> Finding:
    return Finding("reference", f"{which} refers to {parent}, where there is no such row.")
