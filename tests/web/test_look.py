"""How pages look: their typeface, and that nothing moves what somebody reads."""

import time
from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import Page, Route, expect

from farthing.http.service.web_app import BUILT

from ..cli.conftest import Server, Terminal
from .books import account, dialog, every_day, expected, spent
from .conftest import Person, today
from .test_accessible import wrongs

# How far things moved without being asked to, as the browser itself adds it up.
MOVED = """new Promise(done => new PerformanceObserver(list =>
    done(list.getEntries().filter(one => !one.hadRecentInput).reduce((sum, one) => sum + one.value, 0))
).observe({type: 'layout-shift', buffered: true}) || setTimeout(() => done(0), 500))"""

# Whatever waits longer than this waits for ever: a clock would measure how busy the machine is.
ASKED_WITHIN_MS = 50
HASTE = """most => {
    const inTime = window.setTimeout;
    window.setTimeout = (act, after = 0, ...given) => after > most ? 0 : inTime(act, after, ...given);
}"""


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


def edge(page: Page, selector: str, side: str) -> float:
    return float(page.locator(selector).first.evaluate(f"one => one.getBoundingClientRect().{side}"))


def test_a_notice_floats_over_the_menu_and_moves_nothing(ann: Person) -> None:
    spent(ann, account(ann, "Purse"), "Bread", "2.50")
    ann.records("/categories", name="Groceries")
    ann.opens("#/transactions")
    row = ann.main.get_by_role("link", name="Bread")
    expect(row).to_be_visible()
    ann.settles()  # the totals above the list come on their own
    before = row.bounding_box()
    ann.main.get_by_role("button", name="Category of Bread:").click()
    ann.page.keyboard.type("gro")
    ann.page.keyboard.press("Enter")
    ann.is_told("“Bread” saved.")

    expect(ann.main.get_by_role("button", name="Category of Bread:")).to_contain_text("Groceries")
    assert row.bounding_box() == before
    assert edge(ann.page, ".notice", "right") <= edge(ann.page, "main", "left")
    assert edge(ann.page, ".notice", "bottom") <= 900
    assert wrongs(ann.page) == []


def test_on_a_phone_a_notice_is_below_the_header_and_never_over_save(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    account(ann, "Purse")
    ann.opens("#/transactions/new")
    ann.field("Amount").fill("2.50")
    ann.main.get_by_role("combobox", name="To").fill("Baker")
    heading = ann.main.get_by_role("heading", name="New transaction")
    before = heading.bounding_box()
    ann.presses("Save and add another")
    ann.is_told("saved")

    assert heading.bounding_box() == before
    assert edge(ann.page, ".notice", "top") >= edge(ann.page, "body header", "bottom")
    for name in ("Save", "Save and add another"):
        ann.page.get_by_role("button", name=name, exact=name == "Save").click(trial=True, timeout=5000)
    assert wrongs(ann.page) == []


def test_a_new_device_takes_one_line(
    ann_in_own_window: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    ann = ann_in_own_window
    ann.page.set_viewport_size({"width": 1440, "height": 900})
    ann.opens("#/accounts")
    ann.is_in()
    visitor(served, email=ann.email).signs_in()
    ann.page.reload()

    notice = ann.main.get_by_role("alert").filter(has_text="Was that you?")
    expect(notice.get_by_role("button", name="Yes, that was me")).to_be_visible()
    assert notice.evaluate("one => one.offsetHeight") <= 48


COLOURS = """() => [...document.querySelectorAll('#page .amount')].filter(one => one.checkVisibility())
    .map(one => [one.textContent, getComputedStyle(one).color])"""


def test_money_that_comes_in_is_green_and_none_is_red(ann: Person) -> None:
    purse = account(ann, "Purse")
    spent(ann, purse, "Bread", "2.50")
    earned = {"amount": "1.20", "currency_code": "EUR", "source_name": "Work", "destination_id": purse}
    ann.records("/transactions", type="deposit", date=today().isoformat(), description="Pay", transactions=[earned])
    green, red = "rgb(26, 107, 69)", "rgb(168, 38, 28)"
    for place in ("#/", "#/transactions", f"#/accounts/{purse}", "#/reports", "#/reports/income"):
        ann.opens(place)
        ann.settles()
        expect(ann.main.locator(".amount").first).to_be_visible()
        amounts = ann.page.evaluate(COLOURS)

        assert [text for text, colour in amounts if colour == red] == [], place
        assert {text for text, colour in amounts if colour == green} <= {"+€1.20", "€1.20"}, place
        if place in ("#/transactions", f"#/accounts/{purse}"):
            assert "+€1.20" in {text for text, colour in amounts if colour == green}


def test_a_page_has_one_main_button_and_deletes_last(ann: Person) -> None:
    purse = account(ann, "Purse")
    booked, bill, plan = (
        spent(ann, purse, "Bread", "2.50"),
        expected(ann, "Rent"),
        every_day(ann, purse, today() + timedelta(days=1)),
    )
    category = ann.records("/categories", name="Groceries")["id"]
    places = [f"transactions/{booked}", f"bills/{bill}", f"recurrences/{plan}", f"categories/{category}"]
    for place in (*places, f"accounts/{purse}"):
        ann.opens(f"#/{place}")
        more = ann.main.get_by_role("button", name="More actions")
        expect(more).to_have_attribute("aria-expanded", "false")
        expect(ann.main.locator(".primary")).to_have_count(1)
        expect(ann.main.get_by_role("button", name="Delete", exact=True)).to_have_count(0)
        more.press("Enter")
        items = ann.main.locator(".more .list").locator("a, button")
        expect(items.first).to_be_focused()
        expect(items.last).to_have_text("Delete")
        assert wrongs(ann.page) == [], place
        ann.page.keyboard.press("ArrowDown")
        expect(items.nth(1)).to_be_focused()
        ann.page.keyboard.press("Escape")
        expect(more).to_be_focused()
        expect(items).to_have_count(0)
    ann.chooses("Delete")
    dialog(ann).get_by_role("button", name="Cancel").click()
    expect(ann.main.get_by_role("button", name="More actions")).to_be_focused()


def test_a_save_in_place_is_seen_before_the_server_answers(ann: Person) -> None:
    spent(ann, account(ann, "Purse"), "Bread", "2.50")
    ann.opens("#/transactions")
    held: list[Route] = []
    ann.page.route("**/api/v1/transactions/**", lambda route: held.append(route))
    amount = ann.main.get_by_role("button", name="Amount of Bread:")
    amount.click()
    ann.page.keyboard.type("7.25")
    with ann.page.expect_request("**/api/v1/transactions/**"):
        ann.page.keyboard.press("Enter")
    expect(amount).to_contain_text("7.25")
    ann.page.unroute("**/api/v1/transactions/**")

    ann.is_told("“Bread” saved.")
    expect(amount).to_contain_text("-€7.25")


def test_what_is_typed_is_asked_for_at_once(ann: Person) -> None:
    ann.records("/categories", name="Groceries")
    account(ann, "Purse")
    ann.opens("#/transactions/new")
    box = ann.main.get_by_role("combobox", name="Category")
    box.focus()
    ann.page.evaluate(HASTE, ASKED_WITHIN_MS)
    with ann.page.expect_request("**/autocomplete/categories**"):
        ann.page.keyboard.type("g")
    expect(ann.main.get_by_role("option", name="Groceries")).to_be_visible()
