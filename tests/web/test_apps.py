"""Letting an app of somebody else in, from its first link to the end of its access."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pyotp
import pytest
import requests
from playwright.sync_api import expect

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.identity import users
from farthing.identity.apps import store
from farthing.identity.apps.model import AppDraft
from farthing.identity.factors import store as factors
from farthing.identity.sharing import members
from farthing.identity.user import Share
from farthing.kernel.clock import stamp
from farthing.storage.unit import Database

from ..apps.app import Proof
from ..cli.conftest import Server, Terminal
from .conftest import PASSWORD, Person
from .test_accessible import too_wide, wrongs


@dataclass
class Program:
    """An app on the person's own device: it waits on a port that was free, and gets its answer there."""

    port: int
    client_id: str = ""
    proof: Proof = field(default_factory=Proof)
    answers: list[dict[str, str]] = field(default_factory=list)

    @property
    def redirect(self) -> str:
        return f"http://127.0.0.1:{self.port}/callback"

    def link(self, server: Server, **changes: str) -> str:
        asked = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "response_type": "code",
            "state": "x & y",
            "code_challenge": self.proof.challenge,
            "code_challenge_method": "S256",
            **changes,
        }
        return f"{server.address}/oauth/authorize?{urlencode(asked)}"

    def get_tokens(self, server: Server) -> dict[str, Any]:
        given = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": self.answers[-1]["code"],
            "redirect_uri": self.redirect,
            "code_verifier": self.proof.verifier,
        }
        answer = requests.post(f"{server.address}/oauth/token", data=given, timeout=30)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


def call(server: Server, tokens: dict[str, Any], method: str, path: str) -> int:
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    return requests.request(method, f"{server.address}/api/v1{path}", headers=headers, json={}, timeout=30).status_code


@pytest.fixture
def program() -> Iterator[Program]:
    class Callback(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = urlsplit(self.path).query
            if self.path.startswith("/callback"):
                listening.answers.append({name: value for name, [value] in parse_qs(query).items()})
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<link rel=icon href=data:,><h1>Back in the app</h1>")

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Callback) as server:
        listening = Program(server.server_port)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield listening
        server.shutdown()


@pytest.fixture
def registered(program: Program, served_books: Database, newcomer: str) -> Program:
    draft = AppDraft(
        name="Pocket Books", redirects=("http://127.0.0.1/callback",), is_public=True, is_for_everybody=False
    )
    with served_books.writing() as db:
        program.client_id = str(store.add(db, _id_of(db, newcomer), draft, _now())[0].id)
    return program


def _now() -> str:
    return stamp(datetime.now(UTC))


def _id_of(db: Any, email: str) -> int:
    user = users.find_by_email(db, email)
    assert user is not None
    return user.id


def test_an_app_is_let_in_after_signing_in_with_the_second_factor(
    visitor: Callable[..., Person],
    served: tuple[Terminal, Server],
    newcomer: str,
    served_books: Database,
    registered: Program,
) -> None:
    with served_books.writing() as db:
        user_id, now = _id_of(db, newcomer), _now()
        phone = pyotp.TOTP(factors.add_app(db, user_id, "Phone", now).secret)
        db.run("UPDATE factors SET confirmed_at = :now WHERE user_id = :id", now=now, id=user_id)
    person, server = visitor(served, email=newcomer), served[1]
    person.forgives += [r"422 ", r"console: .*422"]
    page = person.page

    page.goto(registered.link(server))
    page.get_by_label("E-mail").fill(newcomer)
    page.get_by_label("Password").fill(PASSWORD)
    person.presses("Sign in")
    expect(page.get_by_label("Code")).to_be_visible()
    expect(page.get_by_text("Pocket Books")).to_have_count(0)
    page.get_by_label("Code").fill(phone.now())
    person.presses("Sign in")

    expect(page.get_by_role("heading", name="Give Pocket Books access to your books?")).to_be_visible()
    expect(page.get_by_text("Full access: see and change everything in these books")).to_be_visible()
    expect(page.get_by_text("a program on this device (127.0.0.1")).to_be_visible()
    expect(page.get_by_role("navigation", name="Menu")).to_have_count(0)
    assert wrongs(page) == []
    assert too_wide(page) == []
    page.get_by_label("Allow reading only").check()
    expect(page.get_by_text("See everything in these books, without changing anything")).to_be_visible()
    person.presses("Allow", exact=True)
    expect(page.get_by_role("heading", name="Back in the app")).to_be_visible()
    [answer] = registered.answers
    assert (answer["state"], answer["iss"]) == ("x & y", server.address)
    tokens = registered.get_tokens(server)
    assert call(server, tokens, "GET", "/accounts") == 200
    assert call(server, tokens, "POST", "/accounts") == 403

    person.opens("#/settings/apps")
    expect(person.main.get_by_role("heading", name="Pocket Books").first).to_be_visible()
    expect(person.main.get_by_text("See everything in these books, without changing anything")).to_be_visible()
    assert wrongs(page) == []
    person.presses("End access of Pocket Books")
    page.get_by_role("dialog").get_by_role("button", name="End access", exact=True).click()
    person.is_told("Access ended.")
    expect(person.main.get_by_text("No app has access.")).to_be_visible()
    assert call(server, tokens, "GET", "/accounts") == 401


