"""Checks the built site: every link leads to something that is there, and nothing is loaded from elsewhere."""

import re
from functools import cache
from html import unescape
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote, urldefrag

import msgspec

TAG = re.compile(r"<(\w+)(\s[^<>]*)>")
ATTRIBUTE = re.compile(r"\s(href|src|id|name|rel|class)=(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))")
# What a browser loads by itself, without being asked; a diagram loads the program that draws it.
LOADING = ("script", "link", "img", "iframe", "source")
DIAGRAM = "mermaid"
FOREIGN = ("http:", "https:", "//")


class Page(msgspec.Struct, frozen=True):
    """The names of the headings and other places on a page, where its links lead, and what it loads from elsewhere."""

    names: set[str]
    links: set[str]
    foreign: set[str]


def find_broken(site: Path) -> list[str]:
    """A sentence for each problem."""
    pages = sorted(site.rglob("*.html"))
    if not pages:
        return [f"{site} has no pages"]
    broken = [f"{page.relative_to(site)} loads {one} from elsewhere" for page in pages for one in _read(page).foreign]
    for page in pages:
        links = [one for one in sorted(_read(page).links) if not _leads(site, page, one)]
        broken += [f"{page.relative_to(site)} links to {one}" for one in links]
    return broken


@cache
def _read(path: Path) -> Page:
    page = Page(names=set(), links=set(), foreign=set())
    for tag, rest in TAG.findall(path.read_text()):
        given = {name: unescape(one or two or bare) for name, one, two, bare in ATTRIBUTE.findall(rest)}
        page.names.update(given[name] for name in ("id", "name") if name in given)
        _sort(page, tag, given)
    return page


def _sort(page: Page, tag: str, given: dict[str, str]) -> None:
    for address in (given[name] for name in ("href", "src") if name in given):
        if not address.startswith(FOREIGN):
            page.links.add(address)
        elif tag in LOADING and given.get("rel") != "canonical":
            page.foreign.add(address)
    if DIAGRAM in given.get("class", "").split():
        page.foreign.add(DIAGRAM)


def _leads(site: Path, page: Path, link: str) -> bool:
    if link.startswith(("mailto:", "data:", "javascript:")):
        return True
    address, name = urldefrag(unquote(link))
    start = site if address.startswith("/") else page.parent
    target = Path(normpath(start / address.lstrip("/").partition("?")[0])) if address else page
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return False
    return not name or target.suffix != ".html" or name in _read(target).names
