"""Has anything changed that is nobody's own? Users and currencies are seen by others; each change to them counts."""

from .unit import Unit


def revision(db: Unit) -> int:
    return int(db.value("SELECT revision FROM house WHERE number = 1"))


def touch(db: Unit) -> None:
    """The last lock that a write takes: whoever holds it waits for nobody."""
    db.run("UPDATE house SET revision = revision + 1 WHERE number = 1")
