"""The commands that create and manage users."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from farthing.kernel.errors import Conflict, FarthingError
from farthing.kernel.text import is_unicode, pluralize

from ..basics.lookup import Email, ServedHost, ServedPort, find_or_fail, read_field
from ..basics.output import show_table
from ..basics.start import LocalInstallation, open_installation
from .quotas import quota

if TYPE_CHECKING:
    from farthing.identity.user import User
    from farthing.storage.unit import Unit

app = typer.Typer(name="user", help="Create, list, limit, block and delete users.", no_args_is_help=True)
app.command()(quota)

EndTokens = Annotated[
    bool | None,
    typer.Option(
        "--end-tokens/--keep-tokens",
        help="Revoke or keep the user's tokens. If omitted, the command asks on a terminal, and otherwise keeps them.",
    ),
]
FromStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


@app.command()
def create(email: Email, password_stdin: FromStdin = False) -> None:
    """Create a user. The first becomes the owner. Without --password-stdin, a password is generated and shown once."""
    from farthing.identity.signing_in import passwords

    password = _choose_password(password_stdin, email)
    hashed = passwords.hash_password(password)
    with open_installation(create=True) as at, at.db.writing() as unit:
        user = create_user(unit, at, email, hashed)
    typer.echo(f"Created user {user.id}, {user.email}{', the owner' if user.is_owner else ''}.")
    _print_password(password, is_generated=not password_stdin)


@app.command("list")
def show() -> None:
    """List all users: id, e-mail, role, state, since when."""
    from farthing.identity import users

    with open_installation() as at, at.db.reading() as unit:
        everyone = users.list_all(unit)
    states = ("active", "blocked")
    rows = [(user.id, user.email, user.role, states[user.blocked], user.created_at) for user in everyone]
    show_table(("id", "e-mail", "role", "state", "since"), rows)


@app.command()
def block(email: Email) -> None:
    """Block a user at once: sessions, tokens and password stop working; nothing is deleted."""
    _set_blocked(email, blocked=True)


@app.command()
def unblock(email: Email) -> None:
    """Let a blocked user in again."""
    _set_blocked(email, blocked=False)


@app.command("set-password")
def set_password(email: Email, password_stdin: FromStdin = False, end_tokens: EndTokens = None) -> None:
    """Set a new password and sign the user out everywhere. Without --password-stdin, one is generated and shown."""
    from farthing.identity import tokens, users
    from farthing.identity.signing_in import passwords

    password = _choose_password(password_stdin, email)
    hashed = passwords.hash_password(password)
    with open_installation() as at:
        with at.db.reading() as unit:
            user = find_or_fail(unit, email)
            count = len(tokens.of_user(unit, user.id))
        if end_tokens is None and count and sys.stdin.isatty():
            end_tokens = typer.confirm(f"Revoke {pluralize(count, 'token')} of {user.email} as well?", err=True)
        with at.db.writing() as unit:
            users.set_password(unit, user.id, hashed, at.now)
            revoked = tokens.revoke_all(unit, user.id) if end_tokens else 0
    typer.echo(f"{user.email} has a new password, and is signed out everywhere.{_describe_tokens(count, revoked)}")
    _print_password(password, is_generated=not password_stdin)


def _describe_tokens(count: int, revoked: int) -> str:
    if revoked:
        return f" {pluralize(revoked, 'token was', 'tokens were')} revoked."
    return f" {pluralize(count, 'token stays', 'tokens stay')} valid; --end-tokens revokes them." if count else ""


@app.command("sign-in-link")
def sign_in_link(email: Email, host: ServedHost = None, port: ServedPort = None) -> None:
    """Print a link that signs a user in without a password. It works once, within 15 minutes."""
    from farthing.identity import links

    from ..basics.addresses import public, sign_in

    with open_installation() as at, at.db.writing() as unit:
        user = find_or_fail(unit, email)
        if user.blocked:
            raise Conflict(f"{user.email} is blocked; `farthing user unblock {user.email}` lets them in again")
        code = links.make(unit, user.id, at.now)
    typer.echo(sign_in(public(at.settings, host, port), code))


@app.command("reset-2fa")
def reset_2fa(email: Email) -> None:
    """Remove all second factors of a user who has lost them. The password is then enough to sign in."""
    from farthing.identity import audit
    from farthing.identity.factors import store as factors

    with open_installation() as at, at.db.writing() as unit:
        user = find_or_fail(unit, email)
        count = factors.remove_all(unit, user.id)
        audit.note(unit, user.id, audit.Event.FACTORS_RESET, audit.COMMAND_LINE, now=at.now)
    typer.echo(f"Removed {pluralize(count, 'second factor')} of {user.email}.")


@app.command()
def unlink(email: Email) -> None:
    """Unlink a user from all sign-in providers. The user cannot sign in with them again, but stays signed in."""
    from farthing.identity import audit, users
    from farthing.identity.providers import store

    with open_installation() as at, at.db.writing() as unit:
        user = find_or_fail(unit, email)
        linked = store.list_for_user(unit, user.id)
        for identity in linked:
            store.remove(unit, identity)
            event, about = audit.Event.PROVIDER_UNLINKED, identity.issuer
            audit.note(unit, user.id, event, audit.COMMAND_LINE, now=at.now, about=about)
        has_password = users.has_password(unit, user.id)
    typer.echo(f"Unlinked {pluralize(len(linked), 'provider')} of {user.email}.")
    if not has_password:
        typer.echo(f"They have no password: `farthing user sign-in-link {user.email}` lets them in.")


@app.command()
def delete(email: Email, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete a user with everything that is theirs. This cannot be undone."""
    from farthing.identity import users

    with open_installation() as at:
        with at.db.reading() as unit:
            user = find_or_fail(unit, email)
        if not yes:
            typer.confirm(f"Delete {user.email} with every account, transaction and token?", abort=True, err=True)
        with at.db.writing() as unit:
            users.remove(unit, user.id)
    typer.echo(f"Deleted {user.email}.")


