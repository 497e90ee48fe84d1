"""Puts an apostrophe before cells that a spreadsheet would run as a formula, and removes such apostrophes again."""

import re

# Full-width signs can also begin a formula. A cell that looks already marked gets another mark, so that removing one
# mark restores it.
_FORMULA = re.compile("'*[=+\\-@＝＋－＠\x00-\x1f\x7f-\x9f]")


def mark_formula(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unmark_formula(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell
