"""The first visit, with the demo's books: how much goes over the wire until they are shown."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import CDPSession, expect

from farthing.http.service.web_app import BUILT

from ..cli.conftest import Server, Terminal
from .conftest import Person

REQUESTS_MAX, BYTES_MAX, BYTES_BEFORE_PICTURE_MAX = 12, 280_000, 120_000
BYTES_OF_A_LANGUAGE_MAX = 30_000
LATER = ("/api/v1/inbox?", "/api/v1/notices/unread", "/api/v1/events")


class Wire:
    """What the browser received, as it came over the wire."""

    def __init__(self, tools: CDPSession) -> None:
        self.sent: dict[str, str] = {}
        self.received: dict[str, int] = {}
        self.named: set[str] = set()
        self.texts: set[str] = set()
        tools.on("Network.requestWillBeSent", self._note_request)
        tools.on(
            "Network.loadingFinished", lambda one: self.received.update({one["requestId"]: one["encodedDataLength"]})
        )
        tools.send("Network.enable")

    def _note_request(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.sent[event["requestId"]] = event["request"]["url"]
            if event["type"] == "Document" or event["initiator"]["type"] == "parser":
                self.named.add(event["requestId"])
            if re.search(r"/assets/[a-z]{2}-", event["request"]["url"]):
                self.texts.add(event["requestId"])

    @property
    def bytes_before_picture(self) -> int:
        """Of the document, what it names, and the texts: however busy the machine is, the picture waits for no more."""
        return sum(size for request, size in self.received.items() if request in self.named | self.texts)


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

    person.page.goto(f"{server.address}/health")
    tools = person.context.new_cdp_session(person.page)
    tools.send("Network.clearBrowserCache")
    wire = Wire(tools)
    person.page.goto(f"{server.address}/#/")
    person.settles()
    expect(person.main.get_by_role("slider").first).to_be_visible()

    # A busy machine may have come to what is asked for after the page.
    addresses = sorted(
        url for url in (one.removeprefix(server.address) for one in wire.sent.values()) if not url.startswith(LATER)
    )
    assert len(addresses) <= REQUESTS_MAX, "\n".join(addresses)
    assert 100_000 < wire.bytes_before_picture <= BYTES_BEFORE_PICTURE_MAX
    assert len(wire.texts) == 1, "one language is loaded"
    assert wire.received[wire.texts.pop()] <= BYTES_OF_A_LANGUAGE_MAX
    assert wire.bytes_before_picture < sum(wire.received.values()) <= BYTES_MAX


def test_no_language_adds_more_than_its_share_to_a_visit() -> None:
    sizes = {file.name: file.stat().st_size for file in (BUILT / "assets").glob("??-*.js.br")}

    assert {name[:2] for name in sizes} == {"en", "de", "fr", "nl", "es"}
    assert {name: size for name, size in sizes.items() if size > BYTES_OF_A_LANGUAGE_MAX} == {}
