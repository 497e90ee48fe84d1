"""What tests need of the machine. They install nothing: `make test-parts` does, once, before any of them begins."""

import os
import shutil
from typing import TypeVar

import pytest

Found = TypeVar("Found")


def find_program(*names: str) -> str | None:
    """The first of them that there is; Debian keeps servers where only root looks."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    return next((where for name in names if (where := shutil.which(name, path=path))), None)


def or_skip(found: Found | None, name: str) -> Found:
    """Skips a test whose program is missing. CI must not skip: there it fails."""
    if found is not None:
        return found
    message = f"{name} is missing: make test-parts installs it"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(f"!!! {message}")
