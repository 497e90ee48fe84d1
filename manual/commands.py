"""The page of all commands with their arguments and options, written from the command line itself."""

from collections.abc import Iterator
from typing import Any

import typer

from farthing.cli.main import app

HEAD = """# All commands

Written from the command line itself; `farthing COMMAND --help` says the same. [Commands](../operate/commands.md)
explains when to use them, and what they answer in scripts.
"""


def page() -> str:
    return HEAD + "".join(_describe(words, command) for words, command in walk())


def walk(command: Any = None, words: tuple[str, ...] = ("farthing",)) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with the words that call it."""
    command = command or typer.main.get_command(app)
    below = getattr(command, "commands", {})
    if not below:
        yield words, command
    for name, one in below.items():
        if not one.hidden:
            yield from walk(one, (*words, name))


def _describe(words: tuple[str, ...], command: Any) -> str:
    shown = [one for one in command.params if not one.hidden]
    usage = " ".join([*words, *(_bracket(one) for one in shown)])
    rows = "".join(f"| `{_name(one)}` | {_meaning(one)} |\n" for one in shown)
    table = f"\n| | |\n|---|---|\n{rows}" if rows else ""
    return f"\n## {' '.join(words)}\n\n```text\n{usage}\n```\n\n{command.help or ''}\n{table}"


def _bracket(one: Any) -> str:
    return _name(one) if one.required else f"[{_name(one)}]"


def _name(one: Any) -> str:
    value: str = one.metavar or one.name.strip("_").upper()
    if one.param_type_name == "argument":
        return value
    return str(one.opts[-1]) if one.is_flag else f"{one.opts[-1]} {value}"


def _meaning(one: Any) -> str:
    meaning = (one.help or "").replace("|", "\\|")
    is_told = one.show_default and one.default not in (None, False, "") and not callable(one.default)
    return f"{meaning} Default: `{one.default}`." if is_told else meaning
