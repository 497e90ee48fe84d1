"""Shows the figures: all on the terminal, with changes since the committed table, and a short form for the docs."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from rich.console import Console
from rich.table import Table as Grid

from .lines import NAMED
from .results import WORSE, Row, Table, Target, list_changes

_COLUMNS = ("line", "database", "transactions", "workers", "CPU µs", "(a) bare", "(b) raw", "× (a + b)")
_FIGURES = ("p50 ms", "p95 ms", "p99 ms", "per second")
_SHORT = ("CPU µs", "× (a + b)", "p95 ms", "per second")


def show(table: Table, before: Table | None, console: Console) -> None:
    machine = ", ".join(f"{name} {value}" for name, value in table.machine.items())
    console.print(f"[bold]{table.command}[/] on {table.date}\n{machine}")
    console.print(_rows(table.rows))
    console.print(_targets(table.targets))
    if before:
        console.print(_changes(table, before))


def _rows(rows: list[Row]) -> Grid:
    grid = Grid(title="CPU per request, against floors made for the purpose; latency with 8 connections")
    for name in (*_COLUMNS, *_FIGURES):
        grid.add_column(name, justify="left" if name in ("line", "database") else "right")
    for place, row in enumerate(rows):
        last = place + 1 == len(rows) or rows[place + 1].line != row.line
        grid.add_row(*_cells(row), end_section=last)
    return grid


def _cells(row: Row) -> list[str]:
    counts = [_count(row.transactions), str(row.workers)]
    cpu = [_shown(value, 0) for value in (row.cpu_us, row.bare_us, row.raw_us)]
    latency = [_shown(value, 2) for value in (row.p50_ms, row.p95_ms, row.p99_ms)]
    per_second = _shown(row.per_second, 0 if row.per_second >= 10 else 1)
    return [row.name, row.database, *counts, *cpu, _shown(row.ratio, 2), *latency, per_second]


def _count(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _shown(value: float | None, places: int) -> str:
    return "" if value is None else f"{value:.{places}f}"


def _targets(targets: list[Target]) -> Grid:
    met = sum(target.met for target in targets)
    grid = Grid("target", "value", "wanted", "", title=f"{met} of {len(targets)} targets met")
    for target in targets:
        word = "[green]met[/]" if target.met else "[bold red]missed[/]"
        grid.add_row(target.name, f"{target.value:.2f}", target.wanted, word)
    return grid


def as_markdown(table: Table) -> str:
    """The short form for `docs/benchmarks.md`: the largest books, and one row for all targets of the same question."""
    machine = ", ".join(f"{name} {value}" for name, value in table.machine.items())
    met = sum(target.met for target in table.targets)
    return "\n\n".join((
        f"`{table.command}`, {table.date[:10]}; {machine}.",
        *_show_lines(_largest(table.rows)),
        f"{met} of {len(table.targets)} targets met:",
        _markdown(("target", "value", "limit", "result"), [_summary(group) for group in _groups(table.targets)]),
    ))  # fmt: skip


def _show_lines(rows: list[Row]) -> Iterator[str]:
    """A table for each size of books and database, with the figures that one compares."""
    for (database, transactions), of_books in groupby(rows, key=attrgetter("database", "transactions")):
        yield f"{database}, {_count(transactions)} transactions:"
        lines = [[row.name, *(_figures(row)[name] for name in _SHORT)] for row in of_books]
        yield _markdown(("line", *_SHORT), lines)


def _figures(row: Row) -> dict[str, str]:
    return dict(zip((*_COLUMNS, *_FIGURES), _cells(row), strict=True))


def _largest(rows: list[Row]) -> list[Row]:
    """Each line once per database: one worker, on the largest books it was measured on."""
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        key = row.database, row.line
        if row.line in NAMED and row.workers == 1 and (key not in found or found[key].transactions < row.transactions):
            found[key] = row
    return list(found.values())


def _groups(targets: list[Target]) -> list[list[Target]]:
    groups: dict[tuple[str, str], list[Target]] = {}
    for target in targets:
        groups.setdefault((_question(target), target.wanted), []).append(target)
    return list(groups.values())


def _question(target: Target) -> str:
    return target.name.rpartition(": ")[2]


def _summary(group: list[Target]) -> list[str]:
    if len(group) == 1:
        (only,) = group
        return [only.name, f"{only.value:.2f}", only.wanted, "met" if only.met else "**missed**"]
    values = [target.value for target in group]
    missed = [f"{target.name.rpartition(': ')[0]} ({target.value:.2f})" for target in group if not target.met]
    name = f"{_question(group[0])}, {len(group)} lines"
    result = f"**missed**: {'; '.join(missed)}" if missed else "met"
    return [name, f"{min(values):.2f} to {max(values):.2f}", group[0].wanted, result]


def _markdown(head: tuple[str, ...], rows: list[list[str]]) -> str:
    show = (f"| {' | '.join(cells)} |" for cells in (head, *rows))
    return "\n".join((next(show), "|---" * len(head) + "|", *show))


def _changes(table: Table, before: Table) -> Grid:
    """Only what moved, improvements included."""
    grid = Grid("figure", "then", "now", "now / then", title=f"Against the committed table of {before.date}")
    for name, then, now in list_changes(table, before):
        change = now / then if then else 1
        if change > WORSE or change < 1 / WORSE:
            colour = "bold red" if change > WORSE else "green"
            grid.add_row(name, f"{then:.2f}", f"{now:.2f}", f"[{colour}]{change:.2f}[/]")
    if not grid.row_count:
        grid.add_row("nothing moved by more than a tenth", "", "", "")
    return grid
