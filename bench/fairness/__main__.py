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

from msgspec import Struct
from tests.postgres import start_postgres

from .. import postgres
from ..driver import Endpoint
from ..processes import Server, farthing
from .attacks import ATTACKS, Attack
from .load import sending
from .people import People, settle
from .probes import IMPORT, SIGN_IN, Taken, Times, measure

TIMES_MAX, WORST_S_MAX, SIGN_IN_S_MAX, IMPORT_S_MAX = 2.0, 2.0, 2.0, 10.0
_COLUMNS = (
    "database", "attack", "median ×", "of", "idle ms", "attacked ms", "× by the clock", "worst s", "of", "idle worst s",
    "sign-in s", "import s", "",
)  # fmt: skip
_SETTLE_S = 1.0


class Suffering(Struct, frozen=True):
    """What the other user notices of an attack. `slowed` is what takes how many `times` as long as without it."""

    times: float
    slowed: str
    idle_s: float
    attacked_s: float
    times_by_clock: float
    worst_s: float
    slowest: str
    idle_worst_s: float
    sign_in_s: float
    import_s: float

    @property
    def is_fair(self) -> bool:
        is_quick = self.times <= TIMES_MAX and self.worst_s <= WORST_S_MAX
        return is_quick and self.sign_in_s <= SIGN_IN_S_MAX and self.import_s <= IMPORT_S_MAX


def compare(before: Times, meanwhile: Times, *, by_cpu: bool) -> Suffering:
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


def measure_all(kind: str, url: str, people: People, plan: argparse.Namespace) -> bool:
    """A server of its own for each attack: what one leaves behind should not count against the next."""
    is_fair = True
    for attack in plan.attacks:
        with tempfile.TemporaryDirectory() as folder, farthing(url, Path(folder), token=people.other.token) as server:
            suffering = _measure(server, people, attack, plan)
        is_fair &= suffering.is_fair
        print(_show(kind, attack, suffering), flush=True)
    return is_fair


def _show(kind: str, attack: Attack, it: Suffering) -> str:
    in_ms = f"{it.idle_s * 1000:.1f} | {it.attacked_s * 1000:.1f} | {it.times_by_clock:.1f}"
    worst = f"{it.worst_s:.2f} | {it.slowest} | {it.idle_worst_s:.2f} | {it.sign_in_s:.2f} | {it.import_s:.2f}"
    verdict = "" if it.is_fair else "**unfair**"
    return f"| {kind} | {attack.name} | {it.times:.1f} | {it.slowed} | {in_ms} | {worst} | {verdict} |"


def _measure(server: Server, people: People, attack: Attack, plan: argparse.Namespace) -> Suffering:
    endpoint = server.endpoint
    theirs = Endpoint(endpoint.host, endpoint.port, people.attacker.facts.token)
    measure(server, people.other, _SETTLE_S)
    before = measure(server, people.other, plan.seconds / 2)
    requests = attack.prepare(theirs, people.attacker)
    with sending(theirs, requests, attack.connections, attack.hangs_up_s):
        measure(server, people.other, _SETTLE_S)
        return compare(before, measure(server, people.other, plan.seconds), by_cpu=plan.cpu)


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
        "--cpu",
        action="store_true",
        help="on a busy machine: how many times as long by processor time, not by the clock",
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
            print(f"| {' | '.join(_COLUMNS)} |\n{'| --- ' * len(_COLUMNS)}|", flush=True)
            outcomes = [measure_all(kind, url, people, plan) for kind, url in urls.items() if plan.database in kind]
    sys.exit(not all(outcomes))


if __name__ == "__main__":
    main()
