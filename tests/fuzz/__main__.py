"""`python -m tests.fuzz`: everything the OpenAPI document allows, and what it does not, for as long as you like."""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from farthing.identity.user import ApiVersion

from ..postgres import start_postgres
from .campaign import Tally, campaign, long
from .house import furnished

# A round begins in a fresh house: after a while most of what was there is deleted.
ROUND_S = 300


def main() -> int:
    chosen = _arguments()
    console = Console(width=None if sys.stdout.isatty() else 150)
    found = {}
    with _urls(chosen.databases.split(",")) as urls:
        for name, new_url in urls.items():
            found[name] = _rounds(new_url, chosen.seconds // len(urls), chosen.seed, console, name)
    for name, tally in found.items():
        _show(console, name, tally)
    return int(any(tally.failures or tally.errors or tally.findings for tally in found.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Asks the service odd things.")
    parser.add_argument("--seconds", type=int, default=1800, help="in all, shared by the databases")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="another one asks other things")
    parser.add_argument("--databases", default="sqlite,postgresql", help="sqlite, postgresql, or both")
    return parser.parse_args()


@contextmanager
def _urls(names: list[str]) -> "Iterator[dict[str, object]]":
    server = start_postgres() if "postgresql" in names else None
    if "postgresql" in names and server is None:
        sys.exit("PostgreSQL is not installed: pip install --group dev")
    try:
        yield {name: server.new_database if server and name == "postgresql" else str for name in names}
    finally:
        if server:
            server.stop()


def _rounds(new_url: object, seconds: int, seed: int, console: Console, name: str) -> Tally:
    tally, begun = Tally(), set[ApiVersion]()
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 1:
        with TemporaryDirectory() as folder, furnished(Path(folder), new_url()) as house:  # type: ignore[operator]
            version = tuple(ApiVersion)[seed % len(ApiVersion)]
            bounds = long(min(ROUND_S, max(1, int(left))), seed, borders=version not in begun)
            campaign(house, tally, bounds, version)
            begun.add(version)
        console.print(
            f"{name}, seed {seed}: {tally.requests} requests, {len(tally.failures)} failures", highlight=False
        )
        seed += 1
    return tally


def _show(console: Console, name: str, tally: Tally) -> None:
    kinds = ("2xx", "3xx", "4xx", "5xx")
    grid = Table("operation", "requests", *kinds, title=f"{name}: {tally.requests} requests, {tally.phases}")
    for operation, counted in sorted(tally.answers.items(), key=lambda one: one[0].split()[::-1]):
        numbers = [sum(count for status, count in counted.items() if f"{status // 100}xx" == kind) for kind in kinds]
        grid.add_row(operation, str(sum(counted.values())), *map(str, numbers))
    console.print(grid)
    for failed in tally.failures.values():
        console.print(str(failed), style="red", markup=False, highlight=False)
    for sentence in (*tally.errors, *tally.findings):
        console.print(sentence, style="red", markup=False, highlight=False)
    console.print(f"{name}: {len(tally.failures)} failures, {len(tally.findings)} findings of the doctor afterwards\n")


if __name__ == "__main__":
    sys.exit(main())
