"""Whatever way a bank writes its table, the same transactions come out: every trait alone, and in pairs."""

import pytest

from farthing.moving.findings import Finding
from farthing.moving.statements import StatementRow

from ...length import LONG
from .tables import detected, parts_of
from .traits import DATES, PLAIN, ROWS, Traits, alone, is_writable, pairs, write_table

SEEDS = range(10) if LONG else range(1)


def check(traits: Traits) -> str | None:
    """What is wrong with the reading of a table with these traits."""
    content = write_table(traits)
    found = detected(content)
    if found.problems:
        return f"{traits}: {found.problems}"
    parts = parts_of(content, found.layout)
    rows = [one for one in parts if isinstance(one, StatementRow)]
    rejected = [one for one in parts if isinstance(one, Finding) and one.rejects]
    expected = [(on, amount, " ".join(text.split())) for on, amount, text in ROWS]
    if traits["order"] == "newest first":
        expected.reverse()
    if rejected or [(row.on, row.amount, row.description) for row in rows] != expected:
        return f"{traits}: {found.layout} {[(row.on, row.amount, row.description) for row in rows]} {rejected}"
    if traits["balance"] and any(row.balance is None for row in rows):
        return f"{traits}: no balances, {found.layout}"
    return None


def name_of(traits: Traits) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in traits.items() if value != PLAIN[name]) or "plain"


@pytest.mark.parametrize("traits", [one for one in alone() if is_writable(one)], ids=name_of)
def test_each_trait_alone_is_understood(traits: Traits) -> None:
    assert check(traits) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_traits_are_understood_in_pairs(seed: int) -> None:
    wrong = [sentence for traits in pairs(seed) if (sentence := check(traits))]

    assert wrong == []


def test_the_line_of_each_row_is_the_one_in_the_file() -> None:
    content = write_table(PLAIN | {"preamble": "long", "dates": list(DATES)[1]})
    lines = content.decode().splitlines()

    rows = [one for one in parts_of(content) if isinstance(one, StatementRow)]

    assert [lines[row.row - 1][:10] for row in rows] == [f"{on:%d.%m.%Y}" for on, _, _ in ROWS]
