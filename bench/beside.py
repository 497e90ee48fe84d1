"""What does a second process cost, before any code of ours? Floor (b) alone, and with another of its kind beside it.

    python -m bench.beside

Two that share a file read again what the other has changed, and wait for one another when they write. Two that share
only the machine tell how much of that is the machine's.
"""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from . import books
from .driver import Endpoint
from .least import KEYS, ROUNDS, SECONDS, SIZE
from .lines import LINES, Line
from .measure import RawProcess, raw


def measured(folder: Path, made: books.Books) -> Iterator[tuple[str, list[tuple[float, ...]]]]:
    """Of each line, round by round: CPU µs alone, with one on the same file, with one on another file."""
    (folder / "facts").write_bytes(msgspec.json.encode(made.facts))
    shared, other = (shutil.copyfile(made.path, folder / name) for name in ("shared", "other"))
    with ExitStack() as stack, ThreadPoolExecutor(2) as both:
        nowhere = Endpoint("127.0.0.1", 1, made.facts.token)
        urls = [f"sqlite:///{path}" for path in (shared, shared, other)]
        own, fellow, stranger = (stack.enter_context(raw("raw", url, folder / "facts", nowhere)) for url in urls)
        fellow.first += 1_000_000

        def together(line: Line, *subjects: RawProcess) -> float:
            first, *_ = both.map(lambda one: one.burst(line, SECONDS).cpu_us, subjects)
            return first

        for line in (one for one in LINES if one.key in KEYS):
            rounds = [
                (together(line, own), together(line, own, fellow), together(line, own, stranger))
                for _ in range(ROUNDS + 1)
            ]
            yield line.name, rounds[1:]


def main() -> None:
    from .__main__ import CACHE

    made = books.ready(CACHE, SIZE, lambda done: print(f"books: {done * 100 // SIZE} %", end="\r"))
    print("CPU µs of floor (b): alone, beside one on the same file, beside one on another file; the last two as ratios")
    with TemporaryDirectory(prefix="farthing-beside-") as folder:
        for name, rounds in measured(Path(folder), made):
            typical = [median(column) for column in zip(*rounds, strict=True)]
            ratios = [median(one[at] / one[0] for one in rounds) for at in (1, 2)]
            figures = "  ".join(f"{one:6.0f}" for one in typical)
            print(f"{name:45} {figures}   {'  '.join(f'{one:.2f} ×' for one in ratios)}", flush=True)


if __name__ == "__main__":
    main()
