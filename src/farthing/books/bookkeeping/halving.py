"""Tries many items at once, and finds out by halves which of them is at fault."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from farthing.kernel.errors import Invalid

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def try_by_halves(
    items: Sequence[Item], attempt: Callable[[Sequence[Item]], Sequence[Outcome]]
) -> Iterator[tuple[Item, Outcome | Invalid]]:
    """Tries all items together; if that fails, each half on its own, down to the item at fault.

    `attempt` returns an outcome for each item, or raises Invalid and leaves nothing behind.
    """
    if not items:
        return
    try:
        outcomes = attempt(items)
    except Invalid as refusal:
        if len(items) == 1:
            yield items[0], refusal
            return
        middle = len(items) // 2
        yield from try_by_halves(items[:middle], attempt)
        yield from try_by_halves(items[middle:], attempt)
        return
    yield from zip(items, outcomes, strict=True)
