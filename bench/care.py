"""What starting and looking after a house costs, in CPU seconds: start, help, doctor, backup, restore; and memory over days.

    python -m bench.care [--transactions 1000000] [--cache bench/cache] [--only start,doctor]

CPU time of all processes together, because other programs that run meanwhile change it least.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from . import books
from .__main__ import CACHE
from .books import Books
from .processes import environment, farthing
from .results import Target, target

START_S_MAX, HELP_S_MAX, DOCTOR_S_MAX, BACKUP_S_MAX, RESTORE_S_MAX = 0.8, 0.3, 40, 25, 30
_TIMES = 5


def run_command(*words: str, folder: Path, **settings: str) -> float:
    """CPU seconds of `farthing` with these words."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "farthing", *words],
        cwd=folder,
        env=environment({"FARTHING_DATA": str(folder), **settings}),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _start(made: Books, folder: Path) -> Target:
    """Until the first answer; the job process counts as far as it has come by then."""
    database = folder / "farthing.sqlite3"
    shutil.copyfile(made.path, database)
    taken = []
    for _ in range(_TIMES):
        with farthing(f"sqlite:///{database}", folder, token=made.facts.token) as server:
            taken.append(server.cpu_ns() / 1e9)
    return target("start to first answer, job process included, CPU s", median(taken), START_S_MAX)


def _help(_made: Books, folder: Path) -> Target:
    return target(
        "farthing --help, CPU s", median(run_command("--help", folder=folder) for _ in range(_TIMES)), HELP_S_MAX
    )


def _complete(_made: Books, folder: Path) -> Target:
    asked = {"_FARTHING_COMPLETE": "complete_bash", "COMP_WORDS": "farthing b", "COMP_CWORD": "1"}
    taken = [run_command(folder=folder, **asked) for _ in range(_TIMES)]
    return target("completion in a shell, CPU s", median(taken), HELP_S_MAX)


def _doctor(made: Books, folder: Path) -> Target:
    _lay(made, folder)
    name = f"doctor with {made.facts.transactions} transactions, CPU s"
    return target(name, run_command("doctor", folder=folder), DOCTOR_S_MAX)


def _backup(made: Books, folder: Path) -> Target:
    _lay(made, folder)
    name = f"backup of {made.facts.transactions} transactions, CPU s"
    return target(name, run_command("backup", "all.zip", folder=folder), BACKUP_S_MAX)


def _restore(made: Books, folder: Path) -> Target:
    if not (folder / "all.zip").exists():
        _backup(made, folder)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    taken = run_command("restore", str(folder / "all.zip"), folder=elsewhere)
    return target(f"restore of {made.facts.transactions} transactions, CPU s", taken, RESTORE_S_MAX)


def _lay(made: Books, folder: Path) -> None:
    if not (folder / "farthing.sqlite3").exists():
        shutil.copyfile(made.path, folder / "farthing.sqlite3")


MEASURED: dict[str, Callable[[Books, Path], Target]] = {
    "start": _start,
    "help": _help,
    "complete": _complete,
    "doctor": _doctor,
    "backup": _backup,
    "restore": _restore,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.care", description=__doc__)
    parser.add_argument("--transactions", type=int, default=1_000_000)
    parser.add_argument("--cache", type=Path, default=CACHE, help="where the books are kept, and the copies are made")
    parser.add_argument("--only", default=",".join(MEASURED), help="some of: %(default)s")
    chosen = parser.parse_args()
    made = books.ready(chosen.cache, chosen.transactions, lambda _done: None)
    with tempfile.TemporaryDirectory(dir=chosen.cache) as folder:
        os.environ["TMPDIR"] = folder
        for name in chosen.only.split(","):
            measured = MEASURED[name](made, Path(folder))
            print(f"{measured.name}: {measured.value:.2f} (at most {measured.limit})", flush=True)


if __name__ == "__main__":
    main()
