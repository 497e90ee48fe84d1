"""Pages use the trade's usual words."""

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


def _prose(text: str) -> str:
    return " ".join(re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE).split())
