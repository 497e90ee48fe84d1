"""Servers are upgraded one by one: migrations only add, unless a released version no longer used what they drop."""

import re
from pathlib import Path

import pytest

from farthing.storage import migrations

ROOT = Path(__file__).parents[2]
# Before the rule; there was no release yet.
BEFORE = "0012_saved_filters"
# They only seem to take something away: the same table again, with more columns and a wider condition; references of
# columns that are new.
HARMLESS = {"0037_attachments_of_more", "0038_notes_and_order", "0046_shares_of_piggy_banks"}
CONTRACT = re.compile(r"\d{4}_contract_\d{4}_")
UNUSED_SINCE = re.compile(r"^-- Unused since version (\d+\.\d+\.\d+)\b", re.MULTILINE)
TAKES_AWAY = {
    "drops something": r"\bDROP\s+(?!INDEX\b|CONSTRAINT\b)",
    "renames something": r"\bRENAME\b",
    "changes a column": r"\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+(NOT\s+NULL|DATA\s+TYPE)|TYPE)\b",
    "adds a column that older servers do not fill": r"\bADD\s+(COLUMN\s+)?\w+(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b",
    "adds a constraint that older servers do not know": r"\bADD\s+(CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY)\b",
}


def find_losses(sql: str) -> list[str]:
    """What an older server would miss, or could not do any more."""
    text = re.sub(r"--[^\n]*", "", sql)
    return [what for what, pattern in TAKES_AWAY.items() if re.search(pattern, text, re.IGNORECASE)]


@pytest.mark.parametrize(
    ("sql", "losses"),
    [
        ("CREATE TABLE new (id {id}, name {text} NOT NULL); CREATE INDEX new_by_name ON new (name)", []),
        ("ALTER TABLE tags ADD COLUMN color {text}", []),
        ("ALTER TABLE tags ADD COLUMN color {text} NOT NULL DEFAULT ''", []),
        ("DROP INDEX tags_by_name; -- DROP TABLE tags", []),
        ("ALTER TABLE tags DROP CONSTRAINT c", []),
        ("DROP TABLE tags", ["drops something"]),
        ("ALTER TABLE tags DROP COLUMN name", ["drops something"]),
        ("ALTER TABLE tags RENAME COLUMN name TO title", ["renames something"]),
        ("ALTER TABLE tags ALTER COLUMN name SET NOT NULL", ["changes a column"]),
        ("ALTER TABLE tags ADD color {text} NOT NULL", ["adds a column that older servers do not fill"]),
        ("ALTER TABLE tags ADD CONSTRAINT c CHECK (id > 1)", ["adds a constraint that older servers do not know"]),
    ],
)
def test_what_older_servers_would_miss_is_recognised(sql, losses):
    assert find_losses(sql) == losses


def test_migrations_expand_first_and_contract_later():
    """The rule is in docs/operate/upgrading.md."""
    released = set(re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE))
    wrong = []
    for name in (name for name in migrations.known() if name > BEFORE and name not in HARMLESS):
        for dialect in ("sqlite", "postgresql"):
            sql = migrations.statements(name, dialect)
            stated = set(UNUSED_SINCE.findall(sql))
            if find_losses(sql) and not (CONTRACT.match(name) and stated and stated <= released):
                wrong.append((name, dialect, find_losses(sql)))

    assert wrong == []
