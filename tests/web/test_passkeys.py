"""Second factors in a real browser: passkeys with Chromium's own authenticator, and authenticator apps."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyotp
import pytest
from playwright.sync_api import Locator, expect

from ..cli.conftest import PASSWORD, Server, Terminal
from .conftest import Person
from .test_accessible import too_wide, wrongs

SECURITY = "#/settings/security"


class NamedServer(Server):
    """The same server by its name: there are no passkeys at 127.0.0.1."""

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"


class Key:
    """An authenticator in the browser of a person, with a PIN that is always right, until it is not."""

    def __init__(self, person: Person) -> None:
        self._tools = person.context.new_cdp_session(person.page)
        self._tools.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
        abilities = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
        made = self._tools.send("WebAuthn.addVirtualAuthenticator", {"options": options | abilities})
        self._id = made["authenticatorId"]

    def forgets_its_pin(self) -> None:
        self._tools.send("WebAuthn.setUserVerified", {"authenticatorId": self._id, "isUserVerified": False})

    @property
    def passkeys(self) -> list[dict[str, Any]]:
        return list(self._tools.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"])


@pytest.fixture
def named(served: tuple[Terminal, Server]) -> tuple[Terminal, Server]:
    terminal, server = served
    return terminal, NamedServer(server.process, server.port, server.log)


@pytest.fixture
def ann(visitor: Callable[..., Person], named: tuple[Terminal, Server], newcomer: str) -> Person:
    person: Person = visitor(named, email=newcomer, is_known=True, has_own_window=True)
    person.forgives += [r"42[29] ", r"console: .*42[29]"]
    person.opens(SECURITY)
    return person


def dialog(person: Person) -> Locator:
    return person.page.get_by_role("dialog")


def in_dialog(person: Person, button: str) -> None:
    dialog(person).get_by_role("button", name=button, exact=True).click()


def is_fit_for_all(person: Person, within: str = "main") -> None:
    """As far as axe can tell, and no wider than a phone."""
    assert wrongs(person.page, within) == []
    assert too_wide(person.page) == []


def begins_passkey(person: Person) -> None:
    person.presses("Add passkey")
    dialog(person).get_by_label("Name").fill("Laptop")
    dialog(person).get_by_label("Current password").fill(PASSWORD)


def gets_recovery_codes(person: Person) -> list[str]:
    in_dialog(person, "Create passkey")
    codes = dialog(person).get_by_role("listitem")
    expect(codes).to_have_count(10)
    return codes.all_inner_texts()


def signs_out(person: Person) -> None:
    person.presses("Sign out everywhere", exact=True)
    expect(person.page.get_by_role("heading", name="Sign in")).to_be_visible()


def gives_password(person: Person) -> None:
    person.page.get_by_label("E-mail").fill(person.email)
    person.page.get_by_label("Password").fill(PASSWORD)
    person.presses("Sign in")
    expect(person.page.get_by_text("One more step")).to_be_visible()


def test_a_passkey_from_its_making_to_its_removal(ann: Person) -> None:
    key = Key(ann)
    expect(ann.main.get_by_text("No second step yet.")).to_be_visible()
    begins_passkey(ann)
    is_fit_for_all(ann, "dialog")
    codes = gets_recovery_codes(ann)
    is_fit_for_all(ann, "dialog")
    ann.page.keyboard.press("Escape")
    question = ann.page.get_by_role("dialog", name="Have you saved the codes?")
    question.get_by_role("button", name="Stay here").click()
    in_dialog(ann, "I have saved them")
    expect(ann.main.get_by_text("You have 10 recovery codes left.")).to_be_visible()
    assert [one["isResidentCredential"] for one in key.passkeys] == [True]
    is_fit_for_all(ann)

    signs_out(ann)
    is_fit_for_all(ann)
    ann.presses("Use a passkey")
    ann.is_in()

    ann.opens(SECURITY)
    signs_out(ann)
    gives_password(ann)
    expect(ann.page.get_by_role("button", name="Use a passkey")).to_be_focused()
    expect(ann.page.get_by_label("Recovery code")).to_be_visible()
    is_fit_for_all(ann)
    ann.presses("Use a passkey")
    ann.is_in()

    ann.opens(SECURITY)
    signs_out(ann)
    gives_password(ann)
    ann.page.get_by_label("Recovery code").fill(codes[0])
    ann.presses("Sign in")
    ann.is_in()

    ann.opens(SECURITY)
    expect(ann.main.get_by_text("You have 9 recovery codes left.")).to_be_visible()
    ann.presses("Rename Laptop")
    dialog(ann).get_by_label("Name").fill("Old laptop")
    in_dialog(ann, "Save")
    ann.presses("Remove Old laptop")
    expect(dialog(ann).get_by_text("your only second step")).to_be_visible()
    is_fit_for_all(ann, "dialog")
    in_dialog(ann, "Use a passkey")
    ann.is_told("“Old laptop” removed.")
    expect(ann.main.get_by_text("No second step yet.")).to_be_visible()


def test_what_goes_wrong_with_a_passkey_is_said_in_plain_words(ann: Person) -> None:
    key = Key(ann)
    begins_passkey(ann)
    gets_recovery_codes(ann)
    in_dialog(ann, "I have saved them")

    ann.presses("Add passkey")
    dialog(ann).get_by_label("Current password").fill("not it")
    in_dialog(ann, "Create passkey")
    expect(dialog(ann).get_by_text("This is not the “Current password”.")).to_be_visible()
    in_dialog(ann, "Use a passkey instead")
    expect(dialog(ann).get_by_text("already has a passkey for you here")).to_be_visible()
    in_dialog(ann, "Cancel")
    signs_out(ann)
    key.forgets_its_pin()
    ann.presses("Use a passkey")

    expect(ann.page.get_by_text("No passkey was used")).to_be_visible()
    is_fit_for_all(ann)


def test_an_address_of_numbers_leads_to_localhost(
    visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str
) -> None:
    person = visitor(served, email=newcomer, is_known=True)
    person.opens(SECURITY)

    person.presses("Add passkey")
    instead = f"http://localhost:{person.server.port}/"
    expect(dialog(person).get_by_role("link")).to_have_attribute("href", f"{instead}{SECURITY}")
    is_fit_for_all(person, "dialog")
    person.page.keyboard.press("Escape")
    signs_out(person)
    person.presses("Use a passkey")
    expect(person.page.get_by_role("alert").get_by_role("link")).to_have_attribute("href", f"{instead}#/")
    is_fit_for_all(person)


def test_an_authenticator_app_from_its_picture_to_its_removal(ann: Person) -> None:
    ann.presses("Add authenticator app")
    dialog(ann).get_by_label("Name").fill("Phone")
    dialog(ann).get_by_label("Current password").fill(PASSWORD)
    in_dialog(ann, "Next")
    picture = dialog(ann).get_by_alt_text("The picture to scan")
    expect(picture).to_be_visible()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth > 0)")
    is_fit_for_all(ann, "dialog")
    app = pyotp.TOTP(dialog(ann).get_by_label("The key for the app").input_value())
    dialog(ann).get_by_label("Six digits").fill("000000")
    in_dialog(ann, "Turn on")
    expect(dialog(ann).get_by_text("Codes work once")).to_be_visible()
    dialog(ann).get_by_label("Six digits").fill(app.at(datetime.now(UTC)))
    in_dialog(ann, "Turn on")
    expect(dialog(ann).get_by_role("listitem")).to_have_count(10)
    codes = dialog(ann).get_by_role("listitem").all_inner_texts()
    with ann.page.expect_download() as kept:
        dialog(ann).get_by_role("link", name="Download").click()
    assert codes[0] in kept.value.path().read_text()
    in_dialog(ann, "I have saved them")

    ann.presses("New recovery codes")
    dialog(ann).get_by_label("Code").fill(codes[0])
    in_dialog(ann, "Make new codes")
    expect(dialog(ann).get_by_role("listitem")).to_have_count(10)
    new = dialog(ann).get_by_role("listitem").all_inner_texts()
    assert set(new).isdisjoint(codes)
    in_dialog(ann, "I have saved them")
    ann.presses("Remove Phone")
    dialog(ann).get_by_label("Code").fill(codes[1])
    in_dialog(ann, "Remove")
    expect(dialog(ann).get_by_text("Codes work once")).to_be_visible()
    dialog(ann).get_by_label("Code").fill(new[0])
    in_dialog(ann, "Remove")
    ann.is_told("“Phone” removed.")
