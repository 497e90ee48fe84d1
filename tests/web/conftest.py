"""A person in front of a real browser, with a real server behind it; whatever goes wrong on the way fails the test."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    Request,
    Response,
    expect,
    sync_playwright,
)

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.http.service.web_app import BUILT
from farthing.identity import sessions, users
from farthing.identity.signing_in.passwords import hash_password
from farthing.kernel.clock import stamp
from farthing.storage.unit import Database

from ..cli.conftest import EMAIL, PASSWORD, Server, Terminal, settle
from ..conftest import migrated
from ..needs import or_skip
from ..sessions.browser import NAME as COOKIE
from . import chromium

SIZES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
expect.set_options(timeout=60_000)  # a busy machine is no reason to fail; jobs wait for their process
# Of the app alone, which follows on its own time: until it has, the page before is still there.
FOLLOWED = """place => new Promise(done => {
    addEventListener('hashchange', () => done(), {once: true});
    location.hash = place;
})"""
# What the app does when it has followed a link is done when this resolves.
COMING = "() => { window.came = new Promise(done => addEventListener('hashchange', () => done(), {once: true})); }"
# Notices are shown for as long as people need. A busy machine needs longer until it comes to undo something.
PATIENT = """(() => {
    const inTime = window.setTimeout;
    window.setTimeout = (act, after, ...given) => inTime(act, after >= 10_000 ? 10 * after : after, ...given);
})()"""
_DAY_LASTS = timedelta(minutes=3)
_numbers = count(1)


def today() -> date:
    """Asked for when it is needed: since the tests were collected midnight may have come."""
    return datetime.now(UTC).date()


@pytest.fixture(autouse=True)
def no_loop_of_a_browser() -> None:
    """Here it is needed."""


@pytest.fixture(autouse=True)
def the_day_lasts() -> None:
    """Server and browser go by the real clock, so that no test begins on one day and ends on the next."""
    if (datetime.now(UTC) + _DAY_LASTS).date() != today():
        time.sleep(_DAY_LASTS.total_seconds())


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    assert (BUILT / "index.html").is_file(), "build the web app first: make web"
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with playwright.chromium.launch(
        executable_path=or_skip(chromium.shell_path(), "chromium"), args=chromium.FLAGS
    ) as opened:
        yield opened


@pytest.fixture(scope="session")
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """For what its shell does otherwise: it draws a little differently, and shows no PDF files."""
    with playwright.chromium.launch(
        executable_path=or_skip(chromium.path(), "chromium"), args=chromium.FLAGS
    ) as opened:
        yield opened


def removes(request: Request) -> bool:
    return request.method == "DELETE" or request.url.endswith("/undo")


@dataclass
class Person:
    """Somebody with a page open. `forgives` are the complaints that the test provokes itself."""

    page: Page
    server: Server
    terminal: Terminal
    context: BrowserContext
    is_on_phone: bool
    email: str = EMAIL
    complaints: list[str] = field(default_factory=list)
    forgives: list[str] = field(default_factory=list)
    has_left: bool = False
    reading: set[str] = field(default_factory=set)
    overtaken: set[str] = field(default_factory=set)
    removals: int = 0

    def listen(self) -> None:
        self.page.on("request", self._notes_request)
        self.page.on("response", self._notes_response)
        self.page.on("console", self._hear_console)
        self.page.on("pageerror", lambda error: self._hear(f"error: {error}"))
        self.page.on("requestfailed", self._hear_failure)

    def _notes_request(self, request: Request) -> None:
        if request.method == "GET":
            self.reading.add(request.url)
        elif removes(request):
            self.removals += 1

    def _notes_response(self, response: Response) -> None:
        """What the page was reading when something was removed may no longer be there. That is nobody's fault."""
        if removes(response.request):
            self.removals -= 1
            self.overtaken |= self.reading
        self.reading.discard(response.url)
        if response.status == 404 and self.removals > 0:
            self.overtaken.add(response.url)
        if response.status >= 400 and not (response.status == 404 and response.url in self.overtaken):
            self._hear(f"{response.status} {response.url}")

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not (" 404 " in message.text and message.location["url"] in self.overtaken):
            self._hear(f"console: {message.text}")

    def _hear(self, complaint: str) -> None:
        if not self.has_left:
            self.complaints.append(complaint)

    def _hear_failure(self, request: Request) -> None:
        self.removals -= removes(request)
        self.reading.discard(request.url)
        failure = request.failure or ""
        # Whoever types on, or leaves a page, no longer wants the answer to the last question.
        if "ERR_ABORTED" not in failure:
            self._hear(f"failed: {request.url} {failure}")

    def unforgiven(self) -> list[str]:
        return [one for one in self.complaints if not any(re.search(pattern, one) for pattern in self.forgives)]

    def opens(self, place: str = "#/") -> None:
        """Until the app has left the page before, where there may be a field of the same name."""
        if self.page.url.partition("#")[0] != f"{self.server.address}/":
            self.page.goto(f"{self.server.address}/{place}")
        elif self.page.evaluate("location.hash") != place:
            self.page.evaluate(FOLLOWED, place)

    def settles(self) -> None:
        """Until everything that the page asked for is there."""
        expect(self.page.locator("main :is(.waiting, [aria-busy=true])")).to_have_count(0)

    def signs_in(self, password: str = PASSWORD) -> None:
        self.opens()
        self.page.get_by_label("E-mail").fill(self.email)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        self.is_in()

    def is_in(self) -> None:
        expect(self.page.get_by_role("link", name="New transaction")).to_be_visible()

    def records(self, path: str, **fields: Any) -> dict[str, Any]:
        """Something that is there already, not part of what is tested; the answer is what the API says of it."""
        return self._sends("POST", path, fields)

    def changes_elsewhere(self, path: str, **fields: Any) -> dict[str, Any]:
        """As if in another tab."""
        return self._sends("PUT", path, fields)

    def removes(self, path: str) -> None:
        asking, api = self.context.request, f"{self.server.address}/api/v1"
        proof = asking.get(f"{api}/session").json()["data"]["attributes"]["csrf_token"]
        assert asking.delete(f"{api}{path}", headers={"X-CSRF-Token": proof}).ok

    def reads(self, path: str) -> list[dict[str, Any]]:
        answer = self.context.request.get(f"{self.server.address}/api/v1{path}")
        assert answer.ok, answer.text()
        return answer.json()["data"]

    def _sends(self, method: str, path: str, fields: dict[str, Any]) -> dict[str, Any]:
        asking, api = self.context.request, f"{self.server.address}/api/v1"
        proof = asking.get(f"{api}/session").json()["data"]["attributes"]["csrf_token"]
        answer = asking.fetch(f"{api}{path}", method=method, data=fields, headers={"X-CSRF-Token": proof})
        assert answer.ok, answer.text()
        return answer.json()["data"]

    def goes_to(self, name: str) -> None:
        """By the menu, which a phone hides behind a button. Until the page before has gone."""
        if self.is_on_phone:
            self.page.get_by_role("button", name="More", exact=True).click()
        link = self.page.get_by_role("navigation", name="Menu").get_by_role("link", name=name, exact=True)
        is_elsewhere = link.get_attribute("href") != self.page.evaluate("location.hash")
        if is_elsewhere:
            self.page.evaluate(COMING)
        link.click()
        if is_elsewhere:
            self.page.evaluate("window.came")
        expect(self.page.locator("#menu a[aria-current=page]")).to_have_text(name)

    def goes_by_keys(self, second: str, place: str) -> None:
        """With `g` and a second letter. On a busy machine more than the two seconds that the first one waits may pass
        between them, because Playwright sends a key when the page has handled the one before.
        """
        for _ in range(5):
            self.page.keyboard.press("g")
            self.page.keyboard.press(second)
            if self.page.evaluate("location.hash").startswith(place):
                return
        raise AssertionError(f"g {second} does not lead to {place}")

    @property
    def main(self) -> Locator:
        return self.page.locator("#page")

    def field(self, label: str) -> Locator:
        return self.page.locator("main").get_by_label(label).first

    def presses(self, name: str, *, exact: bool = False) -> None:
        self.page.get_by_role("button", name=name, exact=exact).first.click()

    def chooses(self, name: str) -> None:
        """From what the page can do besides its main button."""
        self.main.get_by_role("button", name="More actions").click()
        self.main.locator(".more .list").locator("a, button").filter(has_text=name).click()

    def is_told(self, text: str) -> Locator:
        notice = self.page.get_by_role("region", name="Notices").get_by_text(text)
        expect(notice.first).to_be_visible()
        return notice.first

    def undoes(self) -> None:
        self.page.get_by_role("region", name="Notices").get_by_role("button", name="Undo").last.click()
        self.is_told("Undone.")


