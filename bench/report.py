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
    cpu = [_shown(value, 0) for value in (row.cpu_us, row.bare_us, row.raw_us)]
    latency = [_shown(value, 2) for value in (row.p50_ms, row.p95_ms, row.p99_ms)]
    per_second = _shown(row.per_second, 0 if row.per_second >= 10 else 1)
    return [row.name, row.database, *counts, *cpu, _shown(row.ratio, 2), *latency, per_second]


def _shown(value: float | None, places: int) -> str:
    return "" if value is None else f"{value:.{places}f}"


def _targets(targets: list[Target]) -> Grid:
    met = sum(target.met for target in targets)
    grid = Grid("target", "value", "wanted", "", title=f"{met} of {len(targets)} targets met")
    for target in targets:
        word = "[green]met[/]" if target.met else "[bold red]missed[/]"
        grid.add_row(target.name, f"{target.value:.2f}", target.wanted, word)
    return grid


def written(table: Table) -> str:
    """The same as Markdown, for `docs/benchmarks.md`."""
    machine = ", ".join(f"{name} {value}" for name, value in table.machine.items())
    met = sum(target.met for target in table.targets)
    targets = [[one.name, f"{one.value:.2f}", one.wanted, "met" if one.met else "**missed**"] for one in table.targets]
    return "\n\n".join((
        f"`{table.command}`, {table.date[:10]}; {machine}.",
        f"{met} of {len(table.targets)} targets met:",
        _markdown(("target", "value", "wanted", ""), targets),
        "All figures:",
        _markdown((*_COLUMNS, *_FIGURES), [_cells(row) for row in table.rows]),
    ))  # fmt: skip


def _markdown(head: tuple[str, ...], rows: list[list[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


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
