"""Does long work in many short units, so that other writers get their turn in between."""

from collections.abc import Callable
from time import perf_counter, sleep

from .unit import Database, Unit

# No step is begun any more when the lock has been held for so long; a step takes a few milliseconds.
HELD_S_MAX = 0.025
# SQLite lets those who wait look again after a few milliseconds: without a pause the lock would be taken again first.
_REST_S = 0.01


def work_off(
    database: Database,
    step: Callable[[Unit], int],
    *,
    held_s_max: float = HELD_S_MAX,
    clock: Callable[[], float] = perf_counter,
    rest: Callable[[float], None] = sleep,
) -> int:
    """Calls `step` until it finds nothing more to do and returns 0. Returns the sum of what it returned."""
    total, more = 0, True
    while more:
        with database.writing() as db:
            until = clock() + held_s_max
            while more:
                done = step(db)
                total, more = total + done, done > 0
                if clock() >= until:
                    break
        if more:
            rest(_REST_S)
    return total
