"""What does someone need to know who starts Farthing for the first time? Address, sign-in, a token, a first call."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..users.model import User
    from .start import House

OWNER = "owner@localhost"
# Where `serve` listens unless told otherwise.
PORT = 8000


def welcome(
    host: Annotated[str, typer.Option(help="Where `serve` will listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port of `serve`.", min=1, max=65535)] = PORT,
) -> None:
    """Make the owner on first use, and say how to get in."""
    from ..users import store as users
    from .addresses import public
    from .start import house

    with house() as at:
        address = public(at.settings, host, port)
        with at.db.reading() as unit:
            everyone = users.everyone(unit)
        lines = _again(at, address, everyone[0]) if everyone else _first(at, address, port)
    for line in lines:
        typer.echo(line)


def _first(at: House, address: str, port: int) -> list[str]:
    """Owner and token in one unit of work: a half-made welcome could never be shown again."""
    from ..sessions import links
    from ..users import passwords, tokens
    from .addresses import sign_in
    from .users import make

    password = passwords.random_password()
    hashed = passwords.hash_password(password)
    with at.db.writing() as unit:
        owner = make(unit, at, OWNER, hashed)
        token = tokens.issue(unit, owner.id, "welcome", None, at.now)
        link = sign_in(address, links.make(unit, owner.id, at.now))
    return [
        "Welcome to Farthing. The password and the token are shown this once; keep them.",
        "",
        f"  Address   {address}",
        f"  Sign in   {owner.email}",
        f"  Password  {password}",
        f"  Token     {token}",
        f"  Time zone {at.settings.timezone}; yours is changed under Settings, Preferences",
        "",
        *_open(link),
        "Try it from another terminal:",
        "",
        f'  curl -H "Authorization: Bearer {token}" {address}/api/v1/about/user',
        "",
        *_offer("" if port == PORT or at.settings.base_url else f" --port {port}"),
    ]


def _offer(options: str) -> list[str]:
    """Only at the first start: later it would be in the way."""
    return ["Or look around in two years of a household's books:", "", f"  {this_command()} demo{options}", ""]


def _again(at: House, address: str, user: User) -> list[str]:
    from ..sessions import links
    from .addresses import sign_in

    lines = [f"Farthing is at {address}", f"For another API token: {this_command()} token create {user.email}", ""]
    if user.blocked:
        return lines
    with at.db.writing() as unit:
        return [*lines, *_open(sign_in(address, links.make(unit, user.id, at.now)))]


def _open(link: str) -> list[str]:
    return ["Open it, signed in (once, within 15 minutes):", "", f"  {link}", ""]


def this_command() -> str:
    """As the reader can type it: the same program on the same data."""
    data = os.environ.get("FARTHING_DATA")
    program = "python -m farthing" if sys.argv[0].endswith("__main__.py") else shlex.quote(sys.argv[0])
    return f"FARTHING_DATA={shlex.quote(data)} {program}" if data else program