@contextmanager
def an_owner_at(terminal: Terminal, **settings: str) -> Iterator[Server]:
    """A server for one owner."""
    with settle(terminal).serving(**settings) as server:
        yield server


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Terminal, Server]]:
    """One server for all, because to start one takes longer than most of what is tested."""
    terminal = Terminal(tmp_path_factory.mktemp("served"))
    # The receivers of webhooks are on this machine.
    with an_owner_at(terminal, FARTHING_OUTGOING_PRIVATE="1") as server:
        yield terminal, server


@pytest.fixture(scope="session")
def served_books(served: tuple[Terminal, Server]) -> Iterator[Database]:
    """The database of that server, for what a test only needs to be there."""
    terminal, _ = served
    with migrated("", terminal.folder / "data") as database:
        yield database


@pytest.fixture
def newcomer(served_books: Database) -> str:
    """The address of somebody with empty books: every test has a user of its own."""
    email = f"ann{next(_numbers)}@example.org"
    with served_books.writing() as db:
        user_lifecycle.add(db, email, _password_hash(), "UTC", stamp(datetime.now(UTC)))
    return email


@cache
def _password_hash() -> str:
    return hash_password(PASSWORD)


@dataclass
class Windows:
    """Used by one test after the other: opening one takes longer than loading the app."""

    browser: Browser
    home: str
    # What a service worker delivers, a test can neither count nor lose on the way.
    has_worker: bool = False
    free: dict[str, list[Page]] = field(default_factory=lambda: {size: [] for size in SIZES})

    def open(self, size: str) -> Page:
        # Animations take a third of the browser's time.
        workers: Literal["allow", "block"] = "allow" if self.has_worker else "block"
        context = self.browser.new_context(
            locale="en-US", reduced_motion="reduce", timezone_id="UTC", service_workers=workers, **SIZES[size]
        )
        context.add_init_script(PATIENT)
        return context.new_page()

    def take(self, size: str) -> Page:
        return self.free[size].pop() if self.free[size] else self.open(size)

    def give_back(self, size: str, page: Page, server: Server) -> None:
        """Nothing stays but the browser's cache."""
        page.goto(self.home)  # stays in the same process, unlike about:blank
        page.evaluate("sessionStorage.clear()")  # from there, because the app may be starting over
        page.unroute_all(behavior="ignoreErrors")
        page.context.set_offline(False)
        page.context.clear_cookies()
        page.emulate_media(color_scheme="null")
        page.set_viewport_size(SIZES[size]["viewport"])
        page.mouse.move(0, 0)
        tools = page.context.new_cdp_session(page)
        tools.send("Storage.clearDataForOrigin", {"origin": server.address, "storageTypes": "local_storage"})
        tools.detach()
        self.free[size].append(page)


