"""Measures imports only: `python -m bench.importing`, or with another number of rows.

On PostgreSQL it takes the smallest books, which are copied soon.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import books, postgres
from ..books import CACHE, SIZES, Books
from ..processes import family_cpu_ns
from ..results import Row, Target
from .run import ImportPlan, measure_postgres, measure_sqlite


def _tell(step: object) -> None:
    print(step, end="\r", flush=True)


def _measure(plan: ImportPlan, made: list[Books], folder: Path) -> Iterator[Row | Target]:
    copies = {}
    for one in made:
        copies[one.facts.transactions] = Path(shutil.copyfile(one.path, folder / one.path.name))
    yield from measure_sqlite(plan, made, copies, folder)
    with postgres.server(CACHE) as running:
        if running:
            url, pid = postgres.ready(running, made[0], _tell), postgres.postmaster(running)
            clock = lambda: family_cpu_ns(pid)  # noqa: E731
            yield from measure_postgres(plan, url, made[0].facts, folder, clock)


def main(rows: int = ImportPlan().rows) -> None:
    made = [books.ready(CACHE, size, _tell) for size in (SIZES[0], SIZES[-1])]
    with TemporaryDirectory(prefix="farthing-importing-", dir=CACHE) as folder:
        for one in _measure(ImportPlan(rows=rows), made, Path(folder)):
            if isinstance(one, Row):
                print(f"{one.name}, {one.database}: {one.cpu_us:.0f} µs of CPU", flush=True)
            else:
                print(f"{one.name}: {one.value:.2f}, wanted {one.wanted}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
