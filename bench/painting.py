"""Measures how soon the dashboard is painted in a real Chromium, signed in, from the first request to the last figure.

    python -m bench.painting

runs only this, on books of 100 000 transactions.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.web import chromium

from . import books
from .processes import Server, environment, farthing
from .results import Target, target

TRANSACTIONS, ROUNDS, SECONDS_MAX = 100_000, 7, 1.0
EMAIL = "bench@farthing.example"
# Waits until the chart is drawn and no request is pending; then returns the time since the page was requested.
_PAINTED = """() => document.querySelector('main .plot svg') && document.querySelector('main h1')
    && !document.querySelector('main .waiting, main [aria-busy=true]') && performance.now()"""


def measure_painting(url: str, folder: Path, token: str) -> Iterator[Target]:
    """Nothing if there is no browser."""
    if chromium.path() is None:
        return
    with farthing(url, folder, token=token) as server, _page(_link(url, folder, server)) as page:
        took = [_once(page) for _ in range(ROUNDS)]
    yield target("dashboard with 100 000 transactions painted in Chromium, s", median(took), SECONDS_MAX)


def _link(url: str, folder: Path, server: Server) -> str:
    words = [sys.executable, "-m", "farthing", "user", "sign-in-link", EMAIL, "--port", str(server.endpoint.port)]
    settings = {"FARTHING_DATA": str(folder), "FARTHING_DATABASE_URL": url}
    said = subprocess.run(words, env=environment(settings), capture_output=True, text=True, check=True).stdout
    found = re.search(r"http\S+", said)
    assert found, said
    return found[0]


@contextmanager
def _page(link: str):  # type: ignore[no-untyped-def] -- the browser's types come with the tests' tools
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=chromium.FLAGS)
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.goto(link)
        page.wait_for_function(_PAINTED)
        yield page
        browser.close()


def _once(page) -> float:  # type: ignore[no-untyped-def]
    """As a first visit: with an empty browser cache."""
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.reload(wait_until="commit")
    return float(page.wait_for_function(_PAINTED).json_value()) / 1000


def main() -> None:
    made = books.ready(
        books.CACHE, TRANSACTIONS, lambda done: print(f"books: {done * 100 // TRANSACTIONS} %", end="\r")
    )
    folder = books.CACHE / "painting"
    folder.mkdir(exist_ok=True)
    copy = shutil.copyfile(made.path, folder / made.path.name)  # signing in writes to the database
    for found in measure_painting(f"sqlite:///{copy}", folder, made.facts.token):
        print(f"{found.name}: {found.value:.2f}, wanted {found.limit}")


if __name__ == "__main__":
    main()
