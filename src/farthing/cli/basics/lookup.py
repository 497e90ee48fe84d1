"""Reads the arguments that several commands share, and finds the users that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from farthing.kernel.errors import FarthingError, NotFound

if TYPE_CHECKING:
    from farthing.identity.user import User
    from farthing.storage.unit import Unit

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The user's e-mail address.", show_default=False)]
UserOption = Annotated[
    str | None, typer.Option("--user", metavar="EMAIL", help="The user; needed only if there are several.")
]
HostOption = Annotated[
    str, typer.Option("--host", help="The address on which `serve` listens; ignored if FARTHING_BASE_URL is set.")
]
PortOption = Annotated[int, typer.Option("--port", help="The port on which `serve` listens.", min=1, max=65535)]
# The host and the port of `serve`. If omitted, those of the running server are used.
ServedHost = Annotated[
    str | None,
    typer.Option(
        "--host",
        help="The address on which `serve` listens. If omitted, that of the running server. Ignored if"
        " FARTHING_BASE_URL is set.",
    ),
]
ServedPort = Annotated[
    int | None,
    typer.Option(
        "--port", help="The port on which `serve` listens. If omitted, that of the running server.", min=1, max=65535
    ),
]


def find_or_fail(unit: Unit, email: str) -> User:
    from farthing.identity import users

    user = users.find_by_email(unit, email)
    if user is None:
        raise NotFound(f"there is no user {email}; `farthing user list` shows all users")
    return user


def find_user(unit: Unit, email: str | None) -> User:
    """Finds the user with this e-mail address, or the only user if it is None."""
    from farthing.identity import users

    if email:
        return find_or_fail(unit, email)
    everyone = users.list_all(unit)
    if len(everyone) != 1:
        raise typer.BadParameter("there are several users, or none: name one with --user EMAIL")
    return everyone[0]


def read_field(label: str, word: str, field: object) -> str:
    """Validates a word as the API validates a field of this type, so that commands and API accept the same values."""
    from farthing.kernel.fields import Refused

    _, parser = get_args(field)
    try:
        return str(parser.read(word))
    except Refused as refused:
        raise FarthingError(str(refused).format(label=label).rstrip(".")) from None