def test_who_says_no_returns_to_the_app_without_a_code(ann: Person, registered: Program) -> None:
    ann.page.goto(registered.link(ann.server))
    ann.presses("Do not allow")

    expect(ann.page.get_by_role("heading", name="Back in the app")).to_be_visible()
    assert registered.answers[0]["error"] == "access_denied"


def test_somebody_else_signs_in_and_is_asked_as_well(
    ann: Person, registered: Program, served_books: Database, newcomer: str
) -> None:
    ann.forgives += [r"401 ", r"console: .*401"]
    ann.page.goto(registered.link(ann.server))
    ann.presses("Sign in as somebody else")

    ann.page.get_by_label("E-mail").fill(newcomer)
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.presses("Sign in")

    expect(ann.page.get_by_role("heading", name="Give Pocket Books access to your books?")).to_be_visible()
    assert registered.answers == []


def test_an_app_is_let_into_the_books_that_are_chosen(ann: Person, registered: Program, served_books: Database) -> None:
    with served_books.writing() as db:
        other = user_lifecycle.add(db, f"shares.with.{ann.email}", "no password", "UTC", _now())
        db.author = None
        members.add(db, other.id, _id_of(db, ann.email), Share.BOOKKEEPER, _now())
    ann.page.goto(registered.link(ann.server, scope="accounts:read bills:write"))

    expect(ann.page.get_by_text("See: Accounts, their balances, and piggy banks")).to_be_visible()
    expect(ann.page.get_by_text("See and change: Bills")).to_be_visible()
    ann.page.get_by_label("In these books").select_option(label=other.email)
    ann.presses("Allow", exact=True)

    expect(ann.page.get_by_role("heading", name="Back in the app")).to_be_visible()
    tokens = registered.get_tokens(ann.server)
    assert tokens["scope"] == "accounts:read bills:write"
    ann.opens("#/settings/apps")
    expect(ann.main.get_by_text(f"In the books of {other.email}")).to_be_visible()


def test_a_wrong_request_returns_to_the_app_with_the_reason(ann: Person, registered: Program) -> None:
    ann.page.goto(registered.link(ann.server, response_type="token"))

    expect(ann.page.get_by_role("heading", name="Back in the app")).to_be_visible()
    assert registered.answers[0]["error"] == "unsupported_response_type"


def test_an_unknown_app_or_address_or_a_parameter_that_comes_twice_leads_nowhere(
    ann: Person, registered: Program
) -> None:
    ann.forgives += [r"422 ", r"console: .*422"]
    for link, told in (
        (registered.link(ann.server, client_id="999999999"), "This app is not registered here"),
        (
            registered.link(ann.server, redirect_uri="https://evil.example.org/"),
            "not registered for this redirect address",
        ),
        (f"{registered.link(ann.server)}&scope=a&scope=b", "names scope twice"),
    ):
        ann.page.goto(link)

        expect(ann.page.get_by_role("heading", name="This app cannot be given access")).to_be_visible()
        expect(ann.page.get_by_role("alert")).to_contain_text(told)
        assert ann.page.url.startswith(ann.server.address)
        assert registered.answers == []
    assert wrongs(ann.page) == []


def test_an_app_is_registered_with_a_secret_that_is_shown_once(ann: Person) -> None:
    ann.forgives += [r"422 ", r"console: .*422"]
    ann.opens("#/settings/apps")
    expect(ann.main.get_by_text("You have not registered any apps.")).to_be_visible()
    ann.field("Name of the app").fill("Importer")
    ann.field("Redirect addresses").fill("importer.example.org")
    ann.page.get_by_label("Where it runs").select_option("confidential")
    ann.presses("Register app")
    expect(ann.main.get_by_text("is not an address")).to_be_visible()

    ann.field("Redirect addresses").fill("https://importer.example.org/callback\nhttp://127.0.0.1/done")
    ann.presses("Register app")

    expect(ann.page.get_by_label("Client secret")).to_be_visible()
    assert len(ann.page.get_by_label("Client secret").input_value()) >= 43
    expect(ann.main.get_by_text("https://importer.example.org/callback", exact=True)).to_be_visible()
    ann.page.reload()
    expect(ann.main.get_by_role("heading", name="Importer")).to_be_visible()
    expect(ann.page.get_by_label("Client secret")).to_have_count(0)
    ann.presses("Delete Importer")
    ann.page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    ann.is_told("App deleted.")
    expect(ann.main.get_by_text("You have not registered any apps.")).to_be_visible()
