"""Finds the user that a command names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from farthing.kernel.errors import NotFound

if TYPE_CHECKING:
    from farthing.identity.user import User
    from farthing.storage.unit import Unit

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The user's e-mail address.", show_default=False)]


def find_or_fail(unit: Unit, email: str) -> User:
    from farthing.identity import users

    user = users.find_by_email(unit, email)
    if user is None:
        raise NotFound(f"there is no user {email}; `farthing user list` shows them all")
    return user
