"""Attempts many items at once and, if that fails, finds the items at fault by halving."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from farthing.kernel.errors import Invalid

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def try_by_halves(
    items: Sequence[Item], attempt: Callable[[Sequence[Item]], Sequence[Outcome]]
) -> Iterator[tuple[Item, Outcome | Invalid]]:
    """Attempts all items together. If that fails, attempts each half separately, and so on, down to the items at fault.

    `attempt` returns an outcome for each item. If it raises Invalid instead, it must leave nothing behind.
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
