"""Another program holds the SQLite file for long: writes are put off in good time, reads go on, and later all does."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ..storage.test_busy_file import held
from .household import Household
from .test_killed import until

HELD = "Another program keeps the database locked"
WRITERS = 6
# Every process that finds this in its path waits that long for the file, and not for half a minute.
WAIT_MS = 5000
IMPATIENT = f"""
from farthing.storage.drivers.sqlite import SqliteDatabase

SqliteDatabase.__init__.__kwdefaults__["wait_ms"] = {WAIT_MS}
"""


@pytest.mark.long
def test_a_file_that_is_held_for_long_puts_off_everyone_in_line_and_then_goes_on(tmp_path):
    file = tmp_path / "data" / "farthing.sqlite3"
    household = Household(tmp_path, f"sqlite:///{file}").found()
    (tmp_path / "sitecustomize.py").write_text(IMPATIENT)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    with household.serving(PYTHONPATH=path) as server, ThreadPoolExecutor(WRITERS) as pool:
        household.move_in(server)
        recurrence_id = household.recur("2024-05-16")
        with held(file):
            began = time.monotonic()
            household.set_clock("2024-05-17T12:00:00+00:00")
            waiting = [pool.submit(household.record, key=f"later{number}") for number in range(WRITERS)]
            while not all(one.done() for one in waiting):
                household.assert_reads_go_on()
                time.sleep(0.5)
            # One after the other they would wait several times as long.
            assert time.monotonic() - began < WRITERS / 2 * WAIT_MS / 1000
            for one in waiting:
                household.assert_put_off(one.result(), HELD, 5)

        for number in range(WRITERS):
            assert household.record(key=f"later{number}").status == 200
        until(lambda: len(household.fired(recurrence_id)) == 2, "what was due did not fire")
        household.assert_all_is_there(besides=2)
        assert household.told("writing to the database fails") == 1
        assert household.told("writing to the database works again") == 1
        assert server.stop() == 0
    assert household.terminal.says("doctor").startswith("No problems")
