"""Checks the database file, the foreign keys, and rules that the schema cannot enforce."""

from collections.abc import Iterator
from datetime import date

from farthing.books.preferences.model import NAMES
from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind, Type
from farthing.storage.drivers import catalog
from farthing.storage.schema import TABLES
from farthing.storage.unit import Unit

from .basics.finding import DoctorFinding, Person, name_account, name_type
from .independent_rule import IS_FOREIGN


def load_people(db: Unit, user_id: int | None = None) -> list[Person]:
    """Loads all users, or one of them."""
    return db.structs(
        Person,
        f"""
        SELECT u.id, u.email, MIN(a.id) AS exchange_id
        FROM users u LEFT JOIN accounts a ON a.user_id = u.id AND a.kind = :exchange
        {"" if user_id is None else "WHERE u.id = :user_id"} GROUP BY u.id, u.email ORDER BY u.id
        """,
        exchange=Kind.EXCHANGE.value,
        user_id=user_id,
    )


def integrity(db: Unit) -> Iterator[DoctorFinding]:
    for damage in catalog.find_damage(db):
        yield DoctorFinding("integrity", f"The database file is damaged: {damage}")


def dangling(db: Unit) -> Iterator[DoctorFinding]:
    """Finds rows whose foreign keys refer to no row, or to a row of another user."""
    for which, parent in catalog.find_dangling(db):
        yield DoctorFinding("reference", f"{which} refers to {parent}, where there is no such row.")


def folds(db: Unit) -> Iterator[DoctorFinding]:
    """Checks the folded form of each text, which is stored with it for comparisons that ignore case."""
    for table, columns in TABLES.items():
        for column in (name.removesuffix("_fold") for name in columns if name.endswith("_fold")):
            for row_id, text, stored in db.stream(f"SELECT id, {column}, {column}_fold FROM {table} ORDER BY id"):
                if stored != fold(text):
                    sentence = f"the {column} '{text}' is compared as '{stored}', not as '{fold(text)}'."
                    yield DoctorFinding("fold", f"{table}: row {row_id}: {sentence}")


