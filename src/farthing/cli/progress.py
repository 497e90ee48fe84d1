"""How is long work shown? As a line that moves on a terminal, as nothing elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from sys import stderr


@contextmanager
def shown_progress(title: str) -> Iterator[Callable[[str], None]]:
    """Hands out the function to call with what is being done now."""
    if not stderr.isatty():
        yield lambda _step: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(f"{title} …") as status:
        yield lambda step: status.update(f"{title}: {escape(step)} …")
