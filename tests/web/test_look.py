"""How pages look: their typeface, and that nothing moves what somebody reads."""

import time

from playwright.sync_api import Page, Route, expect

from farthing.http.service.web_app import BUILT

from .books import account, spent
from .conftest import Person

# How far things moved without being asked to, as the browser itself adds it up.
MOVED = """new Promise(done => new PerformanceObserver(list =>
    done(list.getEntries().filter(one => !one.hadRecentInput).reduce((sum, one) => sum + one.value, 0))
).observe({type: 'layout-shift', buffered: true}) || setTimeout(() => done(0), 500))"""


def wait_half_a_second(route: Route) -> None:
    time.sleep(0.5)
    route.continue_()


def moved(page: Page) -> float:
    return float(page.evaluate(MOVED))


def test_the_typeface_is_shipped_with_its_licence(ann: Person) -> None:
    ann.opens("#/transactions")
    heading = ann.main.get_by_role("heading", name="Transactions", exact=True)
    expect(heading).to_be_visible()

    assert ann.page.evaluate("getComputedStyle(document.body).fontFamily").startswith('"Public Sans"')
    assert ann.page.evaluate("[...document.fonts].filter(face => face.status === 'loaded').length") == 1
    assert heading.evaluate("one => getComputedStyle(one).fontSize") == "28px"
    assert "SIL Open Font License" in (BUILT / "public-sans-license.txt").read_text()
    assert sum(path.stat().st_size for path in (BUILT / "assets").glob("*.woff2")) <= 45 * 1024


def test_amounts_are_as_wide_with_any_figures(ann: Person) -> None:
    purse = account(ann, "Purse")
    for amount in ("11.11", "88.88"):
        spent(ann, purse, f"Spent {amount}", amount)
    ann.opens("#/transactions")
    widths = {
        ann.main.locator(".amount").get_by_text(amount).first.evaluate("one => one.getBoundingClientRect().width")
        for amount in ("-€11.11", "-€88.88")
    }

    assert len(widths) == 1


def test_a_slow_typeface_moves_nothing(ann_in_own_window: Person) -> None:
    ann = ann_in_own_window
    spent(ann, account(ann, "Purse"), "Bread", "2.50")
    ann.page.route("**/*.woff2", wait_half_a_second)
    ann.opens("#/transactions")
    expect(ann.main.get_by_role("link", name="Bread")).to_be_visible()

    assert moved(ann.page) < 0.05
