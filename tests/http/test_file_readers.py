"""Files of strangers are read in processes of their own: with limits, in turns, and only as long as somebody waits."""

import asyncio
import os
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from farthing.kernel.apart.reader import Exhausted, Reader, ReadingLimits
from farthing.kernel.errors import Departed
from farthing.storage.fair.file_readers import FileReaders
from farthing.storage.fair.line import ANYBODY, Asker

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
    script += f"open({str(tmp_path / 'where')!r}, 'w').write(tempfile.mkstemp()[1])\n" + _FILL

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
        readers = FileReaders(ReadingLimits(cpu_s=60, memory_bytes=2**30, silent_s=60))
        gone = asyncio.get_running_loop().create_future()
        pid = tmp_path / "pid"
        spinning = f"import os; open({str(pid)!r}, 'w').write(str(os.getpid()))\n{_SPIN}"
        asked = asyncio.ensure_future(readers.run(Asker(1, gone), partial(carry_out, folder=tmp_path, script=spinning)))
        while not (pid.exists() and pid.read_text()):
            await asyncio.sleep(0.01)
        gone.set_result(None)
        with pytest.raises(Departed):
            await asked
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)
        assert await readers.run(ANYBODY, partial(carry_out, folder=tmp_path, script="a = 1")) == ["a"]
        readers.close()

    asyncio.run(ask())


def test_what_was_examined_lately_is_not_examined_again():
    async def ask() -> list[object]:
        readers, done = FileReaders(), []

        def work(_reader: Reader) -> int:
            done.append(1)
            return len(done)

        found = [await readers.run(ANYBODY, work, key) for key in (b"a", b"a", b"b", None, None)]
        readers.close()
        return found

    assert asyncio.run(ask()) == [1, 1, 2, 3, 4]
