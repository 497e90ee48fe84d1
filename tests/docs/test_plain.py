"""Pages use the trade's usual words, and their tables are whole."""

import re

from .shown import ROOT

# Settings are described in the code, and other programs' words are theirs.
PAGES = [page for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")) if page.name != "settings.md"]
RIDDLES = re.compile(r"\b(left out|leaves? out|leaving out|[Ww]hoever|[Mm]akes? way|gives? way|is told)\b")


def test_pages_avoid_words_that_readers_stumble_over() -> None:
    """Write "omitted" or "skipped", and name the person."""
    found = [
        f"{page.relative_to(ROOT)}: {words}" for page in PAGES for words in RIDDLES.findall(_prose(page.read_text()))
    ]

    assert found == []


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
