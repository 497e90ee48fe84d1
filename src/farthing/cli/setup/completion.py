"""Prints the script that lets a shell complete commands and options."""

import os
from enum import StrEnum
from typing import Annotated, Any

import typer
from typer import _completion_classes
from typer.completion import completion_init, get_completion_script  # type: ignore[attr-defined]  # not re-exported
from typer.core import TyperArgument, TyperOption

# The shell sets this variable when it asks for completions.
_COMPLETE_VARIABLE = "_FARTHING_COMPLETE"


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(shell: Annotated[Shell, typer.Argument(help="The shell to complete in.")]) -> None:
    """Print the completion script of a shell, to be sourced or installed where the shell looks for it."""
    typer.echo(get_completion_script(prog_name="farthing", complete_var=_COMPLETE_VARIABLE, shell=shell.value))


def prepare_answer() -> None:
    """If a shell asks for completions, makes typer answer in the form that typer's scripts expect."""
    if _COMPLETE_VARIABLE in os.environ:
        completion_init()
        # Our help has no markup. The library that would remove it takes longer to load than everything else.
        _completion_classes._sanitize_help_text = str  # type: ignore[assignment]
        # Skips validating earlier words: completions do not need it, and loading pydantic takes half of the time.
        TyperOption.process_value = TyperArgument.process_value = _accept_as_typed  # type: ignore[method-assign]


def _accept_as_typed(self: Any, ctx: Any, value: Any) -> Any:  # noqa: ARG001
    return value
