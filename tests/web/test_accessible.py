"""Every page, light and dark, meets WCAG 2.2 AA as far as axe can tell."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import JSHandle, Page, expect

from ..cli.conftest import Server, Terminal
from .books import a_rule, account, every_day, expected, spent
from .conftest import EMAIL, PASSWORD, SIZES, Person, today

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PLACES = [
    "#/", "#/accounts", "#/accounts?type=expense", "#/accounts/new?type=asset", "#/accounts/new?type=liability",
    "#/transactions", "#/transactions/new", "#/inbox", "#/bills", "#/bills/new", "#/recurrences", "#/recurrences/new",
    "#/calendar", "#/budgets", "#/budgets?view=envelopes", "#/categories", "#/tags", "#/payees", "#/rules",
    "#/rules/new",
    "#/reports", "#/reports/income", "#/reports/worth", "#/reports/flow", "#/reports/budgets",
    "#/piggy-banks", "#/settings", "#/settings/security", "#/settings/tokens", "#/settings/apps", "#/settings/changes",
    "#/settings/sharing", "#/settings/activity", "#/settings/webhooks",
    "#/settings/export", "#/settings/usage", "#/settings/about", "#/notices", "#/settings/notices",
    "#/settings/rates", "#/imports", "#/accounts/1",
]  # fmt: skip
# What else is on a phone than a narrower page: rows that become cards, fields and buttons in another order.
OTHERWISE_ON_PHONE = {
    "#/", "#/accounts", "#/transactions", "#/transactions/new", "#/bills", "#/recurrences", "#/calendar",
    "#/categories", "#/rules", "#/rules/new", "#/settings/changes", "#/settings/tokens", "#/accounts/1",
}  # fmt: skip
# What a button of a page opens, and where.
OPENED = [
    ("#/", "Explain what is left to spend in EUR", "dialog"),
    ("#/budgets", "New budget", "dialog"), ("#/piggy-banks", "New piggy bank", "dialog"),
    ("#/piggy-banks", "Put in / Take out", "dialog"), ("#/piggy-banks", "History", "dialog"),
    ("#/rules", "New group", "dialog"), ("#/categories", "New category", "dialog"),
    ("#/categories/1", "Edit", "dialog"),
    ("#/transactions?type=deposit", "Save this filter", "dialog"),
    ("#/accounts/1", "Show as table", "figure"), ("#/", "Arrange", "dialog"), ("#/accounts", "Arrange", "dialog"),
    ("#/reports", "Save this report", "dialog"),
]  # fmt: skip
LEVELS = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLORS = ["color-contrast", "link-in-text-block"]
EVERYTHING: dict[str, Any] = {"runOnly": LEVELS, "rules": {"target-size": {"enabled": True}}}
BUT_COLORS = {**EVERYTHING, "rules": EVERYTHING["rules"] | {color: {"enabled": False} for color in COLORS}}
ONLY_COLORS = {"runOnly": {"type": "rule", "values": COLORS}}
# Style sheets are loaded again only for a rule that is not among these.
_LOOK = """([within, how]) => axe.run(within, {...how, preload: false, resultTypes: ['violations']}).then(found =>
    found.violations.map(one => one.id + ': ' + one.help + ' at ' + one.nodes.map(node => node.target).join(', ')))"""
# Every field, and three of all texts with the same colors, size and backgrounds: the rows of a list are all the same.
# What axe leaves out, because it is disabled or not seen, must not stand for others.
_SAMPLES = """within => {
    const seen = new Map();
    const left = '.unseen, :disabled, [aria-disabled=true]';
    return [...document.querySelectorAll(`${within} *`)].filter(one => {
        if (one.closest(left) || one.closest('label')?.control?.disabled || !one.checkVisibility()) return false;
        if (one.matches('input, select, textarea')) return true;
        if (![...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())) return false;
        const {color, fontSize, fontWeight} = getComputedStyle(one);
        const looks = [one.localName, color, fontSize, fontWeight];
        for (let behind = one; behind; behind = behind.parentElement) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(behind);
            const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1';
            if (!isClear) looks.push(backgroundColor, backgroundImage, opacity);
        }
        const times = seen.get(looks.join()) ?? 0;
        seen.set(looks.join(), times + 1);
        return times < 3;
    });
}"""


def wrongs(page: Page, within: str = "main") -> list[str]:
    """In both themes. In the dark nothing differs but colors: to compare all of them again would take the longest."""
    page.emulate_media(color_scheme="light")
    light = _look(page, within, EVERYTHING)
    page.emulate_media(color_scheme="dark")
    dark = _look(page, page.evaluate_handle(_SAMPLES, within), ONLY_COLORS)
    return [*light, *(f"dark: {one}" for one in dark)]


def _look(page: Page, within: str | JSHandle, how: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    return list(page.evaluate(_LOOK, [within, how]))


def too_wide(page: Page) -> list[str]:
    """On which screens the page would have to be scrolled sideways.

    No page is opened again for that: nothing but the width tells a phone from a desk.
    """
    before = page.viewport_size
    assert before
    found = [f"too wide at a {size}" for size in SIZES if not _fits(page, size)]
    page.set_viewport_size(before)
    return found


def _fits(page: Page, size: str) -> bool:
    """Charts follow the width a moment later."""
    page.set_viewport_size(SIZES[size]["viewport"])
    until = time.monotonic() + 5
    while (
        not (fits := page.evaluate("document.documentElement.scrollWidth <= innerWidth")) and time.monotonic() < until
    ):
        page.wait_for_timeout(50)
    return bool(fits)


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
    visitor: Callable[..., Person], furnished: tuple[Terminal, Server]
) -> None:
    person = visitor(furnished)
    person.opens("#/")
    expect(person.page.get_by_role("heading", name="Sign in")).to_be_visible()
    found = {"sign-in": [*wrongs(person.page, "html"), *too_wide(person.page)]}
    person.signs_in()
    # More rows would be the same again.
    person.changes_elsewhere("/preferences/listPageSize", data=5)
    person.changes_elsewhere("/preferences/viewRange", data="1M")
    found["around each page"] = wrongs(person.page, "html")
    for place in PLACES:
        person.opens(place)
        person.settles()
        found[place] = [*wrongs(person.page), *too_wide(person.page)]
        if place in OTHERWISE_ON_PHONE:
            found[f"{place} on a phone"] = _wrongs_on_phone(person)
    found |= {" ".join(opened): _wrongs_opened(person, *opened) for opened in OPENED}
    person.presses("Keyboard shortcuts")
    found["shortcuts"] = wrongs(person.page, "dialog")
    person.page.keyboard.press("Escape")
    person.page.set_viewport_size(SIZES["phone"]["viewport"])
    found["around each page on a phone"] = wrongs(person.page, "html")
    person.presses("More", exact=True)
    found["menu"] = wrongs(person.page, "#menu")

    assert {place: wrong for place, wrong in found.items() if wrong} == {}


def _wrongs_on_phone(person: Person) -> list[str]:
    person.page.set_viewport_size(SIZES["phone"]["viewport"])
    person.settles()
    found = _look(person.page, "main", BUT_COLORS)
    person.page.set_viewport_size(SIZES["desk"]["viewport"])
    return found


def _wrongs_opened(person: Person, place: str, button: str, within: str) -> list[str]:
    person.opens(place)
    person.settles()
    person.presses(button)
    person.settles()
    found = wrongs(person.page, within)
    person.page.keyboard.press("Escape")
    return found


SMALL_PHONE = {"width": 320, "height": 900}
# A made-up language: English, 40 % longer and with accents.
PSEUDO = """
import { en as plain } from './%s?plain';
const ACCENTS = {a: 'áá', e: 'éé', i: 'íí', o: 'óó', u: 'úú', A: 'ÁÁ', E: 'ÉÉ', I: 'ÍÍ', O: 'ÓÓ', U: 'ÚÚ'};
const longer = text => text.replace(/[aeiou]/gi, letter => ACCENTS[letter]);
const translate = message =>
    typeof message === 'string' ? longer(message)
    : typeof message === 'function' ? (...values) => translate(message(...values))
    : Array.isArray(message) ? message.map(translate)
    : message && typeof message === 'object'
    ? Object.fromEntries(Object.entries(message).map(([name, text]) => [name, translate(text)]))
    : message;
