"""The language of the texts: the person's own, and before anybody has signed in the browser's."""

from collections.abc import Callable

from playwright.sync_api import Request, expect

from ..cli.conftest import Server, Terminal
from .conftest import Person


def test_a_language_applies_at_once_and_is_still_there_after_signing_out(ann_in_own_window: Person) -> None:
    ann = ann_in_own_window
    ann.opens("#/settings")
    expect(ann.page.get_by_role("heading", name="Settings")).to_be_visible()

    ann.page.get_by_label("Language and region").select_option(label="Deutsch (Deutschland)")

    expect(ann.page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    assert ann.page.url.endswith("#/settings")
    assert ann.page.evaluate("document.documentElement.lang") == "de-DE"

    asked: list[Request] = []
    ann.page.on("request", lambda request: asked.append(request))
    ann.presses("Abmelden")
    expect(ann.page.get_by_role("heading", name="Anmelden")).to_be_visible()
    first_run = next(request for request in asked if request.url.endswith("/first_run"))
    assert first_run.headers["accept-language"] == "de"


def test_the_sign_in_page_is_in_the_first_language_of_the_browser_that_has_texts_or_in_the_chosen_one(
    visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    person = visitor(served, has_own_window=True)
    page = person.page
    page.add_init_script("Object.defineProperty(navigator, 'languages', {get: () => ['it-IT', 'nl-BE', 'en']})")

    person.opens("#/")
    expect(page.get_by_role("heading", name="Inloggen")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "nl"

    person.presses("Français")
    expect(page.get_by_role("heading", name="Connexion")).to_be_visible()
