"""The benchmark itself, on tiny books: its floors answer what Farthing answers, and nothing drifts."""

import io
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from bench import __main__ as command
from bench import books, driver, files, furnish, processes, report, results
from bench.driver import Unexpected, burst
from bench.importing.run import ImportPlan
from bench.lines import LINES, OTHERS
from bench.measure import LEAST_US, Sample, ratio, typical, us_per_call
from bench.processes import family_cpu_ns, farthing
from bench.results import Row, Table, Target
from bench.run import Plan, run
from msgspec import structs
from rich.console import Console

from .length import LONG

TINY = (400, 600)


@pytest.fixture(scope="session")
def cache() -> Iterator[Path]:
    """Not below pytest's own folder: whoever starts pytest next closes that to the user PostgreSQL runs as."""
    with TemporaryDirectory(prefix="farthing-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the benchmark itself is tested, few and small things do."""
    monkeypatch.setattr(files, "MEBIBYTES", 1)
    monkeypatch.setattr(driver, "CONNECTIONS", 2)  # each of them sends at least one request in every burst
    for number in ("RECURRENCES", "BILLS", "RULES"):
        monkeypatch.setattr(furnish, number, 3)


@pytest.mark.long
@pytest.mark.usefixtures("little")
def test_a_run_on_tiny_books_measures_every_line(cache: Path) -> None:
    told: list[str] = []
    plan = Plan(
        TINY, rounds=1, seconds=0.001, starts=1, cache=cache, with_postgres=LONG, tell=told.append, workers=(1,),
        file_rounds=1, users=50, imports=ImportPlan(rows=300, rounds=1, seconds=0.001),
    )  # fmt: skip

    outcome = run(plan)

    floored = [row for row in outcome.rows if row.raw_us]
    measured = {(row.line, row.transactions, row.workers) for row in floored if row.database == "sqlite"}
    assert measured == {(line.key, *on) for line in LINES for on in ((400, 1), (600, 1))}
    on_postgres = {row.line for row in floored if row.database == "postgresql"}
    assert on_postgres in (set(), {line.key for line in LINES})
    assert all(row.p99_ms > 0 for row in floored)
    # So short a burst can seem to have cost nothing, and a process that ends takes along what it had used.
    assert sum(min(row.cpu_us, row.bare_us) > LEAST_US and row.ratio > 0 for row in floored) > len(floored) / 2
    others = {row.line for row in outcome.rows if not row.raw_us}
    assert {line.key for line in OTHERS} < others
    assert {"create with 200 bills", "create with 200 rules", "upload", "download", "import plain"} < others
    names = {target.name for target in outcome.targets}
    assert {
        "start to first answer with 600 transactions, s",
        "resident memory of one worker and its job process, MB",
        "page of 50 recurrences against 50 accounts",
        "counting a request, CPU µs",
        "upload of 1 MiB, growth of memory, MB",
        "catching up, share of the rate of recording alone",
        "import of 300 rows with 50 rules and 20 bills, share of the rate of raw SQL, sqlite",
        "import of a row: 600 against 400 transactions",
        "create a transaction: p95 during an import against idle, sqlite",
        "importing process, peak memory, MB, sqlite",
        "create a transaction, version 6: against the first version",
        "search for a tag: 600 against 400 transactions, per byte",
        "10000 transactions in one answer, growth of memory, MB",
    } < names


def test_books_are_the_same_every_time_and_made_once(cache: Path, tmp_path: Path) -> None:
    made = books.ready(cache, TINY[0], lambda _done: None)
    written_at = made.path.stat().st_mtime_ns
    again, elsewhere = (books.ready(where, TINY[0], lambda _done: None) for where in (cache, tmp_path))

    assert again.path.stat().st_mtime_ns == written_at
    assert (elsewhere.facts.asset_ids, elsewhere.facts.changed_ids) == (made.facts.asset_ids, made.facts.changed_ids)
    assert len(made.facts.asset_ids) == books.ASSETS


def test_an_answer_that_is_no_success_stops_the_benchmark(cache: Path, tmp_path: Path) -> None:
    made = books.ready(cache, TINY[0], lambda _done: None)

    with farthing(f"sqlite:///{made.path}", tmp_path, token=made.facts.token) as server:
        nowhere = iter(lambda: server.endpoint.request("GET", "/api/v1/nowhere"), None)
        with pytest.raises(Unexpected, match="404"):
            burst(server.endpoint, nowhere, seconds=0.01)


def test_ratios_are_taken_within_each_round() -> None:
    slowed = [Sample(cpu_us=us) for us in (100, 300, 110)]
    floors = {"served": slowed, "a": [Sample(cpu_us=us) for us in (20, 60, 22)], "b": [Sample(cpu_us=30)] * 3}

    assert ratio({**floors, "b": [Sample(cpu_us=us) for us in (30, 90, 33)]}, "served", "a", "b") == pytest.approx(2)
    assert typical(slowed).cpu_us == 110


def test_what_seems_to_have_cost_nothing_can_still_be_compared() -> None:
    assert us_per_call(3_000, 2) == 1.5
    nothing, taken_along = (Sample(us_per_call(used, 2)) for used in (0, -4_000_000))

    assert ratio({"served": [nothing], "a": [taken_along]}, "served", "a") == pytest.approx(1)


def test_processes_that_end_while_they_are_counted_count_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    monkeypatch.setattr(processes, "family", lambda _pid: [os.getpid(), ended.pid])

    assert family_cpu_ns(os.getpid()) > 0


def a_table(ratio_now: float) -> Table:
    row = Row(
        line="account", name="one account", database="sqlite", transactions=10, workers=1, cpu_us=150, bare_us=50,
        raw_us=50, ratio=ratio_now, p50_ms=1, p95_ms=2, p99_ms=3, per_second=1000,
    )  # fmt: skip
    return Table("python -m bench", "2026-01-01", {"python": "3.11"}, [row], [Target("memory, MB", 95, 90)])


def test_the_report_says_what_was_missed_and_what_grew_worse(tmp_path: Path) -> None:
    results.write(a_table(1.0), tmp_path / "table.json")
    written = io.StringIO()

    report.show(a_table(1.5), results.read(tmp_path / "table.json"), Console(file=written, width=200))

    shown = written.getvalue()
    assert "0 of 1 targets met" in shown
    assert "missed" in shown
    assert "sqlite, 10, 1 worker(s): one account" in shown
    assert "1.50" in shown


def test_targets_of_one_question_share_a_row_that_names_those_that_were_missed() -> None:
    floors = [
        Target(f"{line}: against its floors", value, 1.7) for line, value in (("one account", 2.5), ("page", 1.2))
    ]
    table = Table(
        "python -m bench", "2026-01-01", {}, [], [*floors, Target("page: two workers against one", 1.1, 1.15)]
    )

    page = report.as_markdown(table)

    assert "2 of 3 targets met" in page
    assert "| against its floors, 2 lines | 1.20 to 2.50 | ≤ 1.7 | **missed**: one account (2.50) |" in page
    assert "| page: two workers against one | 1.10 | ≤ 1.15 | met |" in page


def test_the_docs_show_each_line_on_the_largest_books_with_one_worker() -> None:
    row = a_table(1.5).rows[0]
    others = [(1_000, 1), (1_000, 2), (100, 1)]
    rows = [row, *(structs.replace(row, transactions=size, workers=workers) for size, workers in others)]
    furnished = structs.replace(row, line="create with 200 bills", name="create, 200 bills present")

    page = report.as_markdown(Table("python -m bench", "2026-01-01", {}, [*rows, furnished], []))

    assert [text for text in page.splitlines() if text.startswith(("sqlite", "| one account"))] == [
        "sqlite, 1 000 transactions:",
        "| one account | 150 | 1.50 | 2.00 | 1000 |",
    ]
    assert "200 bills" not in page


def test_what_is_kept_goes_into_the_docs_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, kept = tmp_path / "benchmarks.md", tmp_path / "table.json"
    page.write_text(f"before {command._BEGIN} old {command._END} after")
    monkeypatch.setattr(command, "PAGE", page)
    monkeypatch.setattr(command, "COMMITTED", kept)

    command._keep(a_table(1.5))

    text = page.read_text()
    assert text.startswith("before <!--")
    assert text.endswith("--> after")
    assert "| memory, MB | 95.00 | ≤ 90 | **missed** |" in text
    assert "| one account | 150 | 1.50 | 2.00 | 1000 |" in text
    assert " old " not in text
    assert results.read(kept) == a_table(1.5)
