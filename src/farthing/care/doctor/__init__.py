"""Examines the books without changing them: recomputes stored figures from the splits, and reports differences."""

from collections.abc import Callable, Iterator
from functools import partial

from farthing.storage.unit import Database, Unit

from .checks import contents, indexes, planning, rules, sums
from .checks.basics.finding import DoctorFinding, Person
from .checks.basics.run import UNREAD_CONTENTS, open_snapshot, run_check
from .checks.contents import Contents

__all__ = ["Contents", "DoctorFinding", "examine", "examine_user"]

Examination = Callable[[Unit, Person], Iterator[DoctorFinding]]

_OF_THE_INSTALLATION: tuple[tuple[str, Callable[[Unit], Iterator[DoctorFinding]]], ...] = (
    ("the database itself", rules.integrity),
    ("references", rules.dangling),
    ("names", rules.folds),
)
# The checks for each user, with their names for the progress display.
_OF_A_USER: tuple[tuple[str, Examination], ...] = (
    ("accounts and preferences", rules.belongings),
    ("entries", rules.entries),
    ("opening balances", rules.openings),
    ("balances", sums.balances),
    ("net worth", sums.net_worth),
    ("what was spent and earned", sums.flows),
    ("counts", sums.counts),
    ("sums of accounts", partial(sums.labels, label="accounts")),
    ("sums of categories", partial(sums.labels, label="categories")),
    ("sums of budgets", partial(sums.labels, label="budgets")),
    ("sums of tags", partial(sums.labels, label="tags")),
    ("budget limits", rules.limits),
    ("piggy banks", planning.piggy_banks),
    ("bills", planning.bills),
    ("links between transactions", planning.entry_links),
    ("recurrences", planning.recurrences),
    ("webhooks", planning.webhooks),
    ("payments", indexes.payments),
    ("words", indexes.words),
    ("stored bytes", contents.stored_bytes),
)


def examine(
    database: Database, progress: Callable[[str], None] | None = None, *, attached: Contents | None = None
) -> Iterator[DoctorFinding]:
    """Runs all checks on one snapshot of the database, and yields the findings as soon as they are found.

    If a check cannot run, that is reported as a finding. Raises an error only if the database cannot be read at all.
    """
    report = progress or (lambda _step: None)
    with open_snapshot(database) as db:
        for words, examination in _OF_THE_INSTALLATION:
            report(words)
            yield from run_check(db, words, examination(db))
        people: list[Person] = []
        unknown = list(run_check(db, "users", _load_people(db, people)))
        yield from unknown
        for person in people:
            yield from _examine_person(db, person, report)
        if attached and unknown:  # without the list of users, every content would appear to belong to nobody
            sentence = "contents of attachments: these cannot be examined, because users cannot be read."
            yield DoctorFinding(UNREAD_CONTENTS, sentence)
        elif attached:
            yield from _examine_contents(db, people, attached, report)


def _load_people(db: Unit, people: list[Person]) -> Iterator[DoctorFinding]:
    """Fills `people`, and yields nothing. It is a generator so that `run_check` can turn a failure into a finding."""
    people += rules.load_people(db)
    yield from ()


def examine_user(db: Unit, user_id: int) -> Iterator[DoctorFinding]:
    """Runs the checks for one user, except for attachments. May be called inside a unit that is not committed yet."""
    for person in rules.load_people(db, user_id):
        yield from _examine_person(db, person, lambda _step: None)


def _examine_person(db: Unit, person: Person, report: Callable[[str], None]) -> Iterator[DoctorFinding]:
    for words, examination in _OF_A_USER:
        step = f"{words} of {person.email}"
        report(step)
        yield from run_check(db, step, examination(db, person))


def _examine_contents(
    db: Unit, people: list[Person], attached: Contents, report: Callable[[str], None]
) -> Iterator[DoctorFinding]:
    for person in people:
        step = f"contents of attachments of {person.email}"
        report(step)
        yield from run_check(db, step, contents.of_user(db, person, attached), UNREAD_CONTENTS)
    of_nobody = contents.of_nobody((person.id for person in people), attached)
    yield from run_check(db, "contents of attachments of nobody", of_nobody, UNREAD_CONTENTS)
