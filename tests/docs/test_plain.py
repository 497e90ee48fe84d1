"""Pages, the API's descriptions and the commands' help use the trade's usual words; tables of pages are whole."""

import json
import re
from collections.abc import Iterator

from manual.commands import walk

from .shown import ROOT

# Settings are described in the code, and other programs' words are theirs.
PAGES = [page for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")) if page.name != "settings.md"]
# "counts" is fine if something is counted, and "stands" in "stands for".
RIDDLES = re.compile(
    r"\b(left out|leaves? out|leaving out|[Ww]hoever|[Mm]akes? way|gives? way|told|[Bb]eside|stands?(?! for|-)"
    r"|(?:the|a) \w+ counts(?! [a-z])|counts? (?:until|only|too))\b"
)


def test_pages_avoid_words_that_readers_stumble_over() -> None:
    """Write "omitted" or "skipped", and name the person."""
    found = [
        f"{page.relative_to(ROOT)}: {words}" for page in PAGES for words in RIDDLES.findall(_prose(page.read_text()))
    ]

    assert found == []


def test_descriptions_of_the_api_avoid_them_too() -> None:
    texts = list(_descriptions(json.loads((ROOT / "docs/api/openapi.json").read_text())))
    assert len(texts) > 1000

    assert [text for text in texts if RIDDLES.search(re.sub(r"`[^`]*`", "", text))] == []


def _descriptions(part: object) -> Iterator[str]:
    if isinstance(part, list):
        for item in part:
            yield from _descriptions(item)
    elif isinstance(part, dict):
        for name, value in part.items():
            if isinstance(value, str) and name in ("description", "summary"):
                yield value
            else:
                yield from _descriptions(value)


def test_the_help_of_the_commands_avoids_them_too() -> None:
    texts = {text for _, command in walk() for text in (command.help, *(one.help for one in command.params)) if text}
    assert len(texts) > 100

    assert [text for text in texts if RIDDLES.search(text)] == []


def test_tables_have_a_head_and_rows_of_the_same_width() -> None:
    tables = [
        (page, table.splitlines())
        for page in PAGES
        for table in re.findall(r"(?:^\|.*\n)+", _without_examples(page.read_text()), re.MULTILINE)
    ]
    assert len(tables) > 40

    broken = [(page, rows[0]) for page, rows in tables if len(rows) < 3 or not re.fullmatch(r"[|:\s-]+", rows[1])]
    uneven = [(page, rows[0]) for page, rows in tables if len({_width(row) for row in rows}) > 1]
    assert broken + uneven == []


def _width(row: str) -> int:
    return len(re.sub(r"`[^`]*`|\\\|", "", row).split("|"))


def _prose(text: str) -> str:
    return " ".join(_without_examples(text).split())


def _without_examples(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
