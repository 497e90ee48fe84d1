"""How does a run go? Books made ready, every server and floor started, then line by line in turns."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from farthing.doctor import examine
from farthing.storage.sqlite import SqliteDatabase

from . import books, postgres, targets
from .bare import answer_of
from .books import Books, Facts
from .driver import Endpoint, ask
from .lines import LINES, Line
from .measure import RawProcess, Samples, Served, Subject, interleaved, ratio, raw, typical
from .processes import Server, bare, cpu_ns, family, farthing
from .results import Row, Target


@dataclass(frozen=True)
class Plan:
    """`sizes` go from the smallest books to the largest, which alone meet all numbers of `workers`, one always.

    `tell` is called with what is being done.
    """

    sizes: tuple[int, ...]
    rounds: int
    seconds: float
    starts: int
    cache: Path
    with_postgres: bool
    tell: Callable[[str], None]
    workers: tuple[int, ...] = (1, 2)


@dataclass
class Outcome:
    rows: list[Row] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)


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
    """Fresh copies are measured and thrown away: the books in the cache stay as they were made."""
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
        """A server for each number of workers, and the raw floor of the same books."""
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
        _refuse_difference(endpoint, facts, floor)
        self._subjects.append(floor)

    def add_bare(self, facts: Facts) -> None:
        """Floor (a) gives the answers that Farthing gave on the largest books."""
        path = self._folder / "answers"
        endpoint = self.servers[facts.transactions, 1].endpoint
        answers = {}
        for line in LINES:
            asked = line.ask(facts, 0)
            where, _, query = asked.path.partition("?")
            received = ask(endpoint, endpoint.request(asked.method, asked.path, asked.body))
            answers[f"{asked.method} {where}?{query}"] = answer_of(received)
        path.write_bytes(msgspec.msgpack.encode(answers))
        server = self._stack.enter_context(bare(path, self._folder / "bare", facts.token))
        self._serve("bare", server, facts, lambda: 0, fixed=True)

    def measured(self) -> dict[str, Samples]:
        samples = {}
        for line in LINES:
            self._plan.tell(f"{self._database}: {line.name}")
            samples[line.key] = interleaved(line, self._subjects, rounds=self._plan.rounds, seconds=self._plan.seconds)
        return samples

    def rows(self, samples: dict[str, Samples]) -> Iterator[Row]:
        for line in LINES:
            for served, floor, size, workers in self._measured:
                yield self._row(line, samples[line.key], served, floor, size, workers)

    def _row(self, line: Line, samples: Samples, served: str, floor: str, size: int, workers: int) -> Row:
        figures = typical(samples[served])
        return Row(
            line=line.key,
            name=line.name,
            database=self._database,
            transactions=size,
            workers=workers,
            cpu_us=round(figures.cpu_us, 1),
            bare_us=round(typical(samples["bare"]).cpu_us, 1),
            raw_us=round(typical(samples[floor]).cpu_us, 1),
            ratio=round(ratio(samples, served, "bare", floor), 3),
            p50_ms=round(figures.p50_ms, 3),
            p95_ms=round(figures.p95_ms, 3),
            p99_ms=round(figures.p99_ms, 3),
            per_second=round(figures.per_second),
        )


def _refuse_difference(endpoint: Endpoint, facts: Facts, floor: RawProcess) -> None:
    """A floor that answers something else would be no floor."""
    for line in LINES:
        asked = line.ask(facts, 0)
        body = ask(endpoint, endpoint.request(asked.method, asked.path, asked.body)).partition(b"\r\n\r\n")[2]
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
    with Arena(plan, folder, "sqlite") as arena:
        for one in made:
            workers = plan.workers if one.facts is largest else (1,)
            arena.add(f"sqlite:///{copies[one.facts.transactions]}", one.facts, workers)
        arena.add_bare(largest)
        samples = arena.measured()
        resident = arena.servers[largest.transactions, 1].resident_bytes()
        outcome.rows += arena.rows(samples)
    _refuse_drift(copies[plan.sizes[0]], plan.sizes[0])
    seconds = _start_seconds(plan, copies[largest.transactions], folder, largest)
    outcome.targets += targets.sqlite(outcome.rows, samples, plan.sizes, start_s=seconds, resident_bytes=resident)


def _refuse_drift(path: Path, size: int) -> None:
    """After all that was written, by Farthing and by the floor, the smallest books are still in order."""
    if size <= books.EXAMINED_MAX:
        database = SqliteDatabase(path)
        findings = list(examine(database))
        database.close()
        assert not findings, findings[:5]


def _start_seconds(plan: Plan, path: Path, folder: Path, facts: Facts) -> float:
    plan.tell("starting the server")
    seconds = []
    for number in range(plan.starts):
        with farthing(f"sqlite:///{path}", folder / f"start-{number}", token=facts.token) as server:
            seconds.append(server.start_s)
    return median(seconds)


def _postgres(plan: Plan, largest: Books, folder: Path, outcome: Outcome) -> None:
    with postgres.server(plan.cache) as running:
        if running is None:
            plan.tell("PostgreSQL is not installed, and is left out")
            return
        url = postgres.ready(running, largest, lambda step: plan.tell(f"books into PostgreSQL: {step}"))
        with Arena(plan, folder, "postgresql", _clock_of(postgres.postmaster(running))) as arena:
            arena.add(url, largest.facts, plan.workers)
            arena.add_bare(largest.facts)
            rows = list(arena.rows(arena.measured()))
        outcome.versions["postgresql"] = postgres.version(running)
    outcome.rows += rows
    outcome.targets += targets.postgresql(rows)


def _clock_of(pid: int) -> Callable[[], int]:
    """The CPU of the whole database server, whose processes come and go."""
    return lambda: sum(map(cpu_ns, family(pid)))
