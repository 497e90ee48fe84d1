"""Registering apps: in Settings, and on the command line."""

import pytest

from ..cli.conftest import EMAIL, Terminal, owned, terminal
from ..sessions.browser import signed_in
from .app import REDIRECT, registered

__all__ = ["owned", "terminal"]


@pytest.fixture
def browser(world):
    return signed_in(world)


def test_a_public_app_has_an_id_and_no_secret(browser):
    answer = browser.post("/apps", {"name": "Pocket", "redirect_uris": [REDIRECT, "pocket://done"]})
    made = answer.json()["data"]

    assert answer.headers["cache-control"] == "no-store"
    assert made["attributes"] == {
        "created_at": "2024-05-15T12:00:00+00:00",
        "name": "Pocket",
        "client_id": made["id"],
        "redirect_uris": [REDIRECT, "pocket://done"],
        "confidential": False,
        "everybody": False,
        "api_version": "v1",
        "client_secret": None,
    }
    assert made["id"].isdigit()


def test_a_secret_is_shown_once(browser):
    made = browser.post("/apps", {"name": "Importer", "redirect_uris": REDIRECT, "confidential": True}).json()["data"]
    secret = made["attributes"].pop("client_secret")

    listed, shown = browser.get("/apps"), browser.get(f"/apps/{made['id']}")

    assert len(secret) >= 43
    assert secret not in listed.text + shown.text
    assert listed.json()["data"] == [shown.json()["data"]]
    assert shown.json()["data"]["attributes"] == made["attributes"]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("https://app.example.org/#done", "after #"),
        ("app.example.org/callback", "is not an address"),
        ("/callback", "is not an address"),
        ("https:///callback", "must contain a host"),
        ("https://ann@app.example.org/", "may not contain a user name"),
        ("https://app.example.org:port/", "is not an address"),
        ("https://[::1/", "is not an address"),
        ("https://app.example.org/a b", "is not an address"),
        ("https://app.example.org/ä", "is not an address"),
        ("https://app.example.org/<b>", "is not an address"),
        ("https://app.example.org\\@evil.example.org/", "is not an address"),
        ("javascript:alert(1)", "does not lead to an app"),
        ("JavaScript:alert(1)", "does not lead to an app"),
        ("data:text/html;base64,eA==", "does not lead to an app"),
        ("file:///etc/passwd", "does not lead to an app"),
        ("intent://x", "does not lead to an app"),
        ("https://app.example.org/" + "x" * 500, "longer than 500"),
    ],
)
def test_an_address_that_will_not_do_is_named(browser, address, why):
    answer = browser.post("/apps", {"name": "Pocket", "redirect_uris": [REDIRECT, address]})

    assert (answer.status_code, answer.json()["errors"].keys()) == (422, {"redirect_uris"})
    assert why in answer.json()["errors"]["redirect_uris"][0]


def test_everything_that_is_wrong_is_said_at_once(browser):
    answer = browser.post("/apps", {"redirect_uris": ["x"], "confidential": "maybe", "everybody": True})

    assert answer.json()["errors"].keys() == {"name", "redirect_uris", "confidential", "everybody"}
    many = browser.post("/apps", {"name": "x", "redirect_uris": [f"{REDIRECT}/{n}" for n in range(11)]})
    assert many.json()["errors"] == {"redirect_uris": ["An app may have at most 10 addresses."]}


def test_apps_come_in_pages(browser):
    for number in range(3):
        registered(browser, name=str(number))

    answer = browser.get("/apps", limit=2).json()

    assert [one["attributes"]["name"] for one in answer["data"]] == ["0", "1"]
    assert answer["meta"]["pagination"]["total"] == 3


# The command line


def create(terminal: Terminal, *words: str) -> list[str]:
    return terminal.says("app", "create", EMAIL, "--name", "Pocket", "--redirect", REDIRECT, *words).splitlines()


def test_an_app_is_registered_listed_and_deleted_by_command(owned: Terminal):
    [public] = create(owned)
    confidential, secret = create(owned, "--confidential", "--everybody", "--redirect", "pocket://done")
    ids = [line.removeprefix("Client id: ") for line in (public, confidential)]

    lines = [line.split("\t") for line in owned.says("app", "list").splitlines()]
    said = owned.says("app", "delete", ids[0])

    assert [line[:5] for line in lines] == [
        [ids[0], EMAIL, "Pocket", "public", "this user"],
        [ids[1], EMAIL, "Pocket", "confidential", "everybody"],
    ]
    assert lines[1][-1] == f"{REDIRECT} pocket://done"
    assert secret.startswith("Client secret (shown this once): ")
    assert secret.split(": ")[1] not in owned.says("app", "list")
    assert said == f"Deleted app {ids[0]}, Pocket.\n"
    assert len(owned.says("app", "list").splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("create", EMAIL, "--name", "x", "--redirect", "javascript:x"), "does not lead to an app"),
        (("create", EMAIL, "--name", " ", "--redirect", REDIRECT), "--name must have 1 to 255 characters"),
        (("create", "nobody@example.org", "--name", "x", "--redirect", REDIRECT), "there is no user"),
        (("delete", "77"), "there is no app 77"),
    ],
)
def test_a_command_that_will_not_do_says_why(owned: Terminal, words: tuple[str, ...], why: str):
    assert why in owned.fails("app", *words)


def test_only_the_owner_registers_an_app_for_everybody(owned: Terminal):
    owned.says("user", "create", "bob@example.org")

    line = owned.fails("app", "create", "bob@example.org", "--name", "x", "--redirect", REDIRECT, "--everybody")

    assert "bob@example.org is not an owner" in line
