"""Are the commands that the manual shows commands of Farthing?"""

import re
from pathlib import Path

import pytest
from manual.commands import walk

from farthing.kernel import config
from farthing.kernel.environment import variable_name
from farthing.kernel.settings.providers import list_names

from .shown import INLINE, PAGES, ROOT, commands, find_command

SETTING = re.compile(r"FARTHING_[A-Z0-9_]*[A-Z0-9]\b(?!…)")
# They are for the tests of Farthing itself.
DEVELOPERS = {"FARTHING_PROOF", "FARTHING_SEED", "FARTHING_SNAPSHOTS", "FARTHING_CLUSTER"}
# What may follow a group of commands without naming one of them.
GROUP_ALONE = ([], ["COMMAND"], ["--help"], ["--version"])


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_every_command_in_a_shell_example_is_one_that_farthing_accepts() -> None:
    checked = 0
    for page in PAGES:
        for _, words in commands(page):
            command, rest = find_command(words)
            try:
                command.make_context("farthing", rest)
            except Exception as refusal:
                pytest.fail(f"{name_of(page)} shows `farthing {' '.join(words)}`: {refusal}")
            checked += 1
    assert checked > 20


def test_every_command_in_a_sentence_exists_with_its_options() -> None:
    """`COMMAND` stands for any; what is in brackets may be left out, and counts here."""
    wrong = []
    for page in PAGES:
        for text in INLINE.findall(page.read_text()):
            command, rest = find_command(re.sub(r"[\[\]]", " ", text).split())
            is_unfinished = bool(getattr(command, "commands", {})) and rest[:1] not in GROUP_ALONE
            known = {option for one in command.params for option in one.opts} | {"--help", "--version"}
            if is_unfinished or {word.split("=")[0] for word in rest if word.startswith("--")} - known:
                wrong.append(f"{name_of(page)}: farthing {text}")
    assert wrong == []


def test_the_page_of_commands_names_every_command() -> None:
    page = (ROOT / "docs/operate/commands.md").read_text()

    assert [" ".join(words) for words, _ in walk() if f"`{' '.join(words)}" not in page] == []


def test_every_setting_that_a_page_names_exists() -> None:
    known = {variable_name(name) for name, _ in config.list_settings()}
    known |= {variable_name(name) for name in list_names(["home"])}  # the provider of all examples
    known |= {f"{name}_FILE" for name in known} | DEVELOPERS

    named = {(name_of(page), name) for page in PAGES for name in SETTING.findall(page.read_text())}

    assert sorted((page, name) for page, name in named if name not in known) == []
