"""The first visit, with the demo's books: how much goes over the wire until they are shown."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import CDPSession, expect

from ..cli.conftest import Server, Terminal
from .conftest import Person

REQUESTS_MAX, BYTES_MAX, BYTES_BEFORE_PICTURE_MAX = 12, 280_000, 120_000
LATER = ("/api/v1/inbox?", "/api/v1/notices/unread", "/api/v1/events")
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


class Wire:
    """What the browser received, as it came over the wire, and when."""

    def __init__(self, tools: CDPSession) -> None:
        self.sent: dict[str, tuple[float, str]] = {}
        self.received: list[tuple[float, int]] = []
        tools.on("Network.requestWillBeSent", self._note_request)
        tools.on(
            "Network.loadingFinished", lambda one: self.received.append((one["timestamp"], one["encodedDataLength"]))
        )
        tools.send("Network.enable")

    def _note_request(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.sent[event["requestId"]] = (event["timestamp"], event["request"]["url"])

    @property
    def began(self) -> float:
        return min(at for at, _ in self.sent.values())

    def bytes_until(self, seconds: float) -> int:
        return sum(size for at, size in self.received if at - self.began <= seconds)


def test_the_demos_link_opens_its_books_and_a_first_visit_is_small(
    visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    terminal, server = served
    said = terminal.says("demo", "--years", "1", "--port", str(server.port))
    link = re.search(r"http\S+sign-in\?code=\S+", said)
    assert link

    person = visitor(served, email="demo@localhost", has_own_window=True)
    person.page.goto(link[0])
    expect(person.main.get_by_role("link", name="Current account", exact=True).first).to_be_visible()

    tools = person.context.new_cdp_session(person.page)
    wire = Wire(tools)
    # On a busy machine the picture comes late, and what is not needed for it may have arrived by then.
    before_picture = min(visit(person, tools, wire) for _ in range(3))

    sent = (url.removeprefix(server.address) for _, url in wire.sent.values())
    # A busy machine may have come to what is asked for after the page.
    addresses = sorted(url for url in sent if not url.startswith(LATER))
    assert len(addresses) <= REQUESTS_MAX, addresses
    assert 30_000 < wire.bytes_until(60) <= BYTES_MAX
    assert 0 < before_picture <= BYTES_BEFORE_PICTURE_MAX


def visit(person: Person, tools: CDPSession, wire: Wire) -> int:
    """Opens the dashboard with nothing remembered, and counts the bytes that came before the first picture."""
    person.page.goto(f"{person.server.address}/health")
    tools.send("Network.clearBrowserCache")
    wire.sent.clear()
    wire.received.clear()
    person.page.goto(f"{person.server.address}/#/")
    person.settles()
    expect(person.main.get_by_role("slider").first).to_be_visible()
    return wire.bytes_until(person.page.evaluate(FIRST_PAINT))
