"""What can one user do to the others?

    python -m bench.fairness [--transactions 20000] [--seconds 8] [--attacks reports,charts] [--no-postgres]
    python -m bench.fairness --recurrences

While one ordinary user attacks a real server, another one goes on as before. For each attack: how many times as long the
other's answers take as without it (the median, of the thing that suffers most), and the longest in seconds; that of a
sign-in and that of the import of one row apart. The limits are 2 times, 2 seconds, 2 seconds and 10 seconds.
The second form measures how late a due recurrence is booked; its limit is 60 seconds.

An attack takes processor time for itself, and for what the attacker is rightly served, wherever it goes. So the same
attack is sent to a second server with a copy of the books as well, while the other user goes on with the first: what
they notice of that is the machine's, and no mechanism of the server could spare them it. The last ratio compares both.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from msgspec import Struct
from tests.postgres import start_postgres

from .. import postgres
from ..driver import Endpoint
from ..processes import Server, farthing
from . import recurrences
from .attacks import ATTACKS, Attack
from .load import sending
from .people import People, settle
from .probes import IMPORT, SIGN_IN, Taken, Times, measure
from .recurrences import DayClock

TIMES_MAX, WORST_S_MAX, SIGN_IN_S_MAX, IMPORT_S_MAX = 2.0, 2.0, 2.0, 10.0
LATE_S_MAX = 60.0
_COLUMNS = (
    "database", "attack", "median ×", "of", "idle ms", "attacked ms", "× by the clock",
    "neighbour attacked ms", "× neighbour", "worst s", "of", "idle worst s",
    "sign-in s", "import s", "",
)  # fmt: skip
_SETTLE_S = 1.0
_DAYS = 3


class Suffering(Struct, frozen=True):
    """What the other user notices of an attack. `slowed` is what takes how many `times` as long as without it."""

    times: float
    slowed: str
    idle_s: float
    attacked_s: float
    times_by_clock: float
    beside_s: float
    worst_s: float
    slowest: str
    idle_worst_s: float
    sign_in_s: float
    import_s: float

    @property
    def times_beside(self) -> float:
        """How many times as long it takes as while the attack goes to the neighbour."""
        return self.attacked_s / self.beside_s

    @property
    def is_fair(self) -> bool:
        is_quick = min(self.times, self.times_beside) <= TIMES_MAX and self.worst_s <= WORST_S_MAX
        return is_quick and self.sign_in_s <= SIGN_IN_S_MAX and self.import_s <= IMPORT_S_MAX


def compare(before: Times, meanwhile: Times, beside: Times, *, by_cpu: bool) -> Suffering:
    """How many times as long is by the clock or by the processor time of the server; the longest are by the clock."""
    worst = {name: _worst_s(times) for name, times in meanwhile.items()}
    sign_in_s, import_s = worst.pop(SIGN_IN), worst.pop(IMPORT)
    by_clock = {name: _median_s(meanwhile[name]) / _median_s(before[name]) for name in worst}
    by_processor = {name: _median_s(meanwhile[name], "cpu_s") / _median_s(before[name], "cpu_s") for name in worst}
    ratios = by_processor if by_cpu else by_clock
    slowed, slowest = max(ratios, key=ratios.__getitem__), max(worst, key=worst.__getitem__)
    return Suffering(
        times=ratios[slowed],
        slowed=slowed,
        idle_s=_median_s(before[slowed], "cpu_s" if by_cpu else "wall_s"),
        attacked_s=_median_s(meanwhile[slowed], "cpu_s" if by_cpu else "wall_s"),
        times_by_clock=max(by_clock.values()),
        beside_s=_median_s(beside[slowed], "cpu_s" if by_cpu else "wall_s"),
        worst_s=worst[slowest],
        slowest=slowest,
        idle_worst_s=max(_worst_s(before[name]) for name in worst),
        sign_in_s=sign_in_s,
        import_s=import_s,
    )


def _median_s(times: list[Taken], clock: str = "wall_s") -> float:
    return median(getattr(taken, clock) for taken in times)


def _worst_s(times: list[Taken]) -> float:
    return max(taken.wall_s for taken in times)


def measure_all(kind: str, urls: list[str], people: People, plan: argparse.Namespace) -> bool:
    """A server of its own for each attack: what one leaves behind should not count against the next."""
    is_fair = True
    for attack in plan.attacks:
        with tempfile.TemporaryDirectory() as folder, _two_servers(urls, Path(folder), people) as (server, neighbour):
            suffering = _measure(server, neighbour, people, attack, plan)
        is_fair &= suffering.is_fair
        print(_show(kind, attack, suffering), flush=True)
    return is_fair


@contextmanager
def _two_servers(urls: list[str], folder: Path, people: People) -> Iterator[list[Server]]:
    with ExitStack() as running:
        yield [
            running.enter_context(farthing(url, folder / str(number), token=people.other.token))
            for number, url in enumerate(urls)
        ]


def measure_recurrences(kind: str, url: str, people: People, plan: argparse.Namespace) -> bool:
    """Measures how late a due recurrence of the other user is booked during each attack."""
    is_fair = True
    for attack in plan.attacks:
        with tempfile.TemporaryDirectory() as folder:
            clock = DayClock(Path(folder))
            with farthing(url, Path(folder), token=people.other.token, **clock.settings) as server:
                late_s = _measure_lateness_s(server, people, attack, clock)
        is_fair &= late_s <= LATE_S_MAX
        print(f"| {kind} | {attack.name} | {late_s:.2f} | {'' if late_s <= LATE_S_MAX else '**unfair**'} |", flush=True)
    return is_fair


def _measure_lateness_s(server: Server, people: People, attack: Attack, clock: DayClock) -> float:
    endpoint = server.endpoint
    recurrence_id = recurrences.create_daily(endpoint, people.other, clock)
    theirs = Endpoint(endpoint.host, endpoint.port, people.attacker.facts.token)
    requests = attack.prepare(theirs, people.attacker)
    with sending(theirs, requests, attack.connections, attack.hangs_up_s):
        time.sleep(_SETTLE_S)
        return recurrences.measure_lateness_s(endpoint, recurrence_id, clock, _DAYS)


def _show(kind: str, attack: Attack, it: Suffering) -> str:
    in_ms = f"{it.idle_s * 1000:.1f} | {it.attacked_s * 1000:.1f} | {it.times_by_clock:.1f}"
    beside = f"{it.beside_s * 1000:.1f} | {it.times_beside:.1f}"
    worst = f"{it.worst_s:.2f} | {it.slowest} | {it.idle_worst_s:.2f} | {it.sign_in_s:.2f} | {it.import_s:.2f}"
    verdict = "" if it.is_fair else "**unfair**"
    return f"| {kind} | {attack.name} | {it.times:.1f} | {it.slowed} | {in_ms} | {beside} | {worst} | {verdict} |"


def _measure(server: Server, neighbour: Server, people: People, attack: Attack, plan: argparse.Namespace) -> Suffering:
    measure(server, people.other, _SETTLE_S)
    before = measure(server, people.other, plan.seconds / 2)
    beside = _measure_during(server, neighbour, people, attack, plan.seconds / 2)
    meanwhile = _measure_during(server, server, people, attack, plan.seconds)
    return compare(before, meanwhile, beside, by_cpu=plan.cpu)


def _measure_during(server: Server, attacked: Server, people: People, attack: Attack, seconds: float) -> Times:
    """Measures what the other user of `server` notices while `attacked` is attacked."""
    theirs = Endpoint(attacked.endpoint.host, attacked.endpoint.port, people.attacker.facts.token)
    requests = attack.prepare(theirs, people.attacker)
    with sending(theirs, requests, attack.connections, attack.hangs_up_s):
        measure(server, people.other, _SETTLE_S)
        return measure(server, people.other, seconds)


@contextmanager
def _databases(people: People, *, with_postgres: bool) -> Iterator[dict[str, list[str]]]:
    """Gives two equal databases of each kind. Those of PostgreSQL share its server, and with it the disk."""
    copied = people.file.with_stem("neighbour")
    shutil.copy(people.file, copied)
    urls = {"sqlite": [f"sqlite:///{file}" for file in (people.file, copied)]}
    running = start_postgres() if with_postgres else None
    try:
        if running:
            urls["postgresql"] = [running.new_database() for _ in urls["sqlite"]]
            for url in urls["postgresql"]:
                postgres.fill(url, people.file)
        yield urls
    finally:
        if running:
            running.stop()


def _read_plan() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transactions", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--attacks", default="", help="only those whose name contains one of these: reports,charts")
    parser.add_argument("--database", default="", help="only this one: sqlite or postgresql")
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="on a busy machine: how many times as long by processor time, not by the clock",
    )
    parser.add_argument("--no-postgres", action="store_true")
    parser.add_argument("--recurrences", action="store_true", help="measure only how late a due recurrence is booked")
    plan = parser.parse_args()
    plan.attacks = [one for one in ATTACKS if any(word in one.name for word in plan.attacks.split(","))]
    return plan


def main() -> None:
    plan = _read_plan()
    with tempfile.TemporaryDirectory() as folder:
        people = settle(Path(folder), plan.transactions)
        with _databases(people, with_postgres=not plan.no_postgres) as urls:
            chosen = {kind: two for kind, two in urls.items() if plan.database in kind}
            if plan.recurrences:
                print("| database | attack | late by s | |\n| --- | --- | --- | --- |", flush=True)
                outcomes = [measure_recurrences(kind, first, people, plan) for kind, (first, _) in chosen.items()]
            else:
                print(f"| {' | '.join(_COLUMNS)} |\n{'| --- ' * len(_COLUMNS)}|", flush=True)
                outcomes = [measure_all(kind, two, people, plan) for kind, two in chosen.items()]
    sys.exit(not all(outcomes))


if __name__ == "__main__":
    main()
