"""The site that `make docs` builds: whole, without broken links, and without anything from elsewhere."""

from pathlib import Path

import pytest
from manual import commands, links
from manual.__main__ import build

from farthing.kernel import config


@pytest.mark.long
def test_the_site_builds_without_warnings_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    assert build(tmp_path) == []

    site = tmp_path / "site"
    assert "FARTHING_DATABASE_URL" in (site / "operate/settings.html").read_text()
    assert "/api/v1/bills/{id}" in (site / "reference/api/bills.html").read_text()
    assert (site / "search.json").stat().st_size > 100_000
    in_menu = (site / "index.html").read_text()
    assert [page.name for page in site.rglob("*.html") if page.name not in in_menu and page.name != "404.html"] == []
    allowed = dict(config.list_settings())["timezone"].json_schema_extra["must_be"]
    assert allowed in (site / "operate/settings.html").read_text()


def test_the_page_of_commands_has_every_command_with_its_options() -> None:
    page = commands.page()

    for words, command in commands.walk():
        section = page.split(f"\n## {' '.join(words)}\n")[1].split("\n## ")[0]
        assert all(one.opts[-1] in section for one in command.params if one.param_type_name == "option")


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<a href="nowhere.html">', "index.html links to nowhere.html"),
        ('<h1 id="here"></h1><a href="#there">', "index.html links to #there"),
        ('<script src="https://cdn.example/x.js">', "index.html loads https://cdn.example/x.js from elsewhere"),
        ('<h1 id="here"></h1><a href="#here"><a href="https://example.org">', None),
    ],
)
def test_the_checker_finds_broken_links_and_what_is_loaded_from_elsewhere(
    page: str, problem: str | None, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(page)

    assert links.find_broken(tmp_path) == ([problem] if problem else [])
