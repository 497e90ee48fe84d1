"""What must the kept sums be? Plain Python beside the database: the sums that the entries make, and those it keeps."""

from collections import Counter

from farthing.ledger.balance import Effect, periods
from farthing.ledger.entry import SUMMED
from farthing.storage.schema import TABLES

from ..builders import Books

# What sums are kept, and by what: the rest of a row is its figures.
KEPT_BY = {
    "balances": ("account_id", "currency_id"),
    "flows": ("type", "currency_id"),
    "counts": ("type",),
    "net_worth": ("currency_id",),
    **{f"sums_of_{label}": ("label_id", "type", "currency_id") for label in SUMMED},
}


def kept(books: Books, table: str) -> dict[tuple[object, ...], tuple[int, ...]]:
    """The rows of the user as they are in the database; a zero is as good as no row."""
    key = (*KEPT_BY[table], "grain", "period")
    figures = [column for column in TABLES[table] if column not in (*key, "user_id")]
    with books.database.reading() as db:
        rows = db.all(f"SELECT {', '.join([*key, *figures])} FROM {table} WHERE user_id = :id", id=books.user_id)
    return {row[: len(key)]: row[len(key) :] for row in rows if any(row[len(key) :])}


def by_period(*columns: Counter) -> dict[tuple[object, ...], tuple[int, ...]]:
    sums = [Counter() for _ in columns]
    for column, counted in zip(columns, sums, strict=True):
        for (*key, on), value in column.items():
            for period in periods(on):
                counted[*key, *period] += value
    keys = {key for counted in sums for key in counted}
    return {key: figures for key in keys if any(figures := tuple(counted[key] for counted in sums))}


def assert_kept_sums_are_right(books: Books) -> None:
    """In every table of kept sums."""
    made = books.reference()
    assert kept(books, "balances") == by_period(made.units, made.reconciled)
    assert kept(books, "flows") == by_period(made.flows)
    assert kept(books, "counts") == by_period(made.entries, made.splits)
    assert kept(books, "net_worth") == by_period(_net_worth(books, made))
    for label, given_to in made.labels.items():
        assert kept(books, f"sums_of_{label}") == by_period(given_to.units, given_to.splits, given_to.entries)


def _net_worth(books: Books, made: Effect) -> Counter:
    counting = books.counting()
    worth = Counter()
    for (account_id, currency_id, on), units in made.units.items():
        worth[currency_id, on] += units if account_id in counting else 0
    return worth


def revision(books: Books) -> int:
    with books.database.reading() as db:
        return int(db.value("SELECT revision FROM users WHERE id = :id", id=books.user_id))
