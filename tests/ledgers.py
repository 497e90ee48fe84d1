"""hledger and Beancount, as programs that judge our exports; they are brought along when they are missing.

hledger is a package of the system, which only root can install. Beancount's licence does not fit ours, so it stays in a
virtual environment of its own: we run it, and never import it.
"""

import csv
import io
import os
import shutil
import subprocess
import sys
import venv
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from .alone import alone

_BEANCOUNT = Path(sys.prefix) / "beancount"
_INSTALL_S_MAX = 240


def check_hledger(path: Path) -> str:
    """What is wrong with a journal; nothing if it is right."""
    return _run([_or_skip(_hledger(), "hledger"), "-f", str(path), "check", "--strict"])


def balances_of_hledger(path: Path) -> dict[tuple[str, str], str]:
    """What each account holds of each commodity."""
    program = _or_skip(_hledger(), "hledger")
    words = [program, "-f", str(path), "balance", "--flat", "--no-total", "--output-format", "csv", "--layout", "bare"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True, env=_utf8()).stdout
    rows = list(csv.reader(io.StringIO(printed, newline="")))[1:]
    return {(account, commodity): amount for account, commodity, amount in rows if amount.strip("-0.")}


def check_beancount(path: Path) -> str:
    return _run([_or_skip(_bean_check(), "bean-check"), "--no-cache", str(path)])


def _run(words: list[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=_utf8())
    return done.stdout + done.stderr if done.returncode else ""


def _utf8() -> dict[str, str]:
    return os.environ | {"LC_ALL": "C.UTF-8"}


def _or_skip(program: str | None, name: str) -> str:
    """Also in CI: unlike PostgreSQL and the browser, these tools may not be had everywhere."""
    if program is None:
        pytest.skip(f"!!! {name} is not installed, so exports were not held against it")
    return program


@cache
def _hledger() -> str | None:
    with alone("hledger"):
        return shutil.which("hledger") or (_install() if os.geteuid() == 0 and shutil.which("apt-get") else None)


def _install() -> str | None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with suppress(subprocess.TimeoutExpired):
        for words in (["update", "-qq"], ["install", "-qq", "-y", "--no-install-recommends", "hledger"]):
            subprocess.run(["apt-get", *words], env=quiet, capture_output=True, check=False, timeout=_INSTALL_S_MAX)
    return shutil.which("hledger")


@cache
def _bean_check() -> str | None:
    with alone("beancount"):
        program = _BEANCOUNT / "bin" / "bean-check"
        if not program.exists():
            venv.create(_BEANCOUNT, with_pip=True)
            words = [_BEANCOUNT / "bin" / "python", "-m", "pip", "install", "-qq", "beancount>=3"]
            with suppress(subprocess.TimeoutExpired):
                subprocess.run(words, capture_output=True, check=False, timeout=_INSTALL_S_MAX)
        return str(program) if program.exists() else None
