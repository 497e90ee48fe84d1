"""Measures one thing against another in short alternating bursts, so that a busy machine slows all of them alike."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Protocol

import msgspec

from .books import Facts
from .driver import Endpoint, burst
from .lines import Line
from .processes import Server, cpu_ns, environment, family

# The kernel accounts CPU time when a process pauses and at its ticks: a very short burst can seem to have cost nothing,
# and what costs nothing cannot be compared.
LEAST_US = 0.1


@dataclass(frozen=True)
class Sample:
    """One burst. Latencies and throughput are a client's; the raw floor has no clients."""

    cpu_us: float
    per_second: float = 0
    p50_ms: float = 0
    p95_ms: float = 0
    p99_ms: float = 0


class Subject(Protocol):
    name: str

    def burst(self, line: Line, seconds: float) -> Sample: ...


# Reads the CPU time of a separate database server; SQLite's is part of the process that uses it.
DatabaseClock = Callable[[], int]


def no_database_server() -> int:
    return 0


@dataclass
class Served:
    """A server under load, Farthing or the bare app."""

    name: str
    server: Server
    facts: Facts
    database_clock: DatabaseClock = no_database_server
    fixed: bool = False
    """Always the same request: the bare app knows only one answer of each line."""

    def __post_init__(self) -> None:
        self._numbers = count()
        self._clocks = family(self.server.process.pid)

    def burst(self, line: Line, seconds: float) -> Sample:
        requests = line.requests(self.server.endpoint, self.facts, next(self._numbers) * 10_000)
        if self.fixed:
            requests = _always(next(line.requests(self.server.endpoint, self.facts, 0)))
        before = self._cpu_ns()
        load = burst(self.server.endpoint, requests, seconds)
        used = self._cpu_ns() - before
        number = len(load.latencies_ns)
        cuts = quantiles(load.latencies_ns, n=100) if number > 1 else load.latencies_ns * 99
        return Sample(
            cpu_us=us_per_call(used, number),
            per_second=number / load.seconds,
            p50_ms=cuts[49] / 1e6,
            p95_ms=cuts[94] / 1e6,
            p99_ms=cuts[98] / 1e6,
        )

    def _cpu_ns(self) -> int:
        return sum(map(cpu_ns, self._clocks)) + self.database_clock()


def us_per_call(used_ns: int, calls: int) -> float:
    return max(used_ns / calls / 1e3, LEAST_US)


def _always(request: bytes) -> Iterator[bytes]:
    while True:
        yield request


@dataclass
class RawProcess:
    """The floor without HTTP, in a separate process controlled through a pipe."""

    name: str
    process: subprocess.Popen[bytes]
    database_clock: DatabaseClock = no_database_server
    # Other objects than those the servers use at the same time, as far as there are others.
    first: int = 5_000_000
    _numbers: Iterator[int] = field(default_factory=count)

    def burst(self, line: Line, seconds: float) -> Sample:
        first = self.first + next(self._numbers) * 10_000
        before = self.database_clock()
        told = msgspec.json.decode(self._ask(line, first, seconds), type=dict[str, int])
        used = told["cpu_ns"] + self.database_clock() - before
        return Sample(cpu_us=us_per_call(used, told["calls"]))

    def answer(self, line: Line, number: int) -> bytes:
        return self._ask(line, number, 0)

    def _ask(self, line: Line, first: int, seconds: float) -> bytes:
        assert self.process.stdin
        assert self.process.stdout
        order = {"line": line.key, "first": first, "seconds": seconds}
        self.process.stdin.write(msgspec.json.encode(order) + b"\n")
        self.process.stdin.flush()
        told = self.process.stdout.readline()
        if not told:
            raise RuntimeError("the raw floor ended before its time")
        return told.rstrip(b"\n")


@contextmanager
def raw(
    name: str, url: str, facts: Path, endpoint: Endpoint, clock: DatabaseClock = no_database_server
) -> Iterator[RawProcess]:
    words = [sys.executable, "-m", "bench.raw", url, str(facts), f"http://{endpoint.host}:{endpoint.port}"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment({}))
    with process:
        yield RawProcess(name, process, clock)
        assert process.stdin
        process.stdin.close()


Samples = dict[str, list[Sample]]


@dataclass(frozen=True)
class Trial:
    """One line on one subject; its samples are stored under the name."""

    name: str
    line: Line
    subject: Subject


def run_interleaved(trials: Sequence[Trial], *, rounds: int, seconds: float) -> Samples:
    """Each round runs everything once, starting with another trial; the first round only warms up."""
    samples: Samples = {trial.name: [] for trial in trials}
    for number in range(rounds + 1):
        turn = number % len(trials)
        for trial in (*trials[turn:], *trials[:turn]):
            sample = trial.subject.burst(trial.line, seconds)
            if number:
                samples[trial.name].append(sample)
    return samples


def typical(samples: list[Sample]) -> Sample:
    """The median of each figure."""
    names = Sample.__dataclass_fields__
    return Sample(**{name: median(getattr(sample, name) for sample in samples) for name in names})


def ratio(samples: Samples, subject: str, *floors: str) -> float:
    """CPU time relative to the sum of the floors, per round: a slow machine slows all of them in the same round."""
    rounds = zip(samples[subject], *(samples[floor] for floor in floors), strict=True)
    return median(own.cpu_us / sum(floor.cpu_us for floor in under) for own, *under in rounds)
