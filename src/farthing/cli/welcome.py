"""The command that creates the owner on first use and says how to sign in."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

import typer

from .basics.addresses import HOST, PORT, public, sign_in
from .basics.lookup import HostOption, PortOption
from .basics.start import LocalInstallation, open_installation

if TYPE_CHECKING:
    from farthing.identity.user import User

OWNER = "owner@localhost"


def welcome(host: HostOption = HOST, port: PortOption = PORT) -> None:
    """Create the owner on first use, and show how to sign in."""
    from farthing.identity import users

    with open_installation(create=True) as at:
        address = public(at.settings, host, port)
        with at.db.reading() as unit:
            everyone = users.list_all(unit)
        lines = _welcome_again(at, address, everyone[0]) if everyone else _create_owner(at, address, port)
    for line in lines:
        typer.echo(line)


def _create_owner(at: LocalInstallation, address: str, port: int) -> list[str]:
    """Creates the owner and a token in one unit of work, because their secrets are shown only once."""
    from farthing.identity import links, tokens
    from farthing.identity.signing_in import passwords

    from .people.users import create_user

    password = passwords.random_password()
    hashed = passwords.hash_password(password)
    with at.db.writing() as unit:
        owner = create_user(unit, at, OWNER, hashed)
        token = tokens.issue(unit, owner.id, "welcome", None, at.now)
        link = sign_in(address, links.make(unit, owner.id, at.now))
    return [
        "Welcome to Farthing. The password and the token are shown this once; keep them.",
        "",
        f"  Address   {address}",
        f"  Sign in   {owner.email}",
        f"  Password  {password}",
        f"  Token     {token}",
        f"  Time zone {at.settings.timezone}; you can change yours under Settings, Preferences",
        "",
        *_show_link(link),
        "Try it from another terminal:",
        "",
        f'  curl -H "Authorization: Bearer {token}" {address}/api/v1/about/user',
        "",
        "Or look around in two years of a household's books:",
        "",
        f"  {this_command()} demo{'' if port == PORT or at.settings.base_url else f' --port {port}'}",
        "",
    ]


def _welcome_again(at: LocalInstallation, address: str, user: User) -> list[str]:
    from farthing.identity import links

    lines = [f"Farthing is at {address}", f"For another API token: {this_command()} token create {user.email}", ""]
    if user.blocked:
        return lines
    with at.db.writing() as unit:
        return [*lines, *_show_link(sign_in(address, links.make(unit, user.id, at.now)))]


def _show_link(link: str) -> list[str]:
    return ["Open this link to be signed in (it works once, within 15 minutes):", "", f"  {link}", ""]


def this_command() -> str:
    """Returns what the user has to type to run this program again, with the same data folder."""
    data = os.environ.get("FARTHING_DATA")
    program = "python -m farthing" if sys.argv[0].endswith("__main__.py") else shlex.quote(sys.argv[0])
    return f"FARTHING_DATA={shlex.quote(data)} {program}" if data else program