export const en = translate(plain);
"""
# Where a text reaches over the edge of what holds it. What scrolls, and what ends in dots, is meant to.
_CUT = """() => [...document.querySelectorAll('main *, #menu *, header *, nav *')].filter(one => {
    const {overflowX, textOverflow, display} = getComputedStyle(one);
    if (one.closest('.unseen, svg, select, [hidden]') || display.startsWith('inline')) return false;
    if (!one.checkVisibility()) return false;
    if (['auto', 'scroll'].includes(overflowX) || textOverflow === 'ellipsis' || one.clientWidth < 4) return false;
    if (one.matches('input, textarea, option') || one.parentElement.closest('.unseen')) return false;
    return one.scrollWidth > one.clientWidth + 1 && !one.querySelector(':scope .unseen');
}).map(one => `${one.localName}.${one.className} ${one.textContent.trim().slice(0, 40)}`).slice(0, 4)"""


def _cut(person: Person) -> list[str]:
    page = person.page
    wide = [] if page.evaluate("document.documentElement.scrollWidth <= innerWidth") else ["the page is too wide"]
    return [*wide, *page.evaluate(_CUT)]


def _lengthen(person: Person) -> None:
    """Loads the texts in the language that this test makes up."""
    page = person.page
    page.route("**/assets/en-*.js", lambda route: route.fulfill(
        body=PSEUDO % route.request.url.rpartition("/")[2], content_type="text/javascript",
    ))  # fmt: skip
    page.set_viewport_size(SMALL_PHONE)
    page.reload()
    expect(page.get_by_role("heading", name="Dáá").first).to_be_visible()


@pytest.mark.long
def test_texts_that_are_longer_or_run_from_right_to_left_fit_a_small_phone(
    visitor: Callable[..., Person], furnished: tuple[Terminal, Server]
) -> None:
    person = visitor(furnished, has_own_window=True)
    person.signs_in()
    _lengthen(person)

    found = {}
    for place in PLACES:
        person.opens(place)
        person.settles()
        found[place] = _cut(person)
        person.page.evaluate("document.documentElement.dir = 'rtl'")
        found[f"{place} from right to left"] = _cut(person)
        person.page.evaluate("document.documentElement.dir = ''")

    assert {place: cut for place, cut in found.items() if cut} == {}


@pytest.mark.long
def test_every_page_is_accessible_in_german_on_a_small_phone(
    visitor: Callable[..., Person], furnished: tuple[Terminal, Server]
) -> None:
    person = visitor(furnished, has_own_window=True)
    person.signs_in()
    person.changes_elsewhere("/preferences/language", data="de_DE")
    person.page.set_viewport_size(SMALL_PHONE)
    person.page.reload()
    expect(person.page.get_by_role("heading", name="Nettovermögen").first).to_be_visible()

    found = {}
    for place in PLACES:
        person.opens(place)
        person.settles()
        found[place] = [*_look(person.page, "html", BUT_COLORS), *_cut(person)]
    person.changes_elsewhere("/preferences/language", data="en_US")

    assert {place: wrong for place, wrong in found.items() if wrong} == {}


LONG = "Berufsunfähigkeitsversicherungsbeitragsrückerstattungsantrag"


def wordy_places(person: Person) -> list[str]:
    """Pages about things that somebody gave long names without a space."""
    own = account(person, LONG)
    category = person.records("/categories", name=LONG)["id"]
    names = {"destination_name": LONG, "category_name": LONG}
    split = {"amount": "12.00", "currency_code": "EUR", "source_id": own}
    booked = spent(person, own, LONG, transactions=[split | names], tags=[LONG], notes=LONG * 3)
    bill = expected(person, LONG)
    recurrence = every_day(person, own, today() + timedelta(days=1), title=LONG)
    person.records("/piggy_banks", name=LONG, account_id=int(own), target_amount="4000")
    person.records("/budgets", name=LONG, active=True)
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


def test_no_page_is_wider_than_its_screen_with_long_words(ann: Person) -> None:
    found = {}
    for place in wordy_places(ann):
        ann.opens(place)
        ann.settles()
        found[place] = too_wide(ann.page)

    assert {place: wide for place, wide in found.items() if wide} == {}


# How far something reaches over the inner edge of what holds it, at most.
_OVER = """([holder, held]) => Math.max(...[...document.querySelectorAll(holder)].flatMap(one => {
    const end = one.getBoundingClientRect().right - parseFloat(getComputedStyle(one).paddingRight);
    return [...one.querySelectorAll(held)].map(inner => inner.getBoundingClientRect().right - end);
}))"""


@pytest.mark.parametrize("amount", ["18500000", "90000000000000000"])
def test_no_amount_runs_over_its_card(ann: Person, amount: str) -> None:
    spent(ann, account(ann, "Rupiah", currency_code="IDR"), "House", amount, currency="IDR")
    ann.opens("#/")
    ann.settles()
    expect(ann.main.get_by_label("This period").get_by_text("Rp").first).to_be_visible()

    assert over(ann.page, ".figures .card", ".amount") == []
    assert too_wide(ann.page) == []


def over(page: Page, holder: str, held: str) -> list[str]:
    """On which screens something reaches over the edge of what holds it."""
    found = []
    for size, screen in SIZES.items():
        page.set_viewport_size(screen["viewport"])
        if page.evaluate(_OVER, [holder, held]) > 1:
            found.append(size)
    return found


def test_the_fields_of_a_dialog_stay_inside_it(ann: Person) -> None:
    ann.opens("#/budgets")
    ann.presses("Set an amount")
    expect(ann.page.get_by_role("dialog").get_by_label("Amount")).to_be_visible()

    assert over(ann.page, "dialog .sheet", "input") == []
    assert over(ann.page, "dialog .field", "input") == []