def create_user(unit: Unit, at: LocalInstallation, email: str, password_hash: str) -> User:
    from farthing.books.lifecycle.settings import users as lifecycle
    from farthing.identity import addresses, links
    from farthing.identity.users import EmailTaken

    email = addresses.normalize(email)
    problem = addresses.find_problem(email)
    if problem:
        raise FarthingError(f"'{email}' is not an e-mail address such as you@example.org: it {problem}")
    try:
        user = lifecycle.add(unit, email, password_hash, at.settings.timezone, at.now)
    except EmailTaken:
        raise Conflict(f"there is already a user {email}") from None
    links.remove_first_run_file(at.settings.data)
    return user


def _set_blocked(email: str, *, blocked: bool) -> None:
    from farthing.identity import users

    with open_installation() as at, at.db.writing() as unit:
        user = find_or_fail(unit, email)
        users.set_blocked(unit, user.id, blocked, at.now)
        was_last = blocked and user.is_owner and not users.has_owner_besides(unit, user.id)
    typer.echo(f"{user.email} is {'blocked' if blocked else 'no longer blocked'}.")
    if was_last:  # a warning, not a refusal: blocking may be urgent and can be undone
        again = f"`farthing user unblock {user.email}` lets them in again"
        typer.echo(f"They were the last owner: nobody can manage users and the server in the browser now; {again}.")


def _choose_password(from_stdin: bool, email: str) -> str:
    from farthing.identity.signing_in import passwords
    from farthing.identity.user import PASSWORD_MAX, password_problems
    from farthing.kernel.fields import text

    if not from_stdin:
        return passwords.random_password()
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise FarthingError("no password on standard input")
    if not is_unicode(password):
        raise FarthingError("the password is not UTF-8 text")
    if not sys.stdin.isatty() and sys.stdin.read(PASSWORD_MAX).strip():
        raise FarthingError("there is more than one line on standard input; a password is one line")
    password = read_field("password", password, Annotated[str, text(PASSWORD_MAX)])
    for problem in password_problems("password", password, email):
        raise FarthingError(problem.message.rstrip("."))
    return password


def _print_password(password: str, *, is_generated: bool) -> None:
    if is_generated:
        typer.echo(f"Password (shown this once): {password}")
