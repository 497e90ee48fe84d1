"""How are the figures shown? As tables on the terminal; what grew worse than the committed table says so."""

from rich.console import Console
from rich.table import Table as Grid

from .results import WORSE, Row, Table, Target, changed

_COLUMNS = ("line", "database", "transactions", "workers", "CPU µs", "(a) bare", "(b) raw", "× (a + b)")
_FIGURES = ("p50 ms", "p95 ms", "p99 ms", "per second")


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
    counts = [f"{row.transactions:,}".replace(",", " "), str(row.workers)]
    cpu = [f"{value:.0f}" for value in (row.cpu_us, row.bare_us, row.raw_us)]
    latency = [f"{value:.2f}" for value in (row.p50_ms, row.p95_ms, row.p99_ms)]
    return [row.name, row.database, *counts, *cpu, f"{row.ratio:.2f}", *latency, f"{row.per_second:.0f}"]


def _targets(targets: list[Target]) -> Grid:
    met = sum(target.met for target in targets)
    grid = Grid("target", "value", "at most", "", title=f"{met} of {len(targets)} targets met")
    for target in targets:
        word = "[green]met[/]" if target.met else "[bold red]missed[/]"
        grid.add_row(target.name, f"{target.value:.2f}", f"{target.limit:g}", word)
    return grid


def _changes(table: Table, before: Table) -> Grid:
    """Only what moved; better is told too."""
    grid = Grid("figure", "then", "now", "now / then", title=f"Against the committed table of {before.date}")
    for name, then, now in changed(table, before):
        change = now / then if then else 1
        if change > WORSE or change < 1 / WORSE:
            colour = "bold red" if change > WORSE else "green"
            grid.add_row(name, f"{then:.2f}", f"{now:.2f}", f"[{colour}]{change:.2f}[/]")
    if not grid.row_count:
        grid.add_row("nothing moved by more than a tenth", "", "", "")
    return grid