def belongings(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks that the user has one cash account, one exchange account, all preferences, and no unknown accounts."""
    kinds: dict[str, int] = dict(
        db.all("SELECT kind, COUNT(*) FROM accounts WHERE user_id = :id GROUP BY kind", id=person.id)
    )
    for kind in (Kind.CASH, Kind.EXCHANGE):
        count = kinds.get(kind.value, 0)
        if count != 1:
            sentence = f"there must be exactly one {kind.value.lower()}, but there are {count}."
            yield person.finding("accounts", sentence, stored=count, true=1)
    for unknown in sorted(kinds.keys() - {kind.value for kind in Kind}):
        yield person.finding("accounts", f"{kinds[unknown]} accounts are of the unknown kind '{unknown}'.")
    stored_names = {name for (name,) in db.all("SELECT name FROM preferences WHERE user_id = :id", id=person.id)}
    for name in NAMES:
        if name not in stored_names:
            yield person.finding("preferences", f"the preference {name} is missing.")


def entries(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    yield from _without_splits(db, person)
    yield from _numbering(db, person)
    yield from _copies(db, person)
    yield from _days(db, person)
    yield from _foreign_flags(db, person)


def _without_splits(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Finds entries without splits. Uses EXCEPT, because a search for each entry might use the wrong index."""
    rows = db.stream(
        """
        SELECT id FROM entries WHERE user_id = :user_id
        EXCEPT SELECT entry_id FROM splits WHERE user_id = :user_id ORDER BY 1
        """,
        user_id=person.id,
    )
    for (entry_id,) in rows:
        yield person.finding("entry", f"{_name_entry(db, person, entry_id)} has no split.")


def _numbering(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    rows = db.stream(
        """
        SELECT entry_id, COUNT(*), MIN(position), MAX(position) FROM splits WHERE user_id = :user_id
        GROUP BY entry_id HAVING MIN(position) <> 0 OR MAX(position) <> COUNT(*) - 1
        """,
        user_id=person.id,
    )
    for entry_id, count, first, last in rows:
        which = _name_entry(db, person, entry_id)
        sentence = f"{which} has {count} splits, numbered {first} to {last} instead of 0 to {count - 1}."
        yield person.finding("entry", sentence)


def _copies(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    rows = db.stream(
        """
        SELECT s.id, s.type, s.on_day, s.entry_id
        FROM splits s JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
        WHERE s.user_id = :user_id AND (s.type <> e.type OR s.on_day <> e.on_day)
        """,
        user_id=person.id,
    )
    for split_id, type_, on, entry_id in rows:
        sentence = f"split {split_id} is a {name_type(type_)} of {on}, but belongs to"
        yield person.finding("copy", f"{sentence} {_name_entry(db, person, entry_id)}.", period=on)
    rows = db.stream(
        """
        SELECT t.tag_id, t.on_day, t.entry_id
        FROM entry_tags t JOIN entries e ON e.user_id = t.user_id AND e.id = t.entry_id
        WHERE t.user_id = :user_id AND t.on_day <> e.on_day
        """,
        user_id=person.id,
    )
    for tag_id, on, entry_id in rows:
        sentence = f"tag {tag_id} is stored with the date {on}, but belongs to"
        yield person.finding("copy", f"{sentence} {_name_entry(db, person, entry_id)}.", period=on)


def _name_entry(db: Unit, person: Person, entry_id: int) -> str:
    """Returns the type, id and date of an entry for a sentence. Runs a query, so call it only for findings."""
    row = db.one(
        "SELECT type, on_day FROM entries WHERE user_id = :user_id AND id = :id", user_id=person.id, id=entry_id
    )
    if row is None:
        return f"entry {entry_id} (there is none)"
    type_, on = row
    return f"the {name_type(type_)} {entry_id} of {on}"


def _days(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Finds entries with a date that does not exist. Counts only such entries, as counting all would need a sort."""
    days = db.all("SELECT DISTINCT on_day FROM entries WHERE user_id = :id", id=person.id)
    for on in sorted(on for (on,) in days if not _exists(on)):
        sql = "SELECT COUNT(*) FROM entries WHERE user_id = :id AND on_day = :on_day"
        count = db.value(sql, id=person.id, on_day=on)
        yield person.finding("day", f"{count} entries are dated {on}, a day that does not exist.", period=on)


def _exists(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


# A split has both a foreign amount and a foreign currency, or neither. The condition is on the amount, which has an
# index. CROSS JOIN prevents SQLite from starting with the accounts and reading all splits of each.
_FLAGS = f"""
SELECT s.id, s.on_day, a.id, s.{{side}}_foreign
FROM splits s CROSS JOIN accounts a
WHERE s.user_id = :user_id AND s.foreign_units IS NOT NULL AND a.user_id = s.user_id AND a.id = s.{{side}}_id
    AND s.{{side}}_foreign <> {IS_FOREIGN}
ORDER BY s.id
"""


def _foreign_flags(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks that each side of a split is booked in its account's currency if either amount is in that currency."""
    for side in ("source", "destination"):
        for split_id, on, account_id, foreign in db.stream(_FLAGS.format(side=side), user_id=person.id):
            used, better = ("foreign amount", "amount") if foreign else ("amount", "foreign amount")
            yield person.finding(
                "foreign",
                f"split {split_id} of {on} is booked on {name_account(db, person, account_id)} "
                f"with its {used} instead of its {better}.",
                account_id=account_id,
                period=on,
            )


_OPENINGS = """
SELECT e.id, e.on_day, e.type, e.opening_account_id
FROM entries e
WHERE e.user_id = :user_id AND (e.opening_account_id IS NOT NULL OR e.type = :opening) AND NOT EXISTS (
    SELECT 1 FROM splits s
    JOIN accounts h ON h.user_id = s.user_id AND h.kind = :helper AND h.helps_id = e.opening_account_id
    WHERE e.type = :opening AND s.user_id = e.user_id AND s.entry_id = e.id
        AND ((s.source_id = e.opening_account_id AND s.destination_id = h.id)
            OR (s.destination_id = e.opening_account_id AND s.source_id = h.id))
)
ORDER BY e.id
"""


def openings(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    rows = db.stream(_OPENINGS, user_id=person.id, opening=int(Type.OPENING_BALANCE), helper=Kind.INITIAL_BALANCE.value)
    for entry_id, on, type_, account_id in rows:
        whose = name_account(db, person, account_id) if account_id is not None else "no account"
        yield person.finding(
            "opening",
            f"the {name_type(type_)} {entry_id} of {on} opens {whose}, "
            "but is not an opening balance between an account and its helper.",
            account_id=account_id,
            period=on,
        )


def limits(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    rows = db.stream(
        """
        SELECT a.id, b.id, a.budget_id FROM budget_limits a
        JOIN budget_limits b ON b.user_id = a.user_id AND b.budget_id = a.budget_id AND b.currency_id = a.currency_id
            AND b.id > a.id AND b.start_on <= a.end_on AND b.end_on >= a.start_on
        WHERE a.user_id = :user_id ORDER BY a.id, b.id
        """,
        user_id=person.id,
    )
    for limit_id, other_id, budget_id in rows:
        yield person.finding("limit", f"the limits {limit_id} and {other_id} of budget {budget_id} overlap.")
