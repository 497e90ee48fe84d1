"""Groups the commands in the help by topic."""

from itertools import groupby
from typing import Any

from typer.core import TyperGroup

_WIDTH = 16


class CommandGroup(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Groups commands by panel, in the order in which panels first occur, and prints whole sentences."""
        commands = [command for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))]
        panels = list(dict.fromkeys(map(_panel, commands)))
        commands.sort(key=lambda command: panels.index(_panel(command)))
        for panel, group in groupby(commands, key=_panel):
            with formatter.section(panel):
                formatter.write_dl([(f"{command.name:{_WIDTH}}", _first_sentence(command)) for command in group])


def _panel(command: object) -> str:
    return getattr(command, "rich_help_panel", None) or "Commands"


def _first_sentence(command: Any) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())
