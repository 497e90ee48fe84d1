"""Are the books in order? Everything that is kept is made again from the splits and compared; nothing is changed."""

from collections.abc import Callable, Iterator

from ..storage.unit import Database, Unit
from . import balances, bills, contents, counts, indexes, labels, piggy_banks, recurrences, references, rules
from .contents import Contents
from .finding import Finding, Person
from .tried import UNREAD_CONTENTS, read, tried

__all__ = ["Contents", "Finding", "examine", "examine_user"]

Examination = Callable[[Unit, Person], Iterator[Finding]]

_OF_THE_HOUSE: tuple[tuple[str, Callable[[Unit], Iterator[Finding]]], ...] = (
    ("the database itself", references.integrity),
    ("references", references.dangling),
    ("names", rules.folds),
)
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
    """One snapshot for all of it, however long it takes; findings come as they are found.

    What cannot be examined is a finding, too. Only a database that cannot be read at all is an error.
    """
    tell = progress or _silently
    with read(database) as db:
        for words, examination in _OF_THE_HOUSE:
            tell(words)
            yield from tried(db, words, examination(db))
        people: list[Person] = []
        unknown = list(tried(db, "users", _introduced(db, people)))
        yield from unknown
        for person in people:
            yield from _of(db, person, tell)
        if attached and unknown:  # everything would seem to be nobody's
            sentence = "contents of attachments: these cannot be examined, because users cannot be read."
            yield Finding(UNREAD_CONTENTS, sentence)
        elif attached:
            yield from _contents(db, people, attached, tell)


def _introduced(db: Unit, people: list[Person]) -> Iterator[Finding]:
    """Fills in who there is."""
    people += rules.people(db)
    yield from ()


def examine_user(database: Database, user_id: int) -> Iterator[Finding]:
    """What is kept for one user."""
    with database.reading() as db:
        for person in rules.people(db, user_id):
            yield from _of(db, person, _silently)


def _of(db: Unit, person: Person, tell: Callable[[str], None]) -> Iterator[Finding]:
    for words, examination in _OF_A_USER:
        step = f"{words} of {person.email}"
        tell(step)
        yield from tried(db, step, examination(db, person))


def _contents(db: Unit, people: list[Person], attached: Contents, tell: Callable[[str], None]) -> Iterator[Finding]:
    for person in people:
        step = f"contents of attachments of {person.email}"
        tell(step)
        yield from tried(db, step, contents.of_user(db, person, attached), UNREAD_CONTENTS)
    of_nobody = contents.of_nobody((person.id for person in people), attached)
    yield from tried(db, "contents of attachments of nobody", of_nobody, UNREAD_CONTENTS)


def _silently(_step: str) -> None:
    pass
