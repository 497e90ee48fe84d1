"""The entry point of `farthing`, and the only module that knows exit codes."""

import logging
import os
import sys
from io import TextIOWrapper
from itertools import groupby
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from farthing.kernel.errors import FarthingError, is_full
from farthing.kernel.text import is_unicode, show_bytes

from . import backup, mail, maintenance, trash
from .demo import demo
from .doctor import doctor, upgrade_check
from .moving import rates
from .moving.exports import export
from .moving.imports import import_
from .people import apps, sharing, tokens, users
from .people.audit import audit
from .serve import serve
from .setup.completion import completion, prepare_answer
from .setup.man import man
from .setup.service import install_service
from .welcome import welcome

OK = 0
FAILED = 1
MISUSED = 2
INTERRUPTED = 130

_NAME = "farthing"

_WIDTH = 16


class CommandGroup(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists commands by panel, in the order in which panels first occur, with their first paragraph of help."""
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


app = typer.Typer(
    name=_NAME,
    cls=CommandGroup,
    help=(
        "Farthing keeps a household's money: every amount exact, every day right, nothing lost.\n\n"
        "Start with: farthing user create you@example.org, farthing token create you@example.org, farthing serve.\n\n"
        "Settings come from FARTHING_* variables and a .env file in the working folder; "
        "farthing config shows them. Every command works while the server runs."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # loading `rich` would take longer than loading everything else
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.callback()(maintenance.every_command)
app.command(rich_help_panel="Server")(serve)
app.command(rich_help_panel="Server")(welcome)
app.command(rich_help_panel="Server")(maintenance.config)
app.command(rich_help_panel="Server")(maintenance.version)
app.command(rich_help_panel="Database")(maintenance.migrate)
app.command(rich_help_panel="Database")(upgrade_check)
app.command(rich_help_panel="Database")(doctor)
app.command(rich_help_panel="Database")(backup.backup)
app.command(rich_help_panel="Database")(backup.restore)
app.command(rich_help_panel="Database")(backup.copy)
app.command(rich_help_panel="Books")(export)
app.command(rich_help_panel="Database")(maintenance.cron)
app.command(rich_help_panel="People")(demo)
app.command(rich_help_panel="People")(audit)
app.command("import", rich_help_panel="Books")(import_)
app.command(rich_help_panel="Machine")(install_service)
app.command(rich_help_panel="Machine")(completion)
app.command(rich_help_panel="Machine")(man)
app.add_typer(rates.app, name="rates", cls=CommandGroup, rich_help_panel="Books")
app.add_typer(mail.app, name="mail", cls=CommandGroup, rich_help_panel="Server")
app.add_typer(trash.app, name="trash", cls=CommandGroup, rich_help_panel="Database")
app.add_typer(users.app, cls=CommandGroup, rich_help_panel="People")
app.add_typer(tokens.app, cls=CommandGroup, rich_help_panel="People")
app.add_typer(sharing.app, cls=CommandGroup, rich_help_panel="People")
app.add_typer(apps.app, cls=CommandGroup, rich_help_panel="People")


def main() -> None:
    # Keeps libraries from logging errors that we print in one line; only `serve` has a log.
    logging.getLogger().addHandler(logging.NullHandler())
    _settle_streams()
    prepare_answer()
    sys.exit(run(sys.argv[1:]))


def _settle_streams() -> None:
    """Replaces closed streams (`<&-`), and makes sure that input other than UTF-8 is detected in every locale."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open()
    sys.stdout = sys.stdout or nowhere.open("w")
    sys.stderr = sys.stderr or nowhere.open("w")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def run(words: list[str]) -> int:
    """Runs a command. Prints an expected error as one line on stderr. Any other error is a bug and is raised."""
    try:
        _refuse_bytes(words)
        return app(words, prog_name=_NAME, standalone_mode=False) or OK
    except typer.TyperException as error:
        return _misused(error)
    except FarthingError as error:
        return _failed(f"the disk is full: {error}" if is_full(error) else str(error))
    except typer.Abort:
        return _failed("stopped; nothing was changed")
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _handle_closed_pipe()
    except OSError as error:
        if is_full(error):
            return _failed("the disk is full" + (f": {error.filename}" if error.filename else ""))
        return _failed(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
    except Exception as error:
        if not _is_database_error(error):
            raise
        return _failed(f"the database reported an error: {type(error).__name__}: {error}")


def _refuse_bytes(words: list[str]) -> None:
    """Refuses arguments that are not UTF-8 text, because neither a database nor a terminal accepts them."""
    for word in words:
        if not is_unicode(word):
            raise typer.BadParameter(f"'{show_bytes(word)}' is not UTF-8 text")


def _is_database_error(error: Exception) -> bool:
    """Recognizes errors of the driver, whose message helps an administrator more than a traceback."""
    from farthing.storage.drivers.open import is_driver_error

    return is_driver_error(error)


def _failed(sentence: str) -> int:
    typer.echo(f"farthing: {_one_line(sentence)}", err=True)
    return FAILED


def _misused(error: typer.TyperException) -> int:
    """Prints the error in one line, or the help if the command had no arguments."""
    message, context = error.format_message(), getattr(error, "ctx", None)
    if context and message == context.get_help():
        typer.echo(message)
    else:
        command = context.command_path if context else _NAME  # the part of the command that was recognized
        typer.echo(f"farthing: {_one_line(message).rstrip('.')}; try {command} --help", err=True)
    return MISUSED


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _handle_closed_pipe() -> int:
    """Keeps Python from reporting a closed pipe (`| head`) as an error when it closes stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
