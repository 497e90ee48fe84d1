"""Every page, light and dark, meets WCAG 2.2 AA as far as axe can tell."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ..cli.conftest import Server, Terminal
from .books import a_rule, account, every_day, expected, spent
from .conftest import EMAIL, PASSWORD, SIZES, Person, today

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PLACES = [
    "#/", "#/accounts", "#/accounts?type=liability", "#/accounts/new?type=asset", "#/accounts/new?type=liability",
    "#/transactions", "#/transactions/new", "#/bills", "#/bills/new", "#/recurrences", "#/recurrences/new",
    "#/budgets", "#/budgets?view=envelopes", "#/categories", "#/tags", "#/payees", "#/rules", "#/rules/new",
    "#/reports", "#/reports/income", "#/reports/worth", "#/reports/flow", "#/reports/budgets",
    "#/piggy-banks", "#/settings", "#/settings/security", "#/settings/tokens", "#/settings/apps", "#/settings/changes",
    "#/settings/sharing", "#/settings/activity",
    "#/settings/export", "#/settings/usage", "#/settings/about", "#/settings/rates", "#/imports", "#/accounts/1",
]  # fmt: skip
# What a button of a page opens, and where.
OPENED = [
    ("#/budgets", "New budget", "dialog"), ("#/piggy-banks", "New piggy bank", "dialog"),
    ("#/piggy-banks", "Put in / Take out", "dialog"), ("#/piggy-banks", "History", "dialog"),
    ("#/rules", "New group", "dialog"), ("#/categories", "New category", "dialog"),
    ("#/categories/1", "Edit", "dialog"), ("#/categories/1", "Merge", "dialog"),
    ("#/transactions?type=deposit", "Save this filter", "dialog"),
    ("#/accounts/1", "Show as table", "figure"),
]  # fmt: skip
LEVELS = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLORS = ["color-contrast", "link-in-text-block"]
EVERYTHING: dict[str, Any] = {"runOnly": LEVELS, "rules": {"target-size": {"enabled": True}}}
BUT_COLORS = {**EVERYTHING, "rules": EVERYTHING["rules"] | {color: {"enabled": False} for color in COLORS}}
ONLY_COLORS = {"runOnly": {"type": "rule", "values": COLORS}}
# Style sheets are loaded again only for a rule that is not among these.
_LOOK = """([within, how]) => axe.run(within, {...how, preload: false, resultTypes: ['violations']}).then(found =>
    found.violations.map(one => one.id + ': ' + one.help + ' at ' + one.nodes.map(node => node.target).join(', ')))"""


def wrongs(page: Page, size: str, within: str = "html") -> list[str]:
    """In the dark nothing differs but colors, and those are the same on a phone: to compare them takes the longest."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    page.emulate_media(color_scheme="light")
    light = page.evaluate(_LOOK, [within, BUT_COLORS if size == "phone" else EVERYTHING])
    if size == "phone":
        return list(light)
    page.emulate_media(color_scheme="dark")
    return [*light, *(f"dark: {one}" for one in page.evaluate(_LOOK, [within, ONLY_COLORS]))]


def width(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Terminal, Server]]:
    """One server with the demo's books, for those who only look."""
    terminal = Terminal(tmp_path_factory.mktemp("furnished"))
    terminal.says("user", "create", EMAIL, "--password-stdin", typed=f"{PASSWORD}\n")
    assert terminal.run("demo", "--email", EMAIL, "--years", "1").returncode == 0
    with terminal.serving() as server:
        yield terminal, server


@pytest.mark.long
def test_every_page_is_accessible_and_no_wider_than_its_screen(
    visitor: Callable[..., Person], furnished: tuple[Terminal, Server], size: str
) -> None:
    person = visitor(furnished, size)
    person.opens("#/")
    expect(person.page.get_by_role("heading", name="Sign in")).to_be_visible()
    found, widths = {"sign-in": wrongs(person.page, size)}, {"sign-in": width(person.page)}
    person.signs_in()
    for place in PLACES:
        person.opens(place)
        person.settles()
        found[place], widths[place] = wrongs(person.page, size), width(person.page)
    found |= {" ".join(opened): _wrongs_opened(person, *opened, size) for opened in OPENED}
    if person.is_on_phone:
        person.presses("More", exact=True)
        found["menu"] = wrongs(person.page, "desk", "#menu")  # with its colors, because a desk has no such menu
    else:
        person.presses("Keyboard shortcuts")
        found["shortcuts"] = wrongs(person.page, size, "dialog")

    assert {place: wrong for place, wrong in found.items() if wrong} == {}
    assert too_wide(widths, size) == {}


