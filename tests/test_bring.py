"""Is what the tests need of the system installed once, with apt's own words? On a machine that is made of fakes."""

import os
import re
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parent / "bring.sh"
# As words of a command.
INSTALLS = re.compile(r"""["'](apt|apt-get|dpkg|npm|npx|pip3?|ensurepip)["'], """)
LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"


class Machine:
    """A folder of programs that comes first in the path; apt writes down what it is asked for."""

    def __init__(self, folder: Path, user: int = 0) -> None:
        self.folder = folder
        self.put("id", f"echo {user}")
        self.put("sleep")
        self.put("apt-cache", "exit 100")
        self.put("apt-get", 'echo "$*" >> {}'.format(folder / "asked"))

    def put(self, name: str, does: str = "") -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (self.folder / name).chmod(0o755)

    def bring(self, *parts: str) -> "subprocess.CompletedProcess[str]":
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        words = [SCRIPT, "make test", *parts]
        return subprocess.run(words, env={"PATH": path}, capture_output=True, text=True, check=False)

    def asked(self) -> list[str]:
        asked = self.folder / "asked"
        return asked.read_text().splitlines() if asked.exists() else []


def test_nothing_is_asked_of_apt_when_all_is_there(tmp_path: Path) -> None:
    machine = Machine(tmp_path)

    done = machine.bring("sh", "no-browser|sh=browser", "no-shell?")

    assert (done.returncode, done.stdout + done.stderr, machine.asked()) == (0, "", [])


def test_what_is_missing_is_installed_in_one_step_that_waits_for_other_apts(tmp_path: Path) -> None:
    machine = Machine(tmp_path)

    done = machine.bring("sh", "no-browser|no-other=browser", "no-ledger", "no-shell?")

    assert done.returncode == 0
    update, install = machine.asked()
    assert update == "-q update"
    assert install.endswith("-o DPkg::Lock::Timeout=600 install browser no-ledger")


def test_apt_fails_in_its_own_words(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.put("apt-get", "echo 'E: Unable to locate package no-ledger' >&2; exit 100")

    done = machine.bring("no-ledger")

    assert done.returncode == 100
    assert "Unable to locate package no-ledger" in done.stderr


def test_another_apt_that_fetches_the_lists_is_waited_for(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    first = tmp_path / "first"
    machine.put("apt-get", f"[ -e {first} ] && exec echo asked again; touch {first}; echo '{LOCKED}' >&2; exit 100")

    done = machine.bring("no-ledger")

    assert done.returncode == 0, done.stderr
    assert "Waiting for another apt" in done.stdout
    assert LOCKED not in done.stdout


def test_whoever_is_not_root_is_told_the_line_to_run(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=1000)

    done = machine.bring("no-browser=browser", "no-ledger")

    assert done.returncode == 2
    assert done.stderr.strip().endswith("apt-get install --no-install-recommends browser no-ledger")
    assert machine.asked() == []


def test_no_test_installs_anything() -> None:
    """Only what is released is, where it is tested that it can be."""
    here = Path(__file__).parent
    files = [path for path in here.rglob("*.py") if not {"node_modules", "packages"} & set(path.parts)]

    installing = [path.name for path in files if path != Path(__file__) and INSTALLS.search(path.read_text())]

    assert len(files) > 500
    assert installing == []
