"""Are the books in order? Everything that is kept is made again from the splits and compared; nothing is changed."""

from collections.abc import Callable, Iterator

from ..storage.unit import Database, Unit
from . import balances, bills, contents, counts, indexes, labels, piggy_banks, recurrences, references, rules
from .contents import Contents
from .finding import Finding, Person

__all__ = ["Contents", "Finding", "examine", "examine_user"]

Examination = Callable[[Unit, Person], Iterator[Finding]]

# What is looked at for each user, with the words that say so while it is done.
_OF_A_USER: tuple[tuple[str, Examination], ...] = (
    ("accounts and preferences", rules.belongings),
    ("entries", rules.entries),
    ("opening balances", rules.openings),
    ("balances", balances.balances),
    ("what was spent and earned", balances.flows),
    ("counts", counts.counts),
    ("counts of accounts", counts.account_counts),
    ("categories, budgets and tags", labels.labels),
    ("budget limits", rules.limits),
    ("piggy banks", piggy_banks.piggy_banks),
    ("bills", bills.bills),
    ("recurrences", recurrences.recurrences),
    ("payments", indexes.payments),
    ("words", indexes.words),
)


def examine(
    database: Database, progress: Callable[[str], None] | None = None, *, attached: Contents | None = None
) -> Iterator[Finding]:
    """One snapshot for all of it, however long it takes; findings come as they are found."""
    tell = progress or _silently
    with database.reading() as db:
        tell("the database itself")
        yield from references.integrity(db)
        tell("references")
        yield from references.dangling(db)
        tell("names")
        yield from rules.folds(db)
        people = rules.people(db)
        for person in people:
            yield from _of(db, person, tell)
        if attached:
            yield from _contents(db, people, attached, tell)


def examine_user(database: Database, user_id: int) -> Iterator[Finding]:
    """What is kept for one user."""
    with database.reading() as db:
        for person in rules.people(db, user_id):
            yield from _of(db, person, _silently)


def _of(db: Unit, person: Person, tell: Callable[[str], None]) -> Iterator[Finding]:
    for words, examination in _OF_A_USER:
        tell(f"{words} of {person.email}")
        yield from examination(db, person)


def _contents(db: Unit, people: list[Person], attached: Contents, tell: Callable[[str], None]) -> Iterator[Finding]:
    for person in people:
        tell(f"contents of attachments of {person.email}")
        yield from contents.of_user(db, person, attached)
    yield from contents.of_nobody((person.id for person in people), attached)


def _silently(_step: str) -> None:
    pass