def _wrongs_opened(person: Person, place: str, button: str, within: str, size: str) -> list[str]:
    person.opens(place)
    person.settles()
    person.presses(button)
    person.settles()
    found = wrongs(person.page, size, within)
    person.page.keyboard.press("Escape")
    return found


def too_wide(widths: dict[str, int], size: str) -> dict[str, int]:
    screen = SIZES[size]["viewport"]["width"]
    return {place: width for place, width in widths.items() if width > screen}


LONG = "Berufsunfähigkeitsversicherungsbeitragsrückerstattungsantrag"


def wordy_places(person: Person) -> list[str]:
    """Pages about things that somebody gave long names without a space."""
    own = account(person, LONG)
    booked = spent(person, own, LONG, "12.00", tags=[LONG], notes=LONG * 3)
    bill = expected(person, LONG)
    recurrence = every_day(person, own, today() + timedelta(days=1), title=LONG)
    person.records("/piggy_banks", name=LONG, account_id=int(own), target_amount="4000")
    person.records("/budgets", name=LONG, active=True)
    category = person.records("/categories", name=LONG)["id"]
    person.records("/tokens", name=LONG * 4, access="read")
    rule = a_rule(person, LONG, str(person.records("/rule_groups", title=LONG, active=True)["id"]), LONG)
    return [
        "#/", "#/accounts", f"#/accounts/{own}", f"#/accounts/{own}/reconcile?date={today().isoformat()}",
        "#/transactions", f"#/transactions/{booked}", f"#/transactions/{booked}/edit",
        "#/bills", f"#/bills/{bill}", "#/recurrences",
        f"#/recurrences/{recurrence}", f"#/recurrences/{recurrence}/edit", "#/budgets",
        "#/categories", f"#/categories/{category}", "#/tags", "#/payees", "#/piggy-banks",
        "#/settings/tokens", "#/settings/apps", "#/settings/changes", "#/rules", f"#/rules/{rule}",
        f"#/rules/{rule}/try",
    ]  # fmt: skip


def test_no_page_is_wider_than_its_screen_with_long_words(
    visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str, size: str
) -> None:
    person = visitor(served, size, newcomer, is_known=True)
    widths = {}
    for place in wordy_places(person):
        person.opens(place)
        person.settles()
        widths[place] = width(person.page)

    assert too_wide(widths, size) == {}


# How far something reaches over the inner edge of what holds it, at most.
_OVER = """([holder, held]) => Math.max(...[...document.querySelectorAll(holder)].flatMap(one => {
    const end = one.getBoundingClientRect().right - parseFloat(getComputedStyle(one).paddingRight);
    return [...one.querySelectorAll(held)].map(inner => inner.getBoundingClientRect().right - end);
}))"""


@pytest.mark.parametrize("amount", ["18500000", "90000000000000000"])
def test_no_amount_runs_over_its_card(
    visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str, size: str, amount: str
) -> None:
    person = visitor(served, size, newcomer, is_known=True)
    spent(person, account(person, "Rupiah", currency_code="IDR"), "House", amount, currency="IDR")
    person.opens("#/")
    person.settles()
    expect(person.main.get_by_label("This period").get_by_text("Rp").first).to_be_visible()

    assert person.page.evaluate(_OVER, [".figures .card", ".amount"]) <= 1
    assert too_wide({"#/": width(person.page)}, size) == {}


def test_the_fields_of_a_dialog_stay_inside_it(
    visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str, size: str
) -> None:
    person = visitor(served, size, newcomer, is_known=True)
    person.opens("#/budgets")
    person.presses("Set an amount")
    expect(person.page.get_by_role("dialog").get_by_label("Amount")).to_be_visible()

    assert person.page.evaluate(_OVER, ["dialog .sheet", "input"]) <= 1
    assert person.page.evaluate(_OVER, ["dialog .field", "input"]) <= 1
