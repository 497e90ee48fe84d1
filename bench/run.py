"""Runs the benchmark: makes the books, starts every server and floor, then measures line by line in turns."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from farthing.care.doctor import examine
from farthing.storage import migrations
from farthing.storage.drivers.sqlite import SqliteDatabase

from . import books, comparisons, files, firing, painting, postgres, targets, version6
from .bare import answer_of
from .books import Books, Facts
from .driver import Endpoint, ask, body_of
from .importing.run import ImportPlan, measure_postgres, measure_sqlite
from .lines import LINES, Line
from .measure import RawProcess, Samples, Served, Subject, Trial, ratio, raw, run_interleaved, typical
from .processes import Server, bare, family_cpu_ns, farthing
from .results import Row, Target


@dataclass(frozen=True)
class Plan:
    """`sizes` go from the smallest books to the largest; only the largest are measured with every number of `workers`.

    `tell` reports progress. Without `others`, only the lines with floors are measured, and those named in `flat`.
    """

    sizes: tuple[int, ...]
    rounds: int
    seconds: float
    starts: int
    cache: Path
    with_postgres: bool
    tell: Callable[[str], None]
    workers: tuple[int, ...] = (1, 2)
    lines: tuple[Line, ...] = LINES
    others: bool = True
    flat: tuple[str, ...] = ()
    version6: tuple[str, ...] = version6.KEYS
    file_rounds: int = 5
    users: int = firing.USERS
    imports: ImportPlan = ImportPlan()  # noqa: RUF009 -- frozen


@dataclass
class Outcome:
    rows: list[Row] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)

    def take(self, found: Iterable[Row | Target]) -> None:
        for one in found:
            if isinstance(one, Row):
                self.rows.append(one)
            else:
                self.targets.append(one)


def run(plan: Plan) -> Outcome:
    made = [books.ready(plan.cache, size, _loading(plan, size)) for size in plan.sizes]
    outcome = Outcome()
    with _folder(plan) as folder:
        _sqlite(plan, made, folder, outcome)
        if plan.with_postgres:
            _postgres(plan, made[-1], folder, outcome)
    return outcome


def _loading(plan: Plan, size: int) -> Callable[[int], None]:
    return lambda done: plan.tell(f"making books of {size} transactions: {done * 100 // size} %")


@contextmanager
def _folder(plan: Plan) -> Iterator[Path]:
    """Measures fresh copies and deletes them, so that the cached books stay as they were made."""
    folder = plan.cache / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


class Arena:
    """Everything that takes turns on one kind of database."""

    def __init__(self, plan: Plan, folder: Path, database: str, clock: Callable[[], int] = lambda: 0) -> None:
        self._plan = plan
        self._folder = folder
        self._database = database
        self._clock = clock
        self._stack = ExitStack()
        self._subjects: list[Subject] = []
        self._measured: list[tuple[str, str, int, int]] = []
        self.servers: dict[tuple[int, int], Server] = {}

    def __enter__(self) -> "Arena":
        return self

    def __exit__(self, *failure: Any) -> None:
        self._stack.close()

    def add(self, url: str, facts: Facts, workers: tuple[int, ...]) -> None:
        """Adds a server for each number of workers, and the raw floor on the same books."""
        size = facts.transactions
        for number in workers:
            folder = self._folder / f"{self._database}-{size}-{number}"
            started = self._stack.enter_context(farthing(url, folder, token=facts.token, workers=number))
            self.servers[size, number] = started
            self._measured.append((f"{size}/{number}", f"raw {size}", size, number))
            self._serve(f"{size}/{number}", started, facts, self._clock)
        self._raw(url, facts)

    def _serve(self, name: str, server: Server, facts: Facts, clock: Callable[[], int], *, fixed: bool = False) -> None:
        self._subjects.append(Served(name, server, facts, clock, fixed))

    def _raw(self, url: str, facts: Facts) -> None:
        beside = self._folder / f"{facts.transactions}.json"
        beside.write_bytes(msgspec.json.encode(facts))
        endpoint = self.servers[facts.transactions, 1].endpoint
        floor = self._stack.enter_context(raw(f"raw {facts.transactions}", url, beside, endpoint, self._clock))
        _refuse_difference(endpoint, facts, floor, self._plan.lines)
        self._subjects.append(floor)

    def add_bare(self, facts: Facts) -> None:
        """Floor (a) sends the answers that Farthing gave on the largest books."""
        path = self._folder / "answers"
        endpoint = self.servers[facts.transactions, 1].endpoint
        answers = {}
        for line in self._plan.lines:
            asked = line.ask(facts, 0)
            where, _, query = asked.path.partition("?")
            received = ask(endpoint, endpoint.request(asked.method, asked.path, asked.body))
            answers[f"{asked.method} {where}?{query}"] = answer_of(received)
        path.write_bytes(msgspec.msgpack.encode(answers))
        server = self._stack.enter_context(bare(path, self._folder / "bare", facts.token))
        self._serve("bare", server, facts, lambda: 0, fixed=True)

    def measure(self) -> dict[str, Samples]:
        samples = {}
        for line in self._plan.lines:
            self._plan.tell(f"{self._database}: {line.name}")
            trials = [Trial(subject.name, line, subject) for subject in self._subjects]
            samples[line.key] = run_interleaved(trials, rounds=self._plan.rounds, seconds=self._plan.seconds)
        return samples

    def rows(self, samples: dict[str, Samples]) -> Iterator[Row]:
        for line in self._plan.lines:
            for served, floor, size, workers in self._measured:
                yield self._row(line, samples[line.key], served, floor, size, workers)

    def _row(self, line: Line, samples: Samples, served: str, floor: str, size: int, workers: int) -> Row:
        return Row.of(
            typical(samples[served]),
            line=line.key,
            name=line.name,
            database=self._database,
            transactions=size,
            workers=workers,
            bare_us=round(typical(samples["bare"]).cpu_us, 1),
            raw_us=round(typical(samples[floor]).cpu_us, 1),
            ratio=round(ratio(samples, served, "bare", floor), 3),
        )


def _refuse_difference(endpoint: Endpoint, facts: Facts, floor: RawProcess, lines: Iterable[Line]) -> None:
    """A floor with a different answer would be no floor."""
    for line in lines:
        asked = line.ask(facts, 0)
        body = body_of(ask(endpoint, endpoint.request(asked.method, asked.path, asked.body)))
        alone = floor.answer(line, 0)
        same = _without_ids(body) == _without_ids(alone) if line.writes else body == alone
        assert same, f"the raw floor answers differently to {line.name}:\n{body!r}\n{alone!r}"


def _without_ids(body: bytes) -> list[Any]:
    """What two creations of the same thing have in common."""
    own = ("journal_id", "created_at", "updated_at")
    things = msgspec.json.decode(body)["data"]
    return [{name: value for name, value in one["attributes"].items() if name not in own} for one in things]


def _sqlite(plan: Plan, made: list[Books], folder: Path, outcome: Outcome) -> None:
    copies = {}
    for one in made:
        copies[one.facts.transactions] = copy = folder / one.path.name
        shutil.copyfile(one.path, copy)
    largest = made[-1].facts
    measuring = comparisons.Measuring(plan.rounds, plan.seconds, plan.tell)
    with Arena(plan, folder, "sqlite") as arena:
        for one in made:
            workers = plan.workers if one.facts is largest else (1,)
            arena.add(f"sqlite:///{copies[one.facts.transactions]}", one.facts, workers)
        arena.add_bare(largest)
        samples = arena.measure()
        outcome.rows += arena.rows(samples)
        outcome.take(targets.sqlite(outcome.rows, samples, plan.sizes, plan.lines))
        servers = [(one.facts, arena.servers[one.facts.transactions, 1]) for one in made]
        outcome.take(
            comparisons.lists(measuring, servers) if plan.others else comparisons.flat(measuring, servers, plan.flat)
        )
        outcome.take(version6.compare(measuring, servers, plan.version6))
    _refuse_drift(copies[plan.sizes[0]], plan.sizes[0])
    if plan.others:
        outcome.take(comparisons.creates(measuring, made[0], folder))
        outcome.take(_firing(plan, folder))
        outcome.take(_painting(plan, made, copies, folder))
    outcome.take(_alone(plan, f"sqlite:///{copies[largest.transactions]}", folder, largest))
    if plan.others:
        plan.tell(f"imports of {plan.imports.rows} rows")
        outcome.take(measure_sqlite(plan.imports, made, copies, folder))


def _painting(plan: Plan, made: list[Books], copies: dict[int, Path], folder: Path) -> Iterator[Target]:
    for facts in (one.facts for one in made if one.facts.transactions == painting.TRANSACTIONS):
        plan.tell("the dashboard in a browser")
        yield from painting.measure_painting(
            f"sqlite:///{copies[facts.transactions]}", folder / "painting", facts.token
        )


def _refuse_drift(path: Path, size: int) -> None:
    """After all writes, by Farthing and by the floor, the smallest books must still be consistent."""
    if size <= books.EXAMINED_MAX:
        database = SqliteDatabase(path)
        findings = list(examine(database))
        database.close()
        assert not findings, findings[:5]


def _firing(plan: Plan, folder: Path) -> Iterator[Target]:
    """A tenth of the users have something due; then ten times as many idle users, and a long absence."""
    plan.tell("recurrences that fire")
    with _empty(folder / "firing.sqlite3") as database:
        runs = firing.daily_runs(database, plan.users, plan.users // 10)
    with _empty(folder / "absence.sqlite3") as database:
        late = firing.catching_up(database, plan.users // 5)
    yield from targets.firing(runs, late)


@contextmanager
def _empty(path: Path) -> Iterator[SqliteDatabase]:
    database = SqliteDatabase(path)
    migrations.migrate(database)
    try:
        yield database
    finally:
        database.close()


def _alone(plan: Plan, url: str, folder: Path, facts: Facts) -> Iterator[Row | Target]:
    """What needs a server with the machine to itself: start time, memory, and files."""
    plan.tell("starting the server")
    seconds = []
    for number in range(1, plan.starts):
        with farthing(url, folder / f"start-{number}", token=facts.token) as server:
            seconds.append(server.start_s)
    with farthing(url, folder / "alone", token=facts.token) as server:
        yield targets.start(median([*seconds, server.start_s]), facts.transactions)
        served = Served("alone", server, facts)
        for line in plan.lines:
            served.burst(line, plan.seconds)
        yield targets.memory(server.proportional_bytes())
        yield targets.counting()
        if plan.others:
            plan.tell(f"files of {files.MEBIBYTES} MiB")
            yield from files.measure(server, facts, folder, plan.file_rounds)


def _postgres(plan: Plan, largest: Books, folder: Path, outcome: Outcome) -> None:
    with postgres.server(plan.cache) as running:
        if running is None:
            plan.tell("PostgreSQL is not installed, and is left out")
            return
        url = postgres.ready(running, largest, lambda step: plan.tell(f"books into PostgreSQL: {step}"))
        with Arena(plan, folder, "postgresql", _clock_of(postgres.postmaster(running))) as arena:
            arena.add(url, largest.facts, plan.workers)
            arena.add_bare(largest.facts)
            rows = list(arena.rows(arena.measure()))
        outcome.rows += rows
        outcome.take(targets.postgresql(rows, plan.lines))
        if plan.others:
            plan.tell("imports into PostgreSQL")
            clock = _clock_of(postgres.postmaster(running))
            outcome.take(measure_postgres(plan.imports, url, largest.facts, folder, clock))
        outcome.versions["postgresql"] = postgres.version(running)


def _clock_of(pid: int) -> Callable[[], int]:
    """The CPU time of the whole database server, whose processes come and go."""
    return lambda: family_cpu_ns(pid)
