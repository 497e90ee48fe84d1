"""Files of strangers are read in processes of their own: with limits, in turns, and only as long as somebody waits."""

import asyncio
import os
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from farthing.kernel.apart.reader import Exhausted, Reader, ReadingLimits
from farthing.kernel.apart.readings import Readings, Turns
from farthing.kernel.errors import Malformed, TooMany

pytestmark = pytest.mark.any_database
_LIMITS = ReadingLimits(cpu_s=1, memory_bytes=512 * 2**20, silent_s=60)
_SPIN, _HOG, _FILL = "while True: pass", "found = bytearray(2**30)", "import os; os.kill(os.getpid(), 9)"


def carry_out(reader: Reader, folder: Path, script: str) -> list[str]:
    """A script stands for a reader of files; what it gives are the names that it has defined."""
    path = folder / "script.py"
    path.write_text(script)
    return [name for name in reader.results("runpy:run_path", str(path), []) if name.isalpha()]


@pytest.mark.parametrize("script", [_SPIN, _HOG, _FILL])
def test_what_takes_too_much_is_ended_and_the_next_task_is_done(tmp_path, script):
    with closing(Reader(_LIMITS)) as reader:
        with pytest.raises(Exhausted):
            carry_out(reader, tmp_path, script)

        assert carry_out(reader, tmp_path, "found = 1") == ["found"]


def test_a_reader_sees_no_setting_and_leaves_no_file_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("FARTHING_SECRET", "secret")
    script = "import os, tempfile\nassert 'FARTHING_SECRET' not in os.environ\n"
    script += f"open({str(tmp_path / 'where')!r}, 'w').write(tempfile.mkstemp()[1])\n" + _SPIN

    with closing(Reader(_LIMITS)) as reader, pytest.raises(Exhausted):
        carry_out(reader, tmp_path, script)

    left = Path((tmp_path / "where").read_text())
    assert not left.exists()
    assert not left.parent.exists()


def test_what_a_reader_raises_is_raised_here_and_it_goes_on(tmp_path):
    with closing(Reader(_LIMITS)) as reader:
        with pytest.raises(ZeroDivisionError):
            carry_out(reader, tmp_path, "1 / 0")

        first, second = (carry_out(reader, tmp_path, "import os; os.environ['x'] = 'y'") for _ in range(2))

    assert first == second == ["os"]


def test_when_the_client_goes_its_file_is_no_longer_read(tmp_path):
    async def ask() -> None:
        readings = Readings(ReadingLimits(cpu_s=60, memory_bytes=2**30, silent_s=60))
        gone, never = (asyncio.get_running_loop().create_future() for _ in range(2))
        pid = tmp_path / "pid"
        spinning = f"import os; open({str(pid)!r}, 'w').write(str(os.getpid()))\n{_SPIN}"
        asked = asyncio.ensure_future(readings.run(1, gone, partial(carry_out, folder=tmp_path, script=spinning)))
        while not (pid.exists() and pid.read_text()):
            await asyncio.sleep(0.01)
        gone.set_result(None)
        with pytest.raises(Malformed):
            await asked
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)
        assert await readings.run(1, never, partial(carry_out, folder=tmp_path, script="a = 1")) == ["a"]
        readings.close()

    asyncio.run(ask())


def test_what_was_examined_lately_is_not_examined_again():
    async def ask() -> list[object]:
        readings, done = Readings(), []
        never = asyncio.get_running_loop().create_future()

        def work(_reader: Reader) -> int:
            done.append(1)
            return len(done)

        found = [await readings.run(1, never, work, key) for key in (b"a", b"a", b"b", None, None)]
        readings.close()
        return found

    assert asyncio.run(ask()) == [1, 1, 2, 3, 4]


def test_a_user_with_many_files_waits_for_the_others_and_may_not_ask_for_ever_more():
    async def order() -> list[tuple[int, int]]:
        turns, begun, release = Turns(at_once_max=1, waiting_max=3), [], asyncio.Event()

        async def read(user_id: int, number: int) -> None:
            async with turns.take(user_id):
                begun.append((user_id, number))
                await release.wait()

        tasks = [asyncio.ensure_future(read(1, number)) for number in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await read(1, 4)
        tasks += [asyncio.ensure_future(read(user_id, 0)) for user_id in (2, 3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        release.set()
        await asyncio.wait(tasks)
        return begun

    assert asyncio.run(order()) == [(1, 0), (2, 0), (3, 0), (1, 2), (1, 3)]
