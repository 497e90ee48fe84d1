"""Takes the pictures of the README, the tour and the manifest from the demo's books: `make screenshots`."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from ..cli.conftest import Terminal
from . import chromium
from .conftest import EMAIL, PASSWORD, SIZES, an_owner_at

PICTURES = Path(__file__).parents[2] / "docs" / "images"
PUBLIC = Path(__file__).parents[2] / "web" / "public"
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
        for name, public in (("phone", "screen-phone"), ("dashboard", "screen-desk")):
            shutil.copy(PICTURES / f"{name}.png", PUBLIC / f"{public}.png")
        _draw_icons(browser)
        browser.close()


def _draw_icons(browser: Browser) -> None:
    """Makes the pictures that home screens need from the drawings. A mask leaves only the middle of its own."""
    for name, size in ((name, size) for name in ("icon", "icon-maskable") for size in (192, 512)):
        page = browser.new_page(viewport={"width": size, "height": size})
        drawing = (PUBLIC / f"{name}.svg").read_text()
        page.set_content(f"<style>* {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{drawing}")
        page.screenshot(path=PUBLIC / f"{name}-{size}.png", omit_background=True)
        page.close()


def _sign_in(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="New transaction").wait_for()


if __name__ == "__main__":
    main()
