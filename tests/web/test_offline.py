"""A phone without a network: what was seen is there, and what is recorded is sent once."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from farthing.storage.unit import Database

from ..cli.conftest import PASSWORD, Server, Terminal
from ..needs import or_skip
from . import chromium
from .books import account, opens_details, spent
from .cable import Cable, Way, laid_to
from .conftest import SIZES, Person, _sign_in, today
from .test_accessible import too_wide, wrongs
from .test_conflicts import keeps, versions

# Resolves when the service worker has the files and delivers them.
IN_CHARGE = """async () => {
    const workers = navigator.serviceWorker;
    if (!workers.controller) await new Promise(done => workers.addEventListener('controllerchange', done));
}"""
# How many objects are on this device, and what the app remembers about keeping them.
STORED = """async () => {
    const [{name}] = await indexedDB.databases();
    const db = await new Promise(done => indexedDB.open(name).onsuccess = ({target}) => done(target.result));
    const counts = ['waiting', 'answers', 'shared'].map(store => new Promise(done => {
        db.transaction(store).objectStore(store).count().onsuccess = ({target}) => done(target.result);
    }));
    return [await Promise.all(counts), Object.keys(localStorage).filter(key => key.startsWith('ke'))];
}"""
# Resolves when everything is there that the app opens with.
FILLED = """async () => {
    while (!Object.keys(localStorage).some(key => key.startsWith('kept-day')))
        await new Promise(done => setTimeout(done, 50));
}"""
RECEIPT = b"\x89PNG\r\n\x1a\n" + bytes(64)


@dataclass
class Phone:
    """A browser with a disk of its own, which can be killed and started again."""

    playwright: Playwright
    disk: Path
    cable: Cable
    ann: Person
    # Her other device, whose network works.
    desk: Person
    context: BrowserContext | None = None

    @property
    def page(self) -> Page:
        return self.ann.page

    def starts(self) -> None:
        self.context = self.playwright.chromium.launch_persistent_context(
            self.disk, executable_path=chromium.shell_path(), args=chromium.FLAGS, locale="en-US", timezone_id="UTC",
            **SIZES["phone"],
        )  # fmt: skip
        self.ann.page, self.ann.context = self.context.pages[0], self.context
        self.desk.context = self.context

    def is_closed(self) -> None:
        assert self.context is not None
        self.context.close()

    def is_killed(self) -> None:
        """All of its processes at once: it can write nothing more."""
        mark = f"--user-data-dir={self.disk}"
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (folder / "cmdline").read_text().split("\0"):
                    os.kill(int(folder.name), signal.SIGKILL)
        with suppress(Exception):  # it is gone already
            self.is_closed()

    def records(self, text: str, *, photo: bool = False) -> None:
        main = self.ann.main
        self.ann.field("Amount").fill("4.20")
        main.get_by_role("combobox", name="To", exact=True).fill(text)
        if photo:
            file = {"name": f"{text}.png", "mimeType": "image/png", "buffer": RECEIPT + text.encode()}
            main.locator("input[type=file]").first.set_input_files(file)
        self.page.keyboard.press("Control+Enter")
        self.ann.is_told(f"“{text}” is kept on this device")
        expect(self.ann.field("Amount")).to_have_value("")


@pytest.fixture
def phone(
    playwright: Playwright, served: tuple[Terminal, Server], served_books: Database, newcomer: str, tmp_path: Path
) -> Iterator[Phone]:
    """Ann's, who has her books kept on it."""
    or_skip(chromium.shell_path(), "chromium")
    terminal, server = served
    with laid_to(server.port) as cable:
        near = replace(server, port=cable.port)
        ann = Person(None, near, terminal, None, is_on_phone=True, email=newcomer)  # type: ignore[arg-type]
        phone = Phone(playwright, tmp_path / "disk", cable, ann, replace(ann, server=server))
        phone.starts()
        try:
            _sign_in(phone.page, near, served_books, newcomer)
            # The server's own cookie outlives the browser, too.
            lasting = [{**cookie, "expires": time() + 86_400} for cookie in ann.context.cookies()]
            ann.context.add_cookies(lasting)  # type: ignore[arg-type]
            yield phone
        finally:
            phone.is_killed()


def keeps_the_books(phone: Phone) -> None:
    phone.ann.opens("#/settings")
    phone.page.get_by_role("checkbox", name="Keep my books on this device").check()
    phone.page.evaluate(IN_CHARGE)
    phone.page.evaluate(FILLED)
    # What a browser remembers of a page reaches the disk some seconds later, or when it is closed.
    phone.is_closed()
    phone.starts()


def booked(phone: Phone) -> list[str]:
    return sorted(line["attributes"]["journal_description"] for line in phone.ann.reads("/transactions?limit=100"))


