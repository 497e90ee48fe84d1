"""Do the pages of "How to" tell the truth? Their commands run, and the words in bold are those of the app."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
import requests

from ..cli.conftest import EMAIL, PASSWORD, Terminal, owned, terminal
from .shown import FILE, HOW_TO, ROOT, commands

__all__ = ["owned", "terminal"]
# They need another program, or run until they are stopped.
NOT_RUN = (["serve"], ["import", "from-firefly"])
JOURNAL = "2024-01-01 Opening\n    Checking  100.00 EUR\n    Equity:Opening\n"
MESSAGES = "".join(page.read_text() for page in sorted((ROOT / "web/src/messages/en").glob("*.ts")))
WITH_COMMANDS = [page for page in HOW_TO if any(True for _ in commands(page))]


@pytest.fixture
def books(owned: Terminal) -> Terminal:
    """Of somebody with one account, as the reader has."""
    (owned.folder / "opening.journal").write_text("account Checking  ; type: Asset\n" + JOURNAL)
    done = owned.run("import", "opening.journal")
    assert done.returncode == 0, done.stderr
    return owned


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run_as_they_stand(page: Path, books: Terminal) -> None:
    for name, text in FILE.findall(page.read_text()):
        (books.folder / name).write_text(text)

    for settings, words in commands(page):
        if not any(words[: len(kind)] == kind for kind in NOT_RUN):
            done = books.run(*words, **settings)
            assert done.returncode == 0, f"{page.name}: farthing {' '.join(words)}\n{done.stdout}{done.stderr}"


def test_the_script_in_python_lists_the_accounts(books: Terminal, monkeypatch, capsys) -> None:
    script = re.search(r"```python\n(.*?)```", (ROOT / "docs/how-to/use-the-api.md").read_text(), re.DOTALL)
    monkeypatch.setenv("TOKEN", books.says("token", "create", EMAIL).strip())

    with books.serving() as server:
        monkeypatch.setenv("FARTHING", server.address)
        exec(compile(script[1], "use-the-api.md", "exec"), {})

    assert capsys.readouterr().out == "Checking 100\n"


def test_the_app_in_python_is_let_in(books: Terminal) -> None:
    script = re.search(r"```python\n(.*?)```", (ROOT / "docs/how-to/write-an-app.md").read_text(), re.DOTALL)
    redirect = ("--name", "Pocket", "--redirect", "http://127.0.0.1/callback")
    client_id = books.says("app", "create", EMAIL, *redirect).removeprefix("Client id: ").strip()

    with books.serving() as server, requests.Session() as browser:
        api = f"{server.address}/api/v1"
        signed_in = browser.post(f"{api}/session", json={"email": EMAIL, "password": PASSWORD}, timeout=30).json()
        proof = {"X-CSRF-Token": signed_in["data"]["attributes"]["csrf_token"]}

        def open_in_browser(address: str) -> str:
            asked = dict(parse_qsl(urlsplit(address).query))
            body = {**asked, "allow": True}
            return str(
                browser.post(f"{api}/authorization", json=body, headers=proof, timeout=30).json()["data"]["redirect"]
            )

        names = {"FARTHING": server.address, "CLIENT_ID": client_id, "VERIFIER": "v" * 43}
        names["open_in_browser"] = open_in_browser
        exec(compile(script[1], "write-an-app.md", "exec"), names)

    assert [one["attributes"]["name"] for one in names["accounts"] if one["attributes"]["name"] == "Checking"]


@pytest.mark.parametrize("page", HOW_TO, ids=lambda page: page.stem)
def test_words_in_bold_are_words_of_the_app(page: Path) -> None:
    bold = re.findall(r"\*\*(.+?)\*\*", " ".join(page.read_text().split()))

    assert [words for words in bold if f"'{words}'" not in MESSAGES] == []
