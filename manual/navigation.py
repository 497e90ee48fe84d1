"""The navigation of the site: a folder's pages as its first page links to them, then the others by name."""

import re
from pathlib import Path

FIRST = "README.md"
# A section is a folder, or a list of pages and folders with titles of their own.
SECTIONS: dict[str, str | dict[str, str]] = {
    "Start": "README.md",
    "Tour": "tour.md",
    "How to": "how-to",
    "Import": "import",
    "Operate": "operate",
    "API": "api",
    "Reference": {
        "Settings": "operate/settings.md",
        "Commands": "reference/commands.md",
        "Errors": "errors.md",
        "Calls of the API": "reference/api",
    },
    "Inside": {
        "Architecture": "architecture.md",
        "Contributing": "contributing.md",
        "Tests": "testing.md",
        "Translating": "translating.md",
        "Benchmarks": "benchmarks.md",
        "Decisions": "adr",
        "Security": "security.md",
        "Changes": "changelog.md",
    },
}


def as_toml(docs: Path) -> str:
    lines = ",\n".join(_entry(docs, title, where) for title, where in SECTIONS.items())
    return f"nav = [\n{lines},\n]"


def _entry(docs: Path, title: str, where: str | dict[str, str]) -> str:
    if isinstance(where, dict):
        below = ", ".join(_entry(docs, name, place) for name, place in where.items())
        return f'{{ "{title}" = [{below}] }}'
    if where.endswith(".md"):
        return f'{{ "{title}" = "{where}" }}'
    pages = ", ".join(f'"{where}/{name}"' for name in _in_order(docs / where))
    return f'{{ "{title}" = [{pages}] }}'


def _in_order(folder: Path) -> list[str]:
    there = sorted(page.name for page in folder.glob("*.md"))
    linked = [name for name in re.findall(r"\]\(([\w-]+\.md)", (folder / FIRST).read_text()) if name in there]
    return list(dict.fromkeys([FIRST, *linked, *there]))
