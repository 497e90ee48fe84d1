"""Where is a browser? The system's Chromium.

There are two: the whole one, and its headless shell, which has no windows, menus and viewers and so needs a third less
of the processor for the same pages. Tests take the shell where there is one.
"""

from ..needs import find_program

NAMES = ("chromium", "chromium-browser", "google-chrome")
SHELL = "chromium-headless-shell"
# As root Chromium has no sandbox of its own; the rest keeps it from calling home.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip


def path() -> str | None:
    return find_program(*NAMES)


def shell_path() -> str | None:
    """The whole browser where the system has no package of the shell."""
    return find_program(SHELL, *NAMES)
