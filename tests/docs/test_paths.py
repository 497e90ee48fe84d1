"""Every file, folder, module and decision that a page names must exist."""

import re
from collections.abc import Iterator
from pathlib import Path

from .shown import ROOT

HOUSE = ROOT / "src/farthing"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# A path in backticks, such as `books/bills/model.py`; `{a,b}`, `<noun>` and `*` stand for several.
CITED = re.compile(r"`([\w.{},<>*-]+(?:/[\w.{},<>*-]+)+)/?`")
MODULE = re.compile(r"python -m ((?:bench|manual|tests)(?:\.\w+)*)")
DECISION = re.compile(r"\bADR (\d+)\b")
# Folders that are made by builds and runs.
MADE = ("build/", "dist/", "bench/cache", "src/farthing/web/built")


def list_paths(text: str) -> Iterator[str]:
    """Yields the paths that begin with a folder of the repository or of the program."""
    folders = {path.name for place in (ROOT, HOUSE) for path in place.iterdir() if path.is_dir()}
    for path in CITED.findall(text):
        if path.split("/")[0] in folders and not path.startswith(MADE):
            yield path


def exists(path: str) -> bool:
    """A function may follow the module's name: `identity/users.take` is in `identity/users/` or `identity/users.py`."""
    choices = re.search(r"{([^}]*)}", path)
    if choices:
        return all(exists(path.replace(choices[0], choice)) for choice in choices[1].split(","))
    pattern = re.sub(r"<\w+>", "*", path)
    names = [pattern, f"{pattern}.py", pattern.rpartition(".")[0], f"{pattern.rpartition('.')[0]}.py"]
    return any(_matches(place, name) for place in (ROOT, HOUSE) for name in names if name)


def _matches(place: Path, pattern: str) -> bool:
    return next(place.glob(pattern), None) is not None


def test_every_path_that_a_page_names_exists() -> None:
    cited = [(page, path) for page in PAGES for path in list_paths(page.read_text())]
    assert len(cited) > 100

    assert [f"{page.relative_to(ROOT)}: {path}" for page, path in cited if not exists(path)] == []


def test_every_module_that_a_page_starts_exists() -> None:
    modules = {module for page in PAGES for module in MODULE.findall(page.read_text())}

    assert [name for name in sorted(modules) if not exists(name.replace(".", "/"))] == []


def test_a_path_that_leads_nowhere_is_noticed() -> None:
    assert exists("identity/users.take")
    assert exists("api/v1/bills/{wire,routes}.py")
    assert not exists("http/directory.py")
    assert list(list_paths("`storage/nowhere.py`, `/api/v1/bills` and `text/plain`")) == ["storage/nowhere.py"]


def test_every_decision_that_is_cited_exists() -> None:
    numbers = {path.name[:4] for path in (ROOT / "docs/adr").glob("0*.md")}
    sources = [path for folder in (HOUSE, ROOT / "tests", ROOT / "bench") for path in folder.rglob("*.py")]
    cited = {
        (str(path.relative_to(ROOT)), f"{int(number):04}")
        for path in [*PAGES, *sources]
        for number in DECISION.findall(path.read_text())
    }

    assert sorted((path, number) for path, number in cited if number not in numbers) == []
