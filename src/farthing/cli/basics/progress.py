"""Shows the progress of long work on a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from sys import stderr


@contextmanager
def show_progress(title: str) -> Iterator[Callable[[str], None]]:
    """Yields a function that shows the current step; it does nothing without a terminal."""
    if not stderr.isatty():
        yield lambda _step: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(f"{title} …") as status:
        yield lambda step: status.update(f"{title}: {escape(step)} …")
