"""The command `python -m bench`: measures, shows the figures and compares them with the committed table."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from . import report, results, version6
from .books import CACHE, SIZES
from .comparisons import FLAT
from .lines import LINES
from .results import COMMITTED, Table
from .run import Plan, run

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
_BEGIN, _END = "<!-- table: begin -->", "<!-- table: end -->"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures Farthing against two floors.")
    parser.add_argument(
        "--sizes", type=_numbers, default=SIZES, help="numbers of transactions, ascending: 10000,100000"
    )
    parser.add_argument("--rounds", type=int, default=9, help="how often each thing has its turn")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a turn takes")
    parser.add_argument("--starts", type=int, default=5, help="how often the start is timed")
    parser.add_argument("--lines", default="", help="only these, without the rest: create,update")
    parser.add_argument("--no-postgres", action="store_true", help="SQLite alone")
    parser.add_argument("--keep", action="store_true", help="make the outcome the committed table, in the docs too")
    chosen = parser.parse_args()
    if chosen.keep and chosen.lines:
        parser.error("only a whole table is kept")
    return chosen


def _plan(chosen: argparse.Namespace, console: Console) -> Plan:
    return Plan(
        sizes=chosen.sizes,
        rounds=chosen.rounds,
        seconds=chosen.seconds,
        starts=chosen.starts,
        cache=CACHE,
        with_postgres=not chosen.no_postgres,
        tell=lambda step: console.print(f"[dim]{step}[/]", highlight=False),
        lines=tuple(line for line in LINES if not chosen.lines or line.key in chosen.lines.split(",")),
        others=not chosen.lines,
        flat=tuple(key for key in FLAT if key in chosen.lines.split(",")),
        version6=tuple(key for key in version6.KEYS if not chosen.lines or key in chosen.lines.split(",")),
    )


def _keep(table: Table) -> None:
    results.write(table, COMMITTED)
    before, _, rest = PAGE.read_text().partition(_BEGIN)
    after = rest.partition(_END)[2]
    PAGE.write_text(f"{before}{_BEGIN}\n\n{report.as_markdown(table)}\n\n{_END}{after}")


def main() -> None:
    chosen = _arguments()
    machine = results.machine()
    outcome = run(_plan(chosen, Console(stderr=True)))
    table = results.table(outcome.rows, outcome.targets, machine | outcome.versions)
    report.show(table, results.read(COMMITTED), Console(width=None if sys.stdout.isatty() else 180))
    results.write(table, CACHE / "latest.json")
    if chosen.keep:
        _keep(table)


if __name__ == "__main__":
    main()
