"""How long work tells what it is doing."""

from collections.abc import Callable

# Called with each step, as a few words for whoever waits.
Progress = Callable[[str], None]
