"""Where is a browser? The system's Chromium; as root it is installed when there is none."""

import os
import shutil
import subprocess
from functools import cache

from ..alone import alone

NAMES = ("chromium", "chromium-browser", "google-chrome")
# As root Chromium has no sandbox of its own; the rest keeps it from calling home.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip


@cache
def path() -> str | None:
    """While another process installs it, it may be there, but half."""
    with alone("chromium"):
        return _found() or (_installed() if os.geteuid() == 0 and shutil.which("apt-get") else None)


def _found() -> str | None:
    return next((where for name in NAMES if (where := shutil.which(name))), None)


def _installed() -> str | None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-qq"], ["install", "-qq", "-y", "--no-install-recommends", "chromium"]):
        subprocess.run(["apt-get", *words], env=quiet, capture_output=True, check=False)
    return _found()