@pytest.fixture(scope="session")
def windows(browser: Browser, served: tuple[Terminal, Server]) -> Windows:
    return Windows(browser, home=f"{served[1].address}/health")


def _sign_in(page: Page, server: Server, books: Database, email: str) -> None:
    """A minute ago, without the form and without the password, which most tests are not about."""
    now = datetime.now(UTC) - timedelta(minutes=1)
    with books.writing() as db:
        user = users.find_by_email(db, email)
        assert user is not None
        begun = sessions.begin(db, user.id, agent="Chromium", before=None, now=stamp(now), days=1)
    page.context.add_cookies([{"name": COOKIE, "value": begun.secret, "url": server.address, "httpOnly": True}])
    if page.url != f"{server.address}/health":
        page.goto(f"{server.address}/health")
    page.evaluate("user => localStorage.setItem('been-here', user)", str(user.id))


@pytest.fixture
def visitor(windows: Windows, served_books: Database) -> Iterator[Callable[..., Person]]:
    """Makes people; when the test is over, nothing may have gone wrong with any of them."""
    people: list[Person] = []
    with ExitStack() as leaving:

        def visit(
            served: tuple[Terminal, Server],
            size: str = "desk",
            email: str = EMAIL,
            *,
            is_known: bool = False,
            has_own_window: bool = False,
        ) -> Person:
            """Whoever is known is signed in."""
            terminal, server = served
            page = windows.open(size) if has_own_window else windows.take(size)
            if is_known:
                _sign_in(page, server, served_books, email)
            person = Person(page, server, terminal, page.context, size == "phone", email)
            if has_own_window:
                leaving.callback(page.context.close)
            else:
                leaving.callback(windows.give_back, size, page, server)
            person.listen()
            people.append(person)
            return person

        yield visit
        for person in people:
            person.has_left = True
            assert not person.unforgiven()


@pytest.fixture
def ann(visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str) -> Person:
    """With empty books, signed in; no page is open yet."""
    return visitor(served, email=newcomer, is_known=True)


@pytest.fixture
def ann_on_phone(visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str) -> Person:
    return visitor(served, "phone", newcomer, is_known=True)


@pytest.fixture
def ann_in_own_window(visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str) -> Person:
    """For tests that leave something in the window, or need one that has cached nothing yet."""
    return visitor(served, email=newcomer, is_known=True, has_own_window=True)
