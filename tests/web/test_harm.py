"""No attached file can run code or reach the books."""

import re

import pytest
from playwright.sync_api import Browser, Frame, expect

from ..attachments import samples
from ..cli.conftest import Server, Terminal
from .conftest import Person, Windows

# Every way in that we know of: storage and page of the app, and its API with the session's cookie.
HARM = "localStorage.stolen = '1'; parent.document.title = 'stolen'; top.stolen = true;"
PAGE = f"<!doctype html><html><body><script>{HARM}</script></body></html>".encode()
DRAWING = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{HARM}"><script>{HARM}</script></svg>'.encode()
REACHED = """() => {
    const tried = (act) => { try { act(); return 'reached'; } catch { return 'refused'; } };
    return fetch(API).then((answer) => answer.text()).then(() => 'reached', () => 'refused').then((api) => [
        self.origin, api, tried(() => parent.document.title), tried(() => top.document.title),
        tried(() => localStorage.length), tried(() => document.cookie.length)]);
}"""


RENT = {
    "name": "Rent", "match": "rent", "amount_min": "790", "amount_max": "810", "currency_code": "EUR",
    "date": "2026-01-01", "repeat_freq": "monthly", "skip": 0, "automatch": True, "active": True,
}  # fmt: skip


@pytest.fixture
def windows(whole_browser: Browser, served: tuple[Terminal, Server]) -> Windows:
    """Of a browser with a viewer for PDF files."""
    return Windows(whole_browser, home=f"{served[1].address}/health")


def keeps(ann: Person, name: str, content: bytes) -> None:
    ann.page.locator("input[type=file]").first.set_input_files({"name": name, "mimeType": "", "buffer": content})
    ann.is_told(f"“{name}” added.")


def nothing_happened(ann: Person) -> bool:
    return bool(ann.page.evaluate("localStorage.stolen === undefined && top.stolen === undefined"))


def shown(ann: Person, name: str) -> Frame:
    """The frame that carries the browser's viewer."""
    ann.presses(f"Preview {name}")
    carrier = ann.page.get_by_role("dialog").locator("iframe")
    expect(carrier.content_frame.locator("iframe")).to_have_attribute("src", re.compile("^blob:null/"))
    return next(frame for frame in ann.page.frames if frame.url.startswith("data:"))


def has_viewer(ann: Person) -> bool:
    """The browser's own, which takes its time to start."""
    for _ in range(300):
        if any(frame.url.startswith("chrome-extension:") for frame in ann.page.frames):
            return True
        ann.page.wait_for_timeout(200)
    return False


def test_no_attached_file_can_run_code_or_reach_the_books(ann: Person) -> None:
    ann.opens(f"#/bills/{ann.records('/bills', **RENT)['id']}")
    a_pdf_is_shown_in_an_origin_of_its_own(ann)
    what_only_claims_to_be_a_pdf_runs_no_code(ann)
    for name, content in (("page.pdf", PAGE), ("page.html", PAGE), ("drawing.svg", DRAWING)):
        what_could_run_code_can_only_be_downloaded(ann, name, content)


def a_pdf_is_shown_in_an_origin_of_its_own(ann: Person) -> None:
    keeps(ann, "invoice.pdf", samples.pdf())
    carrier = shown(ann, "invoice.pdf")
    api = f"{ann.server.address}/api/v1/session"
    ann.forgives += ["console: .*(CORS|ERR_FAILED)", "failed: .*/session", "401 "]

    found = carrier.evaluate(REACHED.replace("API", repr(api)))

    assert found == ["null", *["refused"] * 5]
    assert has_viewer(ann)
    closes(ann)


def what_only_claims_to_be_a_pdf_runs_no_code(ann: Person) -> None:
    keeps(ann, "both.pdf", samples.pdf() + PAGE)
    shown(ann, "both.pdf")

    assert has_viewer(ann)  # by then all of it was read, and taken for what it claims to be
    assert nothing_happened(ann)
    closes(ann)


def closes(ann: Person) -> None:
    ann.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(ann.page.get_by_role("dialog")).to_have_count(0)
    assert not any(frame.url.startswith("chrome-extension:") for frame in ann.page.frames)


def what_could_run_code_can_only_be_downloaded(ann: Person, name: str, content: bytes) -> None:
    """Also to whoever opens its address: it is saved, not shown."""
    keeps(ann, name, content)
    link = ann.page.get_by_role("link", name=f"Download {name}")
    expect(ann.page.get_by_role("button", name=f"Preview {name}")).to_have_count(0)
    with ann.page.expect_download() as saved:
        ann.page.evaluate("address => { location.href = address; }", link.get_attribute("href"))

    assert saved.value.suggested_filename == name
    assert nothing_happened(ann)
