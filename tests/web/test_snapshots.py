"""Ten pages look as they did, in both themes. `make snapshots` takes the references anew.

They are robust between machines: the clock and the books are fixed, every letter is the same block of a font of our
own (because fonts differ, and with them every line break), and a few pixels may differ. What is compared is the
layout, the colours and the icons.
"""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from ..cli.conftest import EMAIL, PASSWORD, Server, Terminal
from .blocks import make_font

REFERENCES = Path(__file__).parent / "snapshots"
PLACES = {
    "dashboard": "#/",
    "accounts": "#/accounts",
    "account": "#/accounts/1",
    "transactions": "#/transactions",
    "new-transaction": "#/transactions/new",
    "bills": "#/bills",
    "recurrences": "#/recurrences",
    "budgets": "#/budgets",
    "piggy-banks": "#/piggy-banks",
    "settings": "#/settings",
}
NOW = "2026-03-18T12:00:00+00:00"
DIFFERENT_SHARE_MAX = 0.02
REFERENCE_BYTES_MAX = 40_000
_BLOCKS = """font => {
    const style = document.createElement('style');
    style.textContent = `@font-face { font-family: Blocks; src: url(data:font/ttf;base64,${font}); }
        * { font-family: Blocks !important; animation: none !important; transition: none !important; }
        :focus { outline: none !important; } * { caret-color: transparent !important; }`;
    document.head.append(style);
    return document.fonts.load('16px Blocks').then(found => found.length);
}"""
# The share of pixels with a channel that differs clearly; 1 if the sizes differ.
_COMPARE = """async ([one, other]) => {
    const pixels = async picture => {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
        const drawing = canvas.getContext('2d');
        drawing.drawImage(image, 0, 0);
        return drawing.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = [await pixels(one), await pixels(other)];
    if (a.width !== b.width || a.height !== b.height) return 1;
    let different = 0;
    for (let at = 0; at < a.data.length; at += 4)
        if ([0, 1, 2].some(channel => Math.abs(a.data[at + channel] - b.data[at + channel]) > 24)) different++;
    return different / (a.data.length / 4);
}"""


@pytest.fixture(scope="module")
def household(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The demo's books on a fixed day."""
    terminal = Terminal(tmp_path_factory.mktemp("household"))
    clock = terminal.folder / "clock"
    clock.write_text(NOW)
    settings = {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(clock)}  # one without the other does not count
    terminal.run("user", "create", EMAIL, "--password-stdin", typed=f"{PASSWORD}\n", **settings)
    assert terminal.run("demo", "--email", EMAIL, "--years", "1", **settings).returncode == 0
    with terminal.serving(**settings) as server:
        yield server


@pytest.fixture
def context(whole_browser: Browser) -> Iterator[BrowserContext]:
    """At half the size, which is enough to see and a quarter of the bytes. The policy would not allow the font."""
    opened = whole_browser.new_context(
        viewport={"width": 1280, "height": 900},
        device_scale_factor=0.5,
        locale="en-US",
        timezone_id="UTC",
        bypass_csp=True,
    )
    yield opened
    opened.close()


@pytest.mark.long
def test_pages_look_as_they_did(household: Server, context: BrowserContext) -> None:
    page, blank = context.new_page(), context.new_page()
    page.clock.set_fixed_time(NOW)
    _enter(page, household)
    changed = {}
    for name, place in PLACES.items():
        for theme, picture in _take(page, place).items():
            reference = REFERENCES / f"{name}-{theme}.png"
            if os.environ.get("FARTHING_SNAPSHOTS") == "take":
                reference.write_bytes(picture)
            share = blank.evaluate(_COMPARE, [_text(reference.read_bytes()), _text(picture)])
            if share > DIFFERENT_SHARE_MAX:
                changed[reference.name] = f"{share:.1%} of the pixels differ"
                (household.log.parent / reference.name).write_bytes(picture)

    assert changed == {}, f"pictures as they are now: {household.log.parent}; if they should be so: make snapshots"
    assert all(one.stat().st_size <= REFERENCE_BYTES_MAX for one in REFERENCES.glob("*.png"))


def _enter(page: Page, server: Server) -> None:
    page.route("**/api/v1/events", lambda route: route.abort())  # a page that listens is never idle
    page.goto(server.address)
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="New transaction")).to_be_visible()
    assert page.evaluate(_BLOCKS, _text(make_font())) == 1


def _take(page: Page, place: str) -> dict[str, bytes]:
    page.evaluate("place => location.hash = place", place)
    page.wait_for_load_state("networkidle")
    expect(page.locator("main :is(.waiting, [aria-busy=true])")).to_have_count(0)
    pictures = {}
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type] # one of its words
        pictures[theme] = page.screenshot()
    return pictures


def _text(picture: bytes) -> str:
    return base64.b64encode(picture).decode()
