"""Compares one thing with another: lists with lists, and creates with and without bills or rules."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from . import furnish
from .books import Books, Facts
from .lines import BOUNDED, NAMED, OVERVIEWS, REPORTS
from .measure import Sample, Samples, Served, Trial, ratio, run_interleaved, typical
from .processes import Server, farthing
from .results import Row, Target, target

YEAR_MAX, RECURRENCES_MAX, BILLS_MAX, RULES_US_MAX, FLAT_MAX, BOUNDED_MAX = 3.0, 3.0, 1.2, 1000, 1.15, 1.3
CPU_MS_MAX = {"net_worth": 20, "dashboard": 30}
FLAT = ("bills_year", "budgets_year", "categories_year", *(line.key for line in (*OVERVIEWS, *BOUNDED, *REPORTS)))
# Compared from a hundred thousand to a million transactions.
_BOUNDED = {"dashboard", *(line.key for line in (*BOUNDED, *REPORTS))}


class Measuring:
    """How often and how long to measure, and where to report progress."""

    def __init__(self, rounds: int, seconds: float, tell: Callable[[str], None]) -> None:
        self._rounds = rounds
        self._seconds = seconds
        self._tell = tell

    def samples(self, trials: Sequence[Trial]) -> Samples:
        self._tell(", ".join(dict.fromkeys(trial.line.name for trial in trials)))
        return run_interleaved(trials, rounds=self._rounds, seconds=self._seconds)


def lists(measuring: Measuring, servers: Sequence[tuple[Facts, Server]]) -> Iterator[Row | Target]:
    """`servers` go from the smallest books to the largest; lists are compared on those in the middle."""
    yield from flat(measuring, servers, FLAT)
    subjects = [Served(str(facts.transactions), server, facts) for facts, server in servers]
    facts, server = servers[len(servers) // 2]
    furnish.recurrences(server.endpoint, facts)
    keys = ("accounts", "bills", "bills_year", "bills_past", "recurrences")
    samples = measuring.samples([Trial(key, NAMED[key], subjects[len(subjects) // 2]) for key in keys])
    for key in ("bills", "bills_past", "recurrences"):
        yield _row(key, facts, typical(samples[key]))
    yield target("page of 50 bills, with a year against without", ratio(samples, "bills_year", "bills"), YEAR_MAX)
    yield target("page of 50 bills, with a past year against without", ratio(samples, "bills_past", "bills"), YEAR_MAX)
    planned = ratio(samples, "recurrences", "accounts")
    yield target("page of 50 recurrences against 50 accounts", planned, RECURRENCES_MAX)


def flat(measuring: Measuring, servers: Sequence[tuple[Facts, Server]], keys: Sequence[str]) -> Iterator[Row | Target]:
    """The same requests on all books should cost the same; of bounded ones, those on the two largest."""
    subjects = [Served(str(facts.transactions), server, facts) for facts, server in servers]
    for key in keys:
        yield from _flat(measuring, key, subjects)


def _flat(measuring: Measuring, key: str, subjects: Sequence[Served]) -> Iterator[Row | Target]:
    samples = measuring.samples([Trial(subject.name, NAMED[key], subject) for subject in subjects])
    for subject in subjects:
        yield _row(key, subject.facts, typical(samples[subject.name]))
    is_bounded = key in _BOUNDED
    small, large = subjects[-2 if is_bounded else 0].name, subjects[-1].name
    name = f"{NAMED[key].name}: {large} against {small} transactions"
    yield target(name, ratio(samples, large, small), BOUNDED_MAX if is_bounded else FLAT_MAX)
    if key in CPU_MS_MAX:
        worst = max(typical(samples[subject.name]).cpu_us for subject in subjects)
        yield target(f"{NAMED[key].name}, CPU ms", worst / 1000, CPU_MS_MAX[key])


def creates(measuring: Measuring, made: Books, folder: Path) -> Iterator[Row | Target]:
    """Three servers, each on a copy of the same books."""
    trials = []
    with ExitStack() as stack:
        for name, put in (("nothing", None), ("200 bills", furnish.bills), ("200 rules", furnish.rules)):
            copy = folder / f"create-{name.replace(' ', '-')}.sqlite3"
            shutil.copyfile(made.path, copy)
            running = farthing(f"sqlite:///{copy}", folder / copy.stem, token=made.facts.token)
            served = Served(name, stack.enter_context(running), made.facts)
            if put:
                put(served.server.endpoint, made.facts)
            trials.append(Trial(name, NAMED["create"], served))
        samples = measuring.samples(trials)
    for name in ("200 bills", "200 rules"):
        yield _row("create", made.facts, typical(samples[name]), present=name)
    yield target("create with 200 bills against none", ratio(samples, "200 bills", "nothing"), BILLS_MAX)
    added = _median_difference(samples["200 rules"], samples["nothing"])
    yield target("what 200 rules add to a create, CPU µs", added, RULES_US_MAX)


def _median_difference(more: list[Sample], less: list[Sample]) -> float:
    return median(one.cpu_us - other.cpu_us for one, other in zip(more, less, strict=True))


def _row(key: str, facts: Facts, figures: Sample, present: str = "") -> Row:
    return Row.of(
        figures,
        line=f"{key} with {present}" if present else key,
        name=f"{NAMED[key].name}, {present} present" if present else NAMED[key].name,
        database="sqlite",
        transactions=facts.transactions,
        workers=1,
    )
