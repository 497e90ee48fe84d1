"""What does `farthing` answer, and with which exit code? The only place that knows exit codes."""

import logging
import os
import sys
from io import TextIOWrapper
from pathlib import Path

import typer

from ..errors import FarthingError
from ..text import is_unicode, with_bytes_shown
from . import backup, maintenance, tokens, trash, users
from .demo import demo
from .doctor import doctor
from .jobs import cron
from .serve import serve
from .welcome import welcome

OK = 0
FAILED = 1
MISUSED = 2
INTERRUPTED = 130

_NAME = "farthing"

app = typer.Typer(
    name=_NAME,
    help=(
        "Farthing keeps a household's money: every amount exact, every day right, nothing lost.\n\n"
        "Start with: farthing user create you@example.org, farthing token create you@example.org, farthing serve.\n\n"
        "Settings come from FARTHING_* variables and a .env file in the working folder; "
        "farthing config shows them. Every command works beside a running server."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.callback()(maintenance.every_command)
app.command(rich_help_panel="Server")(serve)
app.command(rich_help_panel="Server")(welcome)
app.command(rich_help_panel="Server")(maintenance.config)
app.command(rich_help_panel="Server")(maintenance.version)
app.command(rich_help_panel="Database")(maintenance.migrate)
app.command(rich_help_panel="Database")(doctor)
app.command(rich_help_panel="Database")(backup.backup)
app.command(rich_help_panel="Database")(backup.restore)
app.command(rich_help_panel="Database")(backup.copy)
app.command(rich_help_panel="Database")(cron)
app.command(rich_help_panel="People")(demo)
app.add_typer(trash.app, name="trash", rich_help_panel="Database")
app.add_typer(users.app, rich_help_panel="People")
app.add_typer(tokens.app, rich_help_panel="People")


def main() -> None:
    # Libraries log what we are about to say in one line; only `serve` has a log.
    logging.getLogger().addHandler(logging.NullHandler())
    _settle_streams()
    sys.exit(run(sys.argv[1:]))


def _settle_streams() -> None:
    """Closed ones (`<&-`) are empty; and whoever reads what is no UTF-8 sees that in the text, in every locale."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open()
    sys.stdout = sys.stdout or nowhere.open("w")
    sys.stderr = sys.stderr or nowhere.open("w")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def run(words: list[str]) -> int:
    """What can be expected to go wrong is one line on stderr; anything else is a bug and shows where."""
    try:
        _refuse_bytes(words)
        return app(words, prog_name=_NAME, standalone_mode=False) or OK
    except typer.TyperException as error:
        return _misused(error)
    except FarthingError as error:
        return _failed(str(error))
    except typer.Abort:
        return _failed("stopped; nothing was changed")
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _nobody_listens()
    except OSError as error:
        return _failed(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
    except Exception as error:
        if not _is_of_the_database(error):
            raise
        return _failed(f"the database refused: {type(error).__name__}: {error}")


def _refuse_bytes(words: list[str]) -> None:
    """Here for all commands: neither a database nor a terminal would take them."""
    for word in words:
        if not is_unicode(word):
            raise typer.BadParameter(f"'{with_bytes_shown(word)}' is not UTF-8 text")


def _is_of_the_database(error: Exception) -> bool:
    """Whoever looks after one, or has changed it by hand, learns more from what it says than from our code."""
    from ..storage.database import refused

    return refused(error)


def _failed(sentence: str) -> int:
    typer.echo(f"farthing: {_one_line(sentence)}", err=True)
    return FAILED


def _misused(error: typer.TyperException) -> int:
    """Without any words the help has been printed already, and there is nothing to complain of."""
    complaint = _one_line(error.format_message()).rstrip(".")
    if complaint:
        typer.echo(f"farthing: {complaint}; try {_whose_help(error)} --help", err=True)
    return MISUSED


def _whose_help(error: typer.TyperException) -> str:
    """That of the command which was misspelt, as far as it was understood."""
    context = getattr(error, "ctx", None)
    return str(context.command_path) if context else _NAME


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _nobody_listens() -> int:
    """The reader of a pipe went away (`| head`); Python would complain once more when it closes stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
