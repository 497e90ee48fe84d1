"""A killed backup, restore or verify leaves copies of the books behind: the next start deletes them."""

import subprocess
import sys
from pathlib import Path

from farthing.care.backup import scratch

from ..cli.conftest import Terminal, settle
from ..conftest import settings_for

HOLD = """
import sys
from contextlib import ExitStack
from pathlib import Path
from farthing.care.backup import scratch
with ExitStack() as stack:
    data, target = Path(sys.argv[1]), Path(sys.argv[2])
    for folder in (stack.enter_context(scratch.temporary()), stack.enter_context(scratch.beside(target, data))):
        (folder / "books").write_text("secret")
    print("ready", flush=True)
    sys.stdin.read()
"""


def hold(terminal: Terminal, target: Path) -> "subprocess.Popen[str]":
    environment = terminal.environment | {"TMPDIR": str(terminal.folder / "tmp")}
    words = [sys.executable, "-c", HOLD, str(terminal.folder / "data"), str(target)]
    held = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert held.stdout
    assert held.stdout.readline() == "ready\n"
    return held


def kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


def left(folder: Path) -> int:
    return len(list(folder.rglob("books")))


def test_what_a_killed_process_left_is_deleted_at_the_next_start_and_nothing_that_is_in_use(tmp_path):
    owned = settle(Terminal(tmp_path))
    for name in ("tmp", "elsewhere"):
        (tmp_path / name).mkdir()
    killed, alive = (hold(owned, tmp_path / "elsewhere" / "books.zip") for _ in range(2))
    kill(killed)
    assert left(tmp_path) == 4

    with owned.serving(TMPDIR=str(tmp_path / "tmp")):
        assert (left(tmp_path / "tmp"), left(tmp_path / "elsewhere")) == (1, 1)
    kill(alive)
    owned.fails("backup", "verify", "nowhere.zip")

    assert left(tmp_path / "elsewhere") == 0
    assert list((tmp_path / "data" / "scratch").iterdir()) == []


def test_folders_of_others_are_left_alone(tmp_path):
    place, target = tmp_path / "backups", tmp_path / "target"
    for folder in (place, target):
        folder.mkdir()
    (target / "file").touch()
    (place / ".farthing-link").symlink_to(target)
    (place / ".farthing-new").mkdir()

    scratch.sweep(settings_for(f"sqlite:///{tmp_path / 'books'}", tmp_path))

    assert (target / "file").exists()
    assert len(list(place.iterdir())) == 2
