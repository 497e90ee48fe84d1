"""What a release is made from: locked dependencies, and a version that everything agrees on."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "deploy" / "requirements.txt").read_text()
CONSTRAINTS = (ROOT / "deploy" / "constraints.txt").read_text()


def test_every_dependency_is_locked_by_version_and_hash():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(one for name in ("postgres", "s3") for one in _extra(project, name))]
    locked = re.findall(r"^([a-z0-9-]+)(?:\[[a-z]+\])?==\S+(?: ; .+?)? \\\n    --hash=sha256:", LOCK, re.MULTILINE)

    assert {_name(one) for one in wanted} <= set(locked), "run: make lock"
    assert len(locked) == len(re.findall(r"^\S+==", LOCK, re.MULTILINE)), "one without a hash"


def _extra(project: dict, name: str) -> list[str]:
    return project["optional-dependencies"][name]


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=; ]", requirement)[0].lower().replace(".", "-").replace("_", "-")


def test_what_is_tested_is_what_is_released():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    released, tested = (
        re.findall(r"^([a-z0-9-]+)(?:\[[a-z]+\])?==(\S+)", text, re.MULTILINE) for text in (LOCK, CONSTRAINTS)
    )

    assert set(released) <= set(tested), "run: make lock"
    assert {_name(one) for one in groups["dev"]} <= dict(tested).keys(), "run: make lock"


def test_the_locks_name_no_index():
    for text in (LOCK, CONSTRAINTS):
        assert "://" not in text
        assert "index-url" not in text
