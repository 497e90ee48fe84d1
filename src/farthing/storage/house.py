"""Stores what belongs to no user: the revision of shared data, and the results of checkups."""

from msgspec import Struct

from .unit import Unit

# The names of checkups.
BOOKS, BACKUP, BACKUP_MADE, BACKUP_VERIFIED = "books", "backup", "backup made", "backup verified"
# When the clock was last looked at; the note says since when it has gone evenly.
CLOCK = "clock"


class Checkup(Struct, frozen=True):
    """When something was last checked, and how many problems were found; `note` is for people."""

    at: str
    problems: int
    note: str | None = None


def revision(db: Unit) -> int:
    return int(db.value("SELECT revision FROM house WHERE number = 1"))


def touch(db: Unit) -> None:
    """Call this last in a write: whoever holds this lock must not wait for another."""
    db.run("UPDATE house SET revision = revision + 1 WHERE number = 1")


def store_checkup(db: Unit, name: str, found: Checkup) -> None:
    db.run(
        """
        INSERT INTO checkups (name, at, problems, note) VALUES (:name, :at, :problems, :note)
        ON CONFLICT (name) DO UPDATE SET at = excluded.at, problems = excluded.problems, note = excluded.note
        """,
        name=name,
        at=found.at,
        problems=found.problems,
        note=found.note,
    )


def load_checkups(db: Unit) -> dict[str, Checkup]:
    rows = db.all("SELECT name, at, problems, note FROM checkups")
    return {name: Checkup(at=at, problems=problems, note=note) for name, at, problems, note in rows}
