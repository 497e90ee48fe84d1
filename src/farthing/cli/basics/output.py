"""Prints lists as a table on a terminal, otherwise as tab-separated lines. Shows progress on a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import typer

# A tab would add a column, and an escape sequence could control the terminal.
_CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    texts = [["" if cell is None else str(cell).translate(_CONTROLS) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _draw(columns, texts)
        return
    for row in texts:
        typer.echo("\t".join(row))


def _draw(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*columns, box=SIMPLE_HEAD)
    for row in rows:
        table.add_row(*map(escape, row))
    Console().print(table)


@contextmanager
def show_progress(title: str) -> Iterator[Callable[[str], None]]:
    """Yields a function that shows the current step of a command. Without a terminal, the function does nothing."""
    if not sys.stderr.isatty():
        yield lambda _step: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(f"{title} …") as status:
        yield lambda step: status.update(f"{title}: {escape(step)} …")
