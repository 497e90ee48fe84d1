"""Do the pages of "How to" tell the truth? Their commands run, and the words in bold are those of the app."""

import re
from pathlib import Path

import pytest

from ..cli.conftest import EMAIL, Terminal, owned, terminal
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


@pytest.mark.parametrize("page", HOW_TO, ids=lambda page: page.stem)
def test_words_in_bold_are_words_of_the_app(page: Path) -> None:
    bold = re.findall(r"\*\*(.+?)\*\*", " ".join(page.read_text().split()))

    assert [words for words in bold if f"'{words}'" not in MESSAGES] == []
