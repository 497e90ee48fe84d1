"""Somebody forgot the password, asks for a link on the page to sign in, and opens the letter."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from ..cli.conftest import EMAIL, Terminal
from ..notices.post import PostOffice, open_office
from .conftest import Person, an_owner_at

PASSWORD = "another horse battery"


def test_a_link_by_e_mail_sets_a_new_password(tmp_path: Path, visitor: Callable[..., Person]) -> None:
    terminal = Terminal(tmp_path)
    with open_office() as office:
        mail = {"MAIL_URL": f"smtp+plain://127.0.0.1:{office.port}", "MAIL_FROM": "books@example.org"}
        settings = {f"FARTHING_{name}": text for name, text in mail.items()}
        with an_owner_at(terminal, FARTHING_BASE_URL="http://money.example", **settings) as server:
            ann = visitor((terminal, server))
            ann.opens()
            ann.field("E-mail").fill(EMAIL)
            ann.page.get_by_text("Forgot your password?").click()
            ann.presses("Send me a link")
            expect(ann.page.get_by_role("status").filter(has_text=re.compile("link", re.IGNORECASE))).to_be_visible()

            ann.opens(read_link(ann, office))
            ann.field("New password").fill(PASSWORD)
            ann.presses("Set password")
            expect(ann.page.get_by_text("Your new password is set, and you are signed out everywhere.")).to_be_visible()
            ann.page.get_by_role("link", name="Sign in").click()
            ann.field("E-mail").fill(EMAIL)
            ann.field("Password").fill(PASSWORD)
            ann.presses("Sign in")
            ann.is_in()


def read_link(ann: Person, office: PostOffice) -> str:
    """Waits for the letter, and returns where in the app its link leads."""
    for _ in range(300):
        if office.messages:
            break
        ann.page.wait_for_timeout(100)
    [letter] = office.messages
    body = letter.get_body(("plain",))
    assert body is not None
    [place] = re.findall(r"http://money\.example/(#/password\S+)", body.get_content())
    return str(place)
