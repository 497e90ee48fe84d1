"""`python -m bench`: measure, show, compare. `--help` lists what can be chosen."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from . import report, results
from .results import COMMITTED
from .run import Plan, run

CACHE = Path(__file__).parent / "cache"
SIZES = (10_000, 100_000, 1_000_000)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures Farthing against two floors.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of transactions, ascending")
    parser.add_argument("--rounds", type=int, default=9, help="how often each thing has its turn")
    parser.add_argument("--seconds", type=float, default=0.4, help="how long a turn takes")
    parser.add_argument("--starts", type=int, default=5, help="how often the start is timed")
    parser.add_argument("--no-postgres", action="store_true", help="SQLite alone")
    parser.add_argument("--keep", action="store_true", help="make the outcome the committed table")
    return parser.parse_args()


def _plan(chosen: argparse.Namespace, console: Console) -> Plan:
    return Plan(
        sizes=tuple(chosen.sizes),
        rounds=chosen.rounds,
        seconds=chosen.seconds,
        starts=chosen.starts,
        cache=CACHE,
        with_postgres=not chosen.no_postgres,
        tell=lambda step: console.print(f"[dim]{step}[/]", highlight=False),
    )


def main() -> None:
    chosen = _arguments()
    machine = results.machine()
    outcome = run(_plan(chosen, Console(stderr=True)))
    table = results.table(outcome.rows, outcome.targets, machine | outcome.versions)
    report.show(table, results.read(COMMITTED), Console(width=None if sys.stdout.isatty() else 180))
    results.write(table, COMMITTED if chosen.keep else CACHE / "latest.json")


if __name__ == "__main__":
    main()
