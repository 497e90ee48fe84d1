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
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

import msgspec

from . import books
from .books import CACHE, Books
from .driver import Endpoint
from .importing.statement import BankRow, make_rows
from .processes import cpu_ns, environment, family, farthing, status_bytes
from .raw.database import connect
from .raw.importing import BATCH, RawImport, prepare
from .results import Target, target

START_S_MAX, HELP_S_MAX, DOCTOR_S_MAX, BACKUP_S_MAX, RESTORE_S_MAX = 0.8, 0.3, 12, 25, 30
BULK_MIN, GROWTH_MAX = 0.25, 1.05
_DOCTOR_TRANSACTIONS = 100_000
_TIMES = 5
_BULKS = 9
# Until the job process has done what is due on a day; the first has a sweep of all changes.
_DAYS, _DAY_S, _FIRST_DAY_S = 60, 0.7, 60


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
    """On the books of a large household, whatever the others are measured with."""
    house = folder / "house"
    house.mkdir()
    of_household = books.ready(made.path.parents[1], _DOCTOR_TRANSACTIONS, lambda _done: None)
    _lay(of_household, house)
    name = f"doctor with {_DOCTOR_TRANSACTIONS} transactions, CPU s"
    return target(name, run_command("doctor", folder=house), DOCTOR_S_MAX)


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


def _bulk(made: Books, folder: Path) -> Target:
    """Requests with as many transactions as one may have, against raw SQL that writes as many rows at once."""
    bulks = [make_rows(BATCH, seed=seed) for seed in range(_BULKS)]
    copies = [Path(shutil.copyfile(made.path, folder / f"{name}.sqlite3")) for name in ("raw", "bulk")]
    raw = connect(f"sqlite:///{copies[0]}")
    floor, shares = RawImport(raw, made.facts), []
    with farthing(f"sqlite:///{copies[1]}", folder, token=made.facts.token) as server:
        for rows in bulks:  # in turns: the first warms both up
            ready, body = prepare(made.facts, rows), _write_bulk(made, rows)
            began = time.process_time_ns()
            floor.write(ready)
            written, began = time.process_time_ns() - began, cpu_ns(server.process.pid)
            _post(server.endpoint, body)
            shares.append(written / (cpu_ns(server.process.pid) - began))
    raw.connection.close()
    return target("bulk create, share of the rate of raw SQL", median(shares[1:]), BULK_MIN, at_least=True)


def _write_bulk(made: Books, rows: list[BankRow]) -> bytes:
    source_id = made.facts.asset_ids[0]
    transactions = [
        {
            "type": "withdrawal",
            "date": one.on.isoformat(),
            "description": one.description,
            "transactions": [
                {
                    "amount": f"{one.units // 100}.{one.units % 100:02}",
                    "currency_code": "EUR",
                    "source_id": source_id,
                    "destination_id": made.facts.expense_ids[one.shop],
                }
            ],
        }
        for one in rows
    ]
    return msgspec.json.encode({"transactions": transactions})


def _post(endpoint: Endpoint, body: bytes) -> None:
    connection = HTTPConnection(endpoint.host, endpoint.port, timeout=60)
    headers = {"Authorization": f"Bearer {endpoint.token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/v1/transactions/bulk", body, headers)
    answer = connection.getresponse()
    assert answer.status == HTTPStatus.OK, answer.read()[:500]
    answer.read()
    connection.close()


def _memory(made: Books, folder: Path) -> Target:
    """The job process after many days against its first, on which it forgets all changes of the books."""
    database, clock = folder / "days.sqlite3", folder / "clock"
    shutil.copyfile(made.path, database)
    now = datetime(2025, 6, 1, tzinfo=UTC)
    clock.write_text(now.isoformat())
    test_clock = {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(clock)}
    taken = []
    with farthing(f"sqlite:///{database}", folder, token=made.facts.token, **test_clock) as server:
        for day in range(_DAYS + 1):
            (folder / "next").write_text((now + timedelta(days=day, minutes=day)).isoformat())
            (folder / "next").rename(clock)
            time.sleep(_FIRST_DAY_S if day == 0 else _DAY_S)
            taken.append(status_bytes(family(server.process.pid)[1], "VmRSS:"))
    return target(f"job process, memory after {_DAYS} days against the first", taken[-1] / taken[0], GROWTH_MAX)


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
    "bulk": _bulk,
    "memory": _memory,
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
            print(f"{measured.name}: {measured.value:.2f} (wanted {measured.wanted})", flush=True)


if __name__ == "__main__":
    main()
