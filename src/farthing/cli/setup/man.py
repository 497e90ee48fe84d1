"""Writes manual pages from the commands and their help, one page for each command."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, cast

import typer

# `\-` is a hyphen that can be copied into a shell.
_ESCAPED = {"\\": "\\e", "-": "\\-", "`": ""}


def man(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(help="The folder to write to, such as ~/.local/share/man/man1; created if missing.")
    ],
) -> None:
    """Write the manual pages of all commands into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for command in _list_contexts(cast(typer.Context, context.find_root())):
        names.append(_name(command.command_path))
        (folder / f"{names[-1]}.1").write_text("\n".join(_write_page(command)) + "\n", encoding="utf-8")
    typer.echo(f"Wrote {len(names)} pages to {folder}.")


def _list_contexts(above: typer.Context) -> Iterator[typer.Context]:
    """Yields a command and all its subcommands, each in the context in which it would run."""
    yield above
    for command in getattr(above.command, "commands", {}).values():
        yield from _list_contexts(typer.Context(command, info_name=command.name, parent=above))


def _name(command_path: str) -> str:
    return command_path.replace(" ", "-")


def _write_page(context: typer.Context) -> Iterator[str]:
    from farthing import __version__

    about = _paragraphs(context)
    usage = " ".join(context.command.collect_usage_pieces(context))
    yield f'.TH "{_escape(_name(context.command_path).upper())}" 1 "" "Farthing {__version__}" "Farthing"'
    yield from (".SH NAME", f"{_escape(_name(context.command_path))} \\- {_escape(about[0].rstrip('.'))}")
    yield from (".SH SYNOPSIS", f"\\fB{_escape(context.command_path)}\\fR {_escape(usage)}")
    yield ".SH DESCRIPTION"
    for paragraph in about:
        yield from (".PP", _escape(paragraph))
    yield from _write_options(context)
    yield from _write_commands(context)
    if context.parent is None:
        yield from _write_environment()
    else:
        yield from (".SH SEE ALSO", f"\\fB{_escape(_name(context.parent.command_path))}\\fR(1)")


def _paragraphs(context: typer.Context) -> list[str]:
    paragraphs = [" ".join(paragraph.split()) for paragraph in (context.command.help or "").split("\n\n")]
    return [paragraph for paragraph in paragraphs if paragraph] or [context.command_path]


def _write_options(context: typer.Context) -> Iterator[str]:
    records = [record for option in context.command.get_params(context) if (record := option.get_help_record(context))]
    if records:
        yield ".SH OPTIONS"
    for name, meaning in records:
        yield from (".TP", f"\\fB{_escape(name)}\\fR", _escape(meaning))


def _write_commands(context: typer.Context) -> Iterator[str]:
    below = list(_list_contexts(context))[1:]
    if below:
        yield ".SH COMMANDS"
    for command in below:
        yield from (".TP", f"\\fB{_escape(_name(command.command_path))}\\fR(1)", _escape(_paragraphs(command)[0]))


def _write_environment() -> Iterator[str]:
    from farthing.kernel.config import list_settings
    from farthing.kernel.environment import variable_name

    yield ".SH ENVIRONMENT"
    for name, field in list_settings():
        yield from (".TP", f"\\fB{variable_name(name)}\\fR", _escape(field.description or ""))
    yield from (".SH EXIT STATUS", "0 success, 1 failure, 2 wrong usage, 130 interrupted.")


def _escape(text: str) -> str:
    """Escapes text for roff, in which a line that begins with a dot or an apostrophe is a command."""
    escaped = "".join(_ESCAPED.get(letter, letter) for letter in " ".join(text.split()))
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
