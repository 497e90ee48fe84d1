"""What the manual shows: its pages, and the commands on them."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import typer

from farthing.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
HOW_TO = sorted((ROOT / "docs/how-to").glob("*.md"))
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`farthing ([^`]+)`")
FILE = re.compile(r"`([\w-]+\.(?:csv|journal))`[^`]*\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SETTING = re.compile(r"\w+=.*")


def commands(page: Path) -> Iterator[tuple[dict[str, str], list[str]]]:
    """The settings and words of every `farthing` in the page's shell examples."""
    for block in SHELL.findall(page.read_text()):
        for line in block.replace("\\\n", " ").splitlines():
            for words in _simple_commands(line) if "farthing" in line else ():
                given = list(takewhile(SETTING.fullmatch, words))
                name, *rest = [*words[len(given) :], ""]
                if Path(name).name == "farthing":
                    yield dict(word.split("=", 1) for word in given), rest[:-1]


def _simple_commands(line: str) -> Iterator[list[str]]:
    """A line of shell, cut where another program begins; what follows `>` is a file."""
    reader = shlex.shlex(line.replace("$(", ";"), posix=True, punctuation_chars="|;&()<>")
    reader.whitespace_split = True
    found: list[list[str]] = [[]]
    is_file = False
    for word in reader:
        if set(word) <= set("|;&()"):
            found.append([])
        elif not is_file and word not in (">", ">>", "<"):
            found[-1].append(word)
        is_file = word in (">", ">>", "<")
    yield from found


def find_command(words: list[str]) -> tuple[Any, list[str]]:
    """The command that these words call, and what is left for it."""
    command, rest = _all_commands(), words
    while rest and rest[0] in getattr(command, "commands", {}):
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


@cache
def _all_commands() -> Any:
    return typer.main.get_command(app)