def test_what_is_recorded_without_a_network_is_sent_once_whatever_happens(phone: Phone, served_books: Database) -> None:
    ann, cable = phone.ann, phone.cable
    purse = account(ann, "Purse")
    spent(ann, purse, "Bread", "3.20")
    keeps_the_books(phone)
    cable.way = Way.CUT
    names = [f"Shop {number:02}" for number in range(1, 21)]
    for first in (0, 10):
        ann.opens("#/transactions/new")
        for name in names[first : first + 10]:
            phone.records(name, photo=name[-1] == "3" or name == "Shop 20")
        phone.is_killed()
        phone.starts()
    its_books_can_be_read(ann)
    ann.opens("#/waiting")
    expect(ann.main.get_by_role("listitem")).to_have_count(20)

    for way in (Way.UNAVAILABLE, Way.DEAF):
        cable.way = way
        ann.presses("Send now")
        expect(ann.main.get_by_role("button", name="Send now")).to_be_enabled()
    expect(ann.main.get_by_role("listitem").first).to_contain_text("It may have arrived")
    phone.is_killed()
    with served_books.writing() as db:
        db.run("DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = :email)", email=ann.email)
    cable.way = Way.OPEN
    phone.starts()
    ann.opens("#/waiting")
    ann.page.get_by_label("E-mail").fill(ann.email)
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.presses("Sign in", exact=True)

    expect(ann.main.get_by_text("Nothing is waiting")).to_be_visible()
    assert booked(phone) == ["Bread", *names]
    files = [line for line in ann.reads("/attachments?limit=100") if line["attributes"]["filename"].endswith(".png")]
    assert sorted(file["attributes"]["filename"] for file in files) == ["Shop 03.png", "Shop 13.png", "Shop 20.png"]


def its_books_can_be_read(ann: Person) -> None:
    for place, text in (
        ("", "Bread"),
        ("accounts", "Purse"),
        ("transactions", "Bread"),
        ("bills", ""),
        ("budgets", ""),
    ):
        ann.opens(f"#/{place}")
        ann.settles()
        expect(ann.main).to_contain_text("You see your books as of")
        expect(ann.main.get_by_text(text).first).to_be_visible()
        expect(ann.main.get_by_text("not responding")).to_have_count(0)


def test_what_the_server_refuses_is_shown_in_its_form_and_signing_out_deletes_it(phone: Phone) -> None:
    ann, cable = phone.ann, phone.cable
    purse, giro = account(ann, "Purse"), account(ann, "Girokonto")
    bread = spent(ann, giro, "Bread", "3.20")
    keeps_the_books(phone)
    cable.way = Way.CUT
    a_shared_receipt_begins_a_transaction(ann)
    ann.opens(f"#/transactions/{bread}/edit")
    ann.field("Amount").fill("3.50")
    ann.presses("Save", exact=True)
    ann.is_told("“Bread” is kept on this device")
    ann.opens("#/transactions/new")
    opens_details(ann)
    ann.field("Amount").fill("4.20")
    ann.page.get_by_role("combobox", name="From account").fill("Purse")
    ann.page.get_by_role("option", name="Purse").click()
    ann.main.get_by_role("combobox", name="To", exact=True).fill("Corner shop")
    ann.presses("Save", exact=True)
    ann.is_told("“Corner shop” is kept on this device")

    phone.desk.changes_elsewhere(f"/transactions/{bread}", **purchase(giro, "3.30"))
    phone.desk.removes(f"/accounts/{purse}")
    cable.way = Way.OPEN
    ann.opens("#/waiting")
    ann.presses("Send now")
    expect(ann.main.get_by_role("link", name="2 entries need you")).to_be_visible()
    assert (wrongs(ann.page), too_wide(ann.page)) == ([], [])

    ann.main.get_by_role("link", name="Open Bread").click()
    expect(versions(ann)).to_contain_text("3.30")
    keeps(ann, "Amount (1)", "Yours 3.50")
    ann.is_told("“Bread” saved.")
    ann.opens("#/waiting")
    ann.main.get_by_role("link", name="Open Corner shop").click()
    expect(ann.main.get_by_role("alert")).not_to_be_empty()
    assert [str(line["attributes"]["amount"]) for line in ann.reads("/transactions")] == ["-3.5"]

    ann.presses("More", exact=True)
    ann.presses("Sign out", exact=True)
    expect(ann.page.get_by_role("dialog")).to_contain_text("Some entries on this device have not been sent.")
    ann.presses("Leave")
    expect(ann.page.get_by_label("E-mail")).to_be_visible()
    assert ann.page.evaluate(STORED) == [[0, 0, 0], []]


def purchase(source_id: str, amount: str) -> dict[str, Any]:
    part = {"amount": amount, "currency_code": "EUR", "source_id": source_id, "destination_name": "Corner shop"}
    return {"type": "withdrawal", "date": today().isoformat(), "description": "Bread", "transactions": [part]}


SHARES = """([name, type]) => {
    const form = Object.assign(document.createElement('form'), {
        method: 'post', enctype: 'multipart/form-data', action: 'share',
    });
    const input = Object.assign(document.createElement('input'), {type: 'file', name: 'files'});
    const files = new DataTransfer();
    files.items.add(new File(['shared'], name, {type}));
    input.files = files.files;
    form.append(input);
    document.body.append(form);
    form.submit();
}"""


def a_shared_receipt_begins_a_transaction(ann: Person) -> None:
    """As another app shares it, which the worker takes, because the server does not answer."""
    ann.opens("#/bills")
    ann.page.evaluate(SHARES, ["receipt.pdf", "application/pdf"])
    expect(ann.main.get_by_text("receipt.pdf")).to_be_visible()
    assert (wrongs(ann.page), too_wide(ann.page)) == ([], [])
    ann.presses("New transaction with these files")
    expect(ann.field("Amount")).to_be_visible()
    expect(ann.main.get_by_text("receipt.pdf")).to_be_visible()
    ann.page.get_by_role("button", name="Cancel").click()
