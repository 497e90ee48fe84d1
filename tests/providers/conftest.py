"""An app that people sign in to with two providers: a real one, and one that lies when a test wants it to."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from farthing.identity.providers import documents

from ..answers import Check
from ..conftest import World, empty_database, running
from ..needs import or_skip
from ..sessions.browser import Browser
from . import forger as forging
from . import real
from .forger import Forger
from .real import CLIENT_ID, SECRET

ADDRESS = "http://farthing.example"
CALLBACK = f"{ADDRESS}/sign-in/callback"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def installed() -> None:
    """What the real provider needs."""
    or_skip(real.find(), "oidc-provider")


@pytest.fixture(scope="session")
def forging_server() -> Iterator[Forger]:
    with forging.serving(free_port()) as server:
        yield server


@pytest.fixture(scope="session")
def other_server() -> Iterator[Forger]:
    with forging.serving(free_port()) as server:
        yield server


def settings_of(key: str, issuer: str, **more: str) -> dict[str, str]:
    given = {"issuer": issuer, "client_id": CLIENT_ID, "client_secret": SECRET, **more}
    return {f"oidc_{key}_{name}": value for name, value in given.items()}


@pytest.fixture(scope="session")
def world_with_providers(
    dialect: str,
    tmp_path_factory: pytest.TempPathFactory,
    check_answer: Check,
    request: pytest.FixtureRequest,
    forging_server: Forger,
    other_server: Forger,
) -> Iterator[World]:
    """`home` only signs in who is linked; `new` also makes users and owners; `away` does not answer."""
    folder = tmp_path_factory.mktemp("providers")
    settings = {"oidc": "home,new,away"}
    settings |= settings_of("home", forging_server.issuer, name="Home & Garden")
    settings |= settings_of("new", other_server.issuer, create="1", owner_group="owners")
    settings |= settings_of("away", f"http://127.0.0.1:{free_port()}")
    url = empty_database(dialect, folder, request)
    yield from running(url, folder, check_answer, **settings)


@pytest.fixture
def world(world_with_providers: World) -> World:
    """Now: providers go by the real clock. Nobody has tried to sign in before."""
    world_with_providers.time.now = datetime.now(UTC)
    with world_with_providers.books.writing() as db:
        db.run("DELETE FROM sign_in_attempts")
    return world_with_providers


@pytest.fixture
def forger(forging_server: Forger) -> Iterator[Forger]:
    """Behind `home`."""
    yield from behaving(forging_server)


@pytest.fixture
def other(other_server: Forger) -> Iterator[Forger]:
    """Behind `new`."""
    yield from behaving(other_server)


def behaving(server: Forger) -> Iterator[Forger]:
    documents.documents_of.cache_clear()
    server.behave()
    yield server
    server.behave()
    documents.documents_of.cache_clear()


def begins(browser: Browser, provider: str = "home") -> str:
    """The address that somebody is sent to."""
    started = browser.post("/providers/start", {"provider": provider})
    assert started.status_code == 200, started.text
    return str(started.json()["data"]["address"])


def comes_back(browser: Browser, forger: Forger, provider: str = "home", **more: Any) -> Any:
    """Through the forger and back, to sign in."""
    return browser.post("/providers/session", {**forger.answers(begins(browser, provider)), **more})


def links(browser: Browser, forger: Forger, provider: str = "home") -> Any:
    started = browser.post("/identities/start", {"provider": provider})
    assert started.status_code == 200, started.text
    return browser.post("/identities", forger.answers(started.json()["data"]["address"]))
