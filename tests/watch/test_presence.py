"""Who is there? A process holds its file as long as it lives, and no longer."""

import fcntl
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from farthing.care.watch import presence
from farthing.care.watch.presence import Present

HOLDS = """
import sys, time
from pathlib import Path
from farthing.care.watch import presence
with presence.mark_server(Path(sys.argv[1])), presence.mark_process(presence.JOBS):
    print("here", flush=True)
    time.sleep(600)
"""


def begun(data: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen([sys.executable, "-c", HOLDS, str(data)], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"here\n"
    return process


def ended(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_server_is_seen_while_it_lives_and_not_when_it_was_killed(tmp_path):
    assert presence.list_servers(tmp_path) == []
    process = begun(tmp_path)

    assert presence.list_servers(tmp_path) == [Present(workers=0, has_jobs=True)]

    ended(process)
    assert presence.list_servers(tmp_path) == []
    assert len(list((tmp_path / "run").iterdir())) == 1


def test_the_next_server_clears_away_what_a_killed_one_left_and_nothing_else(tmp_path):
    killed, living = begun(tmp_path), begun(tmp_path)
    ended(killed)

    with presence.mark_server(tmp_path):
        assert len(presence.list_servers(tmp_path)) == 2
        assert len(list((tmp_path / "run").iterdir())) == 2

    assert presence.list_servers(tmp_path) == [Present(workers=0, has_jobs=True)]
    ended(living)


def test_a_server_leaves_nothing_behind(tmp_path):
    with presence.mark_server(tmp_path):
        assert presence.own_folder()
        with presence.mark_process("worker-1"):
            assert presence.list_servers(tmp_path) == [Present(workers=1, has_jobs=False)]
            presence.note_lost_jobs()
            assert presence.list_servers(tmp_path) == [Present(workers=1, has_jobs=False, lost_jobs=True)]

    assert list((tmp_path / "run").iterdir()) == []
    assert presence.own_folder() is None
    assert presence.VARIABLE not in os.environ


def test_a_folder_that_cannot_be_made_keeps_no_server_from_serving(tmp_path):
    (tmp_path / "run").write_text("in the way")

    with presence.mark_server(tmp_path), presence.mark_process(presence.JOBS):
        assert presence.own_folder() is None
    assert presence.list_servers(tmp_path) == []


def test_one_who_only_looks_keeps_nobody_from_being_seen(tmp_path):
    file = tmp_path / presence.JOBS
    with file.open("wb") as looking, file.open("rb") as working, ThreadPoolExecutor(1) as other:
        fcntl.flock(looking, fcntl.LOCK_SH)
        holding = other.submit(presence.lock, working)
        assert wait([holding], timeout=0.2).not_done
        fcntl.flock(looking, fcntl.LOCK_UN)
        holding.result()

        assert presence.read_server(tmp_path) == Present(workers=0, has_jobs=True)


def test_a_server_that_is_about_to_start_keeps_its_folder(tmp_path):
    about_to_start = tmp_path / "run" / "other"
    about_to_start.mkdir(parents=True)

    with presence.mark_server(tmp_path):
        assert about_to_start.is_dir()
