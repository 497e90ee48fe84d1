"""Does long work in many short units, so that other writers can write in between."""

from collections.abc import Callable
from time import perf_counter, sleep
from typing import Any

from .unit import Database, Unit

# No further step begins in a unit that has held the lock for this long. A step takes a few milliseconds.
HELD_S_MAX = 0.025
# Other writers try to get SQLite's lock every few milliseconds. Without a pause, we would take it again before them.
_REST_S = 0.01
# One statement deletes this many rows, which takes a few milliseconds.
ROWS_AT_ONCE = 200


def work_off(
    database: Database,
    step: Callable[[Unit], int],
    *,
    held_s_max: float = HELD_S_MAX,
    clock: Callable[[], float] = perf_counter,
    rest: Callable[[float], None] = sleep,
) -> int:
    """Calls `step`, which returns how many rows it has handled, until it returns 0. Returns the total number."""
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


def delete_some(db: Unit, table: str, key: str, where: str, **parameters: Any) -> int:
    """Deletes one batch of the rows that meet the condition. `work_off` calls it until none are left. `key` is the
    column with the id of a row."""
    some = f"SELECT {key} FROM {table} WHERE {where} LIMIT :limit"
    return db.run_and_count(f"DELETE FROM {table} WHERE {key} IN ({some})", limit=ROWS_AT_ONCE, **parameters)
