"""Writes the unit with which systemd runs Farthing."""

import sys
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from farthing.kernel.errors import Conflict, Unusable

_UNIT = "farthing.service"
_FOLDER = Path("/etc/systemd/system")
# The unit hides these folders from the service.
_HOMES = {Path("/home"), Path("/root")}


def install_service(
    folder: Annotated[Path, typer.Option(help="The folder for the unit.")] = _FOLDER,
    program: Annotated[
        Path | None,
        typer.Option(help="The farthing command that the service runs; default: that of this installation."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the unit and write nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; for scripts.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a unit that was changed by hand.")] = False,
) -> None:
    """Install a hardened systemd service, after showing it and asking.

    It runs as a user of its own, keeps its data in /var/lib/farthing and reads /etc/farthing/farthing.env for settings.
    """
    template, file = resources.files(__package__).joinpath(_UNIT).read_text(), folder / _UNIT
    unit = template.replace("{program}", str(_choose_program(program)))
    if show:
        typer.echo(unit, nl=False)
        return
    if file.is_file() and file.read_text() == unit:
        typer.echo(f"{file} is up to date.")
        return
    if file.exists() and not replace:
        raise Conflict(f"{file} exists and differs from what would be written; compare with --show, or use --replace")
    if not yes:
        typer.echo(unit)
        typer.confirm(f"Write this to {file}?", abort=True)
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(unit)
    typer.echo(f"Wrote {file}. Start it with: systemctl daemon-reload && systemctl enable --now farthing")


def _choose_program(named: Path | None) -> Path:
    """Returns an absolute path, because a service has no working folder or search path of its own."""
    program = (named or Path(sys.executable).parent / "farthing").absolute()
    if not program.is_file():
        raise Unusable(f"There is no {program}: install Farthing with pip, pipx or the Debian package first.")
    if _HOMES.intersection([program.parents[-2], program.resolve().parents[-2]]):
        raise Unusable(
            f"The service could not start {program}: services cannot see home folders. "
            "Install Farthing elsewhere, for example in a virtual environment in /opt/farthing."
        )
    return program
