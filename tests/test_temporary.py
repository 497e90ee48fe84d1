"""Do tests leave nothing behind, however they end?"""

import subprocess
import sys
from pathlib import Path

MAKES = "from tests.temporary import make_folder; make_folder(); __import__('tempfile').mkstemp(); {then}"


def words(then: str) -> list[str]:
    return [sys.executable, "-c", MAKES.format(then=then)]


def run(place: Path, then: str = "pass") -> int:
    return subprocess.run(words(then), env={"TMPDIR": str(place)}, check=False).returncode


def test_all_files_of_a_run_go_with_it(tmp_path: Path) -> None:
    assert run(tmp_path) == 0

    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_goes_with_the_next_and_what_another_needs_stays(tmp_path: Path) -> None:
    assert run(tmp_path, "import os; os.kill(os.getpid(), 9)") == -9
    [left] = tmp_path.iterdir()
    waits = words("print('there', flush=True); input()")
    pipe = subprocess.PIPE
    with subprocess.Popen(waits, env={"TMPDIR": str(tmp_path)}, stdin=pipe, stdout=pipe) as other:
        assert other.stdout
        assert other.stdout.readline() == b"there\n"
        [of_other] = tmp_path.iterdir()

        assert run(tmp_path) == 0

        assert of_other != left
        assert list(tmp_path.iterdir()) == [of_other]
        other.communicate(b"\n")
    assert list(tmp_path.iterdir()) == []


def test_what_a_failed_run_left_is_kept_until_the_next(tmp_path: Path) -> None:
    for _ in range(2):
        assert run(tmp_path, "from tests.temporary import keep_folder; keep_folder()") == 0

        [kept] = tmp_path.iterdir()
        assert kept.name.startswith("farthing-failed-")
        assert len(list(kept.iterdir())) == 1
