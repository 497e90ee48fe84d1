"""Takes the pictures of the README and the tour from the demo's books: `make screenshots`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from ..cli.conftest import Terminal
from . import chromium
from .conftest import EMAIL, PASSWORD, SIZES, an_owner_at

PICTURES = Path(__file__).parents[2] / "docs" / "images"
# Where, on which screen, in which light.
SHOTS = {
    "dashboard": ("#/", "desk", "light"),
    "bills": ("#/bills", "desk", "dark"),
    "transactions": ("#/transactions", "desk", "light"),
    "budgets": ("#/budgets", "desk", "light"),
    "reports": ("#/reports", "desk", "light"),
    "import": ("#/imports", "desk", "light"),
    "phone": ("#/transactions", "phone", "light"),
}


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(Path(folder))
        with an_owner_at(terminal) as server:
            assert terminal.run("demo", "--email", EMAIL).returncode == 0
            _take_all(server.address)


def _take_all(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=chromium.FLAGS)
        for name, (place, size, light) in SHOTS.items():
            page = browser.new_context(locale="en-US", color_scheme=light, **SIZES[size]).new_page()
            page.route("**/api/v1/events", lambda route: route.abort())  # a page that listens is never idle
            _sign_in(page, address)
            page.goto(f"{address}/{place}")
            page.mouse.move(0, 0)  # nothing is pointed at
            page.reload()  # a change behind the # alone does not wait for the new page
            page.wait_for_load_state("networkidle")
            expect(page.get_by_text("Loading")).to_have_count(0)
            page.screenshot(path=PICTURES / f"{name}.png")
        browser.close()


def _sign_in(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="New transaction").wait_for()


if __name__ == "__main__":
    main()
