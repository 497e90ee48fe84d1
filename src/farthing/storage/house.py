"""What is nobody's own? Users and currencies are seen by others: each change counts. And how the house was found."""

from dataclasses import dataclass

from .unit import Unit

# What is examined again and again.
BOOKS, BACKUP, BACKUP_MADE, BACKUP_VERIFIED = "books", "backup", "backup made", "backup verified"


@dataclass(frozen=True)
class Checkup:
    """When something was last looked at, and how many problems there were; `note` says more to people."""

    at: str
    problems: int
    note: str | None = None


def revision(db: Unit) -> int:
    return int(db.value("SELECT revision FROM house WHERE number = 1"))


def touch(db: Unit) -> None:
    """The last lock that a write takes: whoever holds it waits for nobody."""
    db.run("UPDATE house SET revision = revision + 1 WHERE number = 1")


def note_checkup(db: Unit, name: str, found: Checkup) -> None:
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


def checkups(db: Unit) -> dict[str, Checkup]:
    rows = db.all("SELECT name, at, problems, note FROM checkups")
    return {name: Checkup(at, problems, note) for name, at, problems, note in rows}
