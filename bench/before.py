"""Compares today's server with the one before idempotency keys, ETags and undo, in alternating bursts.

The old source comes from git's history, and its own code makes its books, which are identical. Both run in the same
environment, with the same libraries.
"""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import msgspec

from .books import Books, Facts
from .comparisons import Measuring
from .driver import ask, head_of
from .lines import NAMED
from .measure import Sample, Served, Trial, ratio, typical
from .processes import ROOT, environment, farthing
from .results import Row, Target, target

# The last commit before idempotency, ETags, undo and backups.
BEFORE = "8378175"
CREATE_MAX = 1.25
# No slower, apart from the noise between two runs.
READ_MAX = 1.05
_LINES = ("create", "account", "transactions")
_MAKE_BOOKS = """
import sys
from pathlib import Path
from bench.books import ready
sys.stdout.write(str(ready(Path(sys.argv[1]), int(sys.argv[2]), lambda _done: None).path))
"""


def compare(
    measuring: Measuring, made: Books, folder: Path, cache: Path, tell: Callable[[str], None]
) -> Iterator[Row | Target]:
    source = _source(cache / f"before-{BEFORE}")
    if source is None:
        tell(f"!!! git's history has no {BEFORE} here: what it cost before is left out")
        return
    tell(f"books as of {BEFORE}")
    with ExitStack() as stack:
        subjects = []
        for name, books, path in (("now", made, None), ("before", _books(source, made, cache), source)):
            copy = folder / f"{name}.sqlite3"
            shutil.copyfile(books.path, copy)
            running = farthing(f"sqlite:///{copy}", folder / name, token=books.facts.token, source=path)
            subjects.append(Served(name, stack.enter_context(running), books.facts))
        _refuse_impostor(*subjects)
        for key in _LINES:
            samples = measuring.samples([Trial(one.name, NAMED[key], one) for one in subjects])
            for one in subjects:
                yield _row(key, one, typical(samples[one.name]))
            limit = CREATE_MAX if NAMED[key].writes else READ_MAX
            yield target(f"{NAMED[key].name}: now against {BEFORE}", ratio(samples, "now", "before"), limit)


def _refuse_impostor(now: Served, before: Served) -> None:
    """Old answers had no ETag, which proves that each server is the right one."""
    tagged = []
    for one in (now, before):
        endpoint = one.server.endpoint
        tagged.append(b"\r\netag: " in head_of(ask(endpoint, endpoint.request("GET", "/api/v1/accounts"))).lower())
    assert tagged == [True, False], "one of the two servers is not the one that should be measured"


def _row(key: str, one: Served, figures: Sample) -> Row:
    when = "" if one.name == "now" else f", as of {BEFORE}"
    return Row.of(
        figures,
        line=f"{key} {one.name}",
        name=f"{NAMED[key].name}{when}, beside each other",
        database="sqlite",
        transactions=one.facts.transactions,
        workers=1,
    )


def _source(folder: Path) -> Path | None:
    """Unpacked only once."""
    if not (folder / "src").is_dir():
        try:
            kept = ("src", "bench", "tests/postgres.py", "tests/__init__.py")
            words = ["git", "-C", str(ROOT), "archive", "--format=zip", BEFORE, *kept]
            packed = subprocess.run(words, capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return None
        with zipfile.ZipFile(BytesIO(packed)) as archive:
            archive.extractall(folder)
    return folder.resolve()  # absolute, because it runs in another working directory


def _books(source: Path, made: Books, cache: Path) -> Books:
    words = [sys.executable, "-c", _MAKE_BOOKS, str(cache.resolve()), str(made.facts.transactions)]
    told = subprocess.run(words, env=environment({}, source), cwd=source, stdout=subprocess.PIPE, check=True).stdout
    path = Path(told.decode())
    return Books(path, msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Facts))
