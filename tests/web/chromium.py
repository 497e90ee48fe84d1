"""Where is a browser? The system's Chromium; as root it is installed when there is none.

There are two: the whole one, and its headless shell, which has no windows, menus and viewers and so needs a third less
of the processor for the same pages. Tests take the shell where there is one.
"""

import os
import shutil
import subprocess
from functools import cache

from ..alone import alone

NAMES = ("chromium", "chromium-browser", "google-chrome")
SHELL = "chromium-headless-shell"
# As root Chromium has no sandbox of its own; the rest keeps it from calling home.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip


@cache
def path() -> str | None:
    """While another process installs it, it may be there, but half."""
    with alone("chromium"):
        return _found(*NAMES) or (_installed(NAMES[0]) if _may_install() else None)


@cache
def shell_path() -> str | None:
    """The whole browser where the system has no package of the shell."""
    with alone("chromium"):
        found = _found(SHELL) or (_installed(SHELL) if _may_install() and _is_known(SHELL) else None)
    return found or path()


def _found(*names: str) -> str | None:
    return next((where for name in names if (where := shutil.which(name))), None)


def _may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _is_known(package: str) -> bool:
    """By the lists that are here already: to fetch new ones in every run would take longer than the shell saves."""
    return bool(subprocess.run(["apt-cache", "show", package], capture_output=True, check=False).stdout)


def _installed(package: str) -> str | None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-qq"], ["install", "-qq", "-y", "--no-install-recommends", package]):
        subprocess.run(["apt-get", *words], env=quiet, capture_output=True, check=False)
    return _found(package)
