"""The manual names every setting and role, and its examples are right."""

import json
import re
from pathlib import Path

from farthing.moving.formats.csv.layout import FIELDS, check_fields
from farthing.moving.formats.csv.read import REJECTED_MAX
from farthing.moving.formats.csv.table import COLUMNS_MAX, FIELD_CHARS_MAX, LINE_CHARS_MAX, RECORD_LINES_MAX
from farthing.moving.formats.csv.words import ROLES

PAGE = (Path(__file__).parents[3] / "docs/import/csv.md").read_text()


def test_the_manual_names_every_setting_and_role() -> None:
    terms = re.findall(r"^- (`.*?):", PAGE, re.MULTILINE)
    named = {name for term in terms for name in re.findall(r"`(\w+)`", term)}

    assert named == {*FIELDS, *ROLES}


def test_the_examples_of_the_manual_are_mappings_without_problems() -> None:
    examples = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)

    assert len(examples) == 2
    assert [check_fields(json.loads(example))[1] for example in examples] == [[], []]


def test_the_manual_states_the_limits() -> None:
    limits = (LINE_CHARS_MAX, FIELD_CHARS_MAX, COLUMNS_MAX, RECORD_LINES_MAX, REJECTED_MAX)

    stated = PAGE.split("## Limits")[1].replace(" ", "")

    assert [limit for limit in limits if str(limit) not in stated] == []
