"""Signing in with a provider, in a real browser: from Settings to the provider and back."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pyotp
import pytest
from playwright.sync_api import expect

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.identity.factors import store as factors
from farthing.identity.providers import store as identities
from farthing.kernel.clock import stamp

from ..cli.conftest import Server, Terminal
from ..conftest import migrated
from ..providers import real
from ..providers.conftest import free_port, installed, settings_of
from .conftest import Person, an_owner_at

__all__ = ["installed"]


@pytest.fixture(scope="module")
def served_with_provider(tmp_path_factory: pytest.TempPathFactory, installed: Any) -> Iterator[tuple[Terminal, Server]]:
    """The provider is at another name, so that the browser takes it for another site."""
    port, terminal = free_port(), Terminal(tmp_path_factory.mktemp("provider"))
    settings = settings_of("home", f"http://localhost:{port}", name="Home")
    variables = {f"FARTHING_{name.upper()}": value for name, value in settings.items()}
    variables |= {"FARTHING_REMOTE_USER_HEADER": "Remote-Email", "FARTHING_TRUSTED_PROXIES": "127.0.0.1"}
    with (
        an_owner_at(terminal, FARTHING_OIDC="home", **variables) as server,
        real.serving(port, f"{server.address}/sign-in/callback", host="localhost"),
    ):
        yield terminal, server


@pytest.fixture
def ann(visitor: Callable[..., Person], served_with_provider: tuple[Terminal, Server]) -> Person:
    person: Person = visitor(served_with_provider, has_own_window=True)
    # The provider's own page asks for a font that is not there, and we are refused on purpose.
    person.forgives = ["fonts.googleapis", "ERR_", "422 ", "status of 422", "localhost.*/favicon", "status of 404"]
    return person


def signs_in_there(ann: Person, login: str) -> None:
    ann.page.locator("input[name=login]").fill(login)
    ann.page.locator("input[name=password]").fill("any")
    ann.page.locator("button[type=submit]").click()


def test_a_provider_is_linked_used_and_unlinked(ann: Person) -> None:
    ann.signs_in()
    ann.opens("#/settings/security")

    ann.presses("Link Home")
    signs_in_there(ann, "ann")
    ann.is_told("Home is linked.")
    expect(ann.page.get_by_text("ann@provider.example")).to_be_visible()
    assert "code=" not in ann.page.url

    ann.presses("Sign out everywhere", exact=True)
    ann.presses("Continue with Home")  # it still knows who is there
    ann.is_in()
    assert "code=" not in ann.page.url

    ann.opens("#/settings/security")
    ann.presses("Unlink Home")
    ann.page.get_by_role("dialog").get_by_role("button", name="Unlink", exact=True).click()
    ann.is_told("Home is unlinked.")

    ann.presses("Sign out everywhere", exact=True)
    expect(ann.page.get_by_role("link", name="Sign out there, too")).to_be_visible()
    ann.presses("Continue with Home")
    expect(ann.page.get_by_role("alert")).to_contain_text("No user here is linked to this account at Home.")
    expect(ann.page.get_by_label("Password")).to_be_visible()


def test_the_second_factor_is_asked_for_after_the_provider(
    ann: Person, served_with_provider: tuple[Terminal, Server]
) -> None:
    now = datetime.now(UTC)
    started = ann.server.ask("POST", "/api/v1/providers/start", json={"provider": "home"}).json()
    issuer = started["data"]["address"].partition("/auth?")[0]
    with migrated("", served_with_provider[0].folder / "data") as books, books.writing() as db:
        user = user_lifecycle.add(db, "careful@example.org", "", "UTC", stamp(now))
        app = factors.add_app(db, user.id, "Phone", stamp(now))
        db.run("UPDATE factors SET confirmed_at = created_at WHERE user_id = :id", id=user.id)
        identities.add(db, user.id, issuer=issuer, subject="careful", email="", now=stamp(now))

    ann.opens()
    ann.presses("Continue with Home")
    signs_in_there(ann, "careful")
    code = ann.page.get_by_label("Code")
    expect(code).to_be_focused()
    expect(ann.page.get_by_label("Password")).to_have_count(0)
    code.fill("000000")
    ann.presses("Sign in")
    expect(ann.page.get_by_text("Codes work once")).to_be_visible()
    code.fill(pyotp.TOTP(app.secret).now())
    ann.presses("Sign in")
    ann.is_in()


def test_behind_a_proxy_that_has_asked_nobody_is_asked_again(ann: Person) -> None:
    ann.page.set_extra_http_headers({"Remote-Email": ann.email})
    ann.opens()
    ann.is_in()

    ann.opens("#/settings/security")
    ann.presses("Sign out everywhere", exact=True)
    # Not by itself: they have just left.
    ann.presses("Continue without a password")
    ann.is_in()
