"""What can one user do to the others?

    python -m bench.fairness [--transactions 20000] [--seconds 8] [--attacks reports,charts] [--no-postgres]

While one ordinary user attacks a real server, another one goes on as before. For each attack: how many times as long the
other's answers take as without it (the median, of the thing that suffers most), and the longest in seconds; that of a
sign-in and that of the import of one row apart. The limits are 2 times, 2 seconds, 2 seconds and 10 seconds.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from msgspec import Struct
from tests.postgres import start_postgres

from .. import postgres
from ..driver import Endpoint
from ..processes import Server, cpu_ns, farthing
from .attacks import ATTACKS, Attack
from .load import sending
from .people import People, settle
from .probes import IMPORT, SIGN_IN, measure

TIMES_MAX, WORST_S_MAX, SIGN_IN_S_MAX, IMPORT_S_MAX = 2.0, 2.0, 2.0, 10.0
_HEAD = "| database | attack | median × | of | worst s | of | sign-in s | import s | |"
_SETTLE_S = 1.0
Times = dict[str, list[float]]


class Suffering(Struct, frozen=True):
    """What the other user notices of an attack."""

    times: float
    slowed: str
    worst_s: float
    slowest: str
    sign_in_s: float
    import_s: float

    @property
    def is_fair(self) -> bool:
        is_quick = self.times <= TIMES_MAX and self.worst_s <= WORST_S_MAX
        return is_quick and self.sign_in_s <= SIGN_IN_S_MAX and self.import_s <= IMPORT_S_MAX


def compare(before: Times, meanwhile: Times) -> Suffering:
    worst = {name: max(times) for name, times in meanwhile.items() if times}
    sign_in_s, import_s = worst.pop(SIGN_IN), worst.pop(IMPORT)
    ratios = {name: median(meanwhile[name]) / median(before[name]) for name in worst}
    slowed, slowest = max(ratios, key=ratios.__getitem__), max(worst, key=worst.__getitem__)
    return Suffering(ratios[slowed], slowed, worst[slowest], slowest, sign_in_s, import_s)


def measure_all(kind: str, url: str, people: People, plan: argparse.Namespace) -> bool:
    """A server of its own for each attack: what one leaves behind should not count against the next."""
    is_fair = True
    for attack in plan.attacks:
        with tempfile.TemporaryDirectory() as folder, farthing(url, Path(folder), token=people.other.token) as server:
            suffering = _measure(server, people, attack, plan)
        is_fair &= suffering.is_fair
        print(
            f"| {kind} | {attack.name} | {suffering.times:.1f} | {suffering.slowed} | {suffering.worst_s:.2f} | "
            f"{suffering.slowest} | {suffering.sign_in_s:.2f} | {suffering.import_s:.2f} | {'' if suffering.is_fair else '**unfair**'} |",
            flush=True,
        )
    return is_fair


def _measure(server: Server, people: People, attack: Attack, plan: argparse.Namespace) -> Suffering:
    endpoint, pid = server.endpoint, server.process.pid
    theirs = Endpoint(endpoint.host, endpoint.port, people.attacker.facts.token)
    clock = (lambda: cpu_ns(pid) / 1e9) if plan.cpu else perf_counter
    measure(endpoint, people.other, _SETTLE_S, clock)
    before = measure(endpoint, people.other, plan.seconds / 2, clock)
    requests = attack.prepare(theirs, people.attacker)
    with sending(theirs, requests, attack.connections, attack.hangs_up_s):
        measure(endpoint, people.other, _SETTLE_S, clock)
        return compare(before, measure(endpoint, people.other, plan.seconds, clock))


@contextmanager
def _databases(people: People, *, with_postgres: bool) -> Iterator[dict[str, str]]:
    urls = {"sqlite": f"sqlite:///{people.file}"}
    running = start_postgres() if with_postgres else None
    try:
        if running:
            urls["postgresql"] = running.new_database()
            postgres.fill(urls["postgresql"], people.file)
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
        "--cpu", action="store_true", help="on a busy machine: count the server's processor time, not the clock"
    )
    parser.add_argument("--no-postgres", action="store_true")
    plan = parser.parse_args()
    plan.attacks = [one for one in ATTACKS if any(word in one.name for word in plan.attacks.split(","))]
    return plan


def main() -> None:
    plan = _read_plan()
    with tempfile.TemporaryDirectory() as folder:
        people = settle(Path(folder), plan.transactions)
        with _databases(people, with_postgres=not plan.no_postgres) as urls:
            print(f"{_HEAD}\n{'| --- ' * 9}|", flush=True)
            outcomes = [measure_all(kind, url, people, plan) for kind, url in urls.items() if plan.database in kind]
    sys.exit(not all(outcomes))


if __name__ == "__main__":
    main()
