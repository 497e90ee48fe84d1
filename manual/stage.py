"""Lays out the pages of the site: those of `docs/`, some of the repository, and those written from the code."""

import json
import re
import shutil
from pathlib import Path

from . import api, commands, navigation, settings

# Pages beside `docs/` that readers look for; links in them are relative to the repository.
BESIDE = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")
LIST_AFTER_TEXT = re.compile(r"^(?!- |  |\||$)(.+)\n(?=- )", re.MULTILINE)
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def write(root: Path, to: Path) -> None:
    """The pages go to `docs` in this folder, and what the generator has to know beside them."""
    docs = to.resolve() / "docs"
    shutil.rmtree(docs, ignore_errors=True)
    shutil.copytree(root / "docs", docs)
    shutil.copy(root / "web/public/icon.svg", docs / "images/icon.svg")
    shutil.copy(root / "LICENSE", docs)
    _add_pages(root, docs)
    for page in docs.rglob("*.md"):
        page.write_text(_adapt(page.read_text(), page, docs))
    look = (Path(__file__).parent / "site.toml").read_text()
    (to / "zensical.toml").write_text(look.replace("# navigation", navigation.as_toml(docs)))


def _add_pages(root: Path, docs: Path) -> None:
    described = docs / "operate/settings.md"
    document = json.loads((root / "docs/api/openapi.json").read_text())
    added = {name.lower(): _read_beside(root / name) for name in BESIDE}
    added |= {"operate/settings.md": settings.with_allowed_values(described.read_text())}
    added |= {"reference/commands.md": commands.page(), **api.pages(document)}
    for path, text in added.items():
        (docs / path).parent.mkdir(parents=True, exist_ok=True)
        (docs / path).write_text(text)


def _read_beside(page: Path) -> str:
    text = page.read_text().replace("](docs/", "](")
    for name in BESIDE:
        text = text.replace(f"]({name}", f"]({name.lower()}")
    return text


def _adapt(text: str, page: Path, docs: Path) -> str:
    """The generator reads lists and links otherwise than the places where these pages are read as well."""
    parts = FENCE.split(text.replace("```mermaid", "```text"))  # drawing would load a program from elsewhere
    for place in range(0, len(parts), 2):
        part = LIST_AFTER_TEXT.sub(r"\1\n\n", parts[place])
        parts[place] = LINK.sub(lambda link: _resolve(link, page, docs), part)
    return "".join(parts)


def _resolve(link: re.Match[str], page: Path, docs: Path) -> str:
    """A link to a folder is one to its first page; one to a file that is not part of the site is only its text."""
    text, address, anchor = link[1], link[2], link[3] or ""
    if ":" in address:
        return link[0]
    target = (page.parent / address).resolve()
    if not target.is_relative_to(docs):
        return text
    return f"[{text}]({address.rstrip('/')}/README.md{anchor})" if target.is_dir() else link[0]
