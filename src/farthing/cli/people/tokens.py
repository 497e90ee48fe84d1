"""The commands that create, list and revoke API tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from farthing.identity.user import Access, ApiVersion
from farthing.kernel.errors import FarthingError, NotFound
from farthing.kernel.limits import DAYS_MAX, ID_MAX

from ..basics.lookup import Email, find_or_fail, read_field
from ..basics.output import show_table
from ..basics.start import open_installation

if TYPE_CHECKING:
    from farthing.identity.user import User
    from farthing.storage.unit import Unit

app = typer.Typer(name="token", help="Create, list and revoke API tokens.", no_args_is_help=True)


@app.command()
def create(
    email: Email,
    name: Annotated[str, typer.Option(help="What the token is for.")] = "command line",
    expires: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS", help="Days until the token expires. If omitted, it never expires.", min=1, max=DAYS_MAX
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Let the token read, but not change anything.")
    ] = False,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="Limit the token to this scope, such as accounts:read or bills:write; may be repeated."),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(help="Accept the token only from this network, such as 192.168.1.0/24; may be repeated."),
    ] = None,
    books: Annotated[
        str | None,
        typer.Option(metavar="EMAIL", help="Use the token for the books of this user, who must share them with EMAIL."),
    ] = None,
    api: Annotated[
        ApiVersion, typer.Option(help="The version of the API that the token works with; current apps use v6.")
    ] = ApiVersion.V1,
) -> None:
    """Create a token and print only the token on standard output. It is shown only once."""
    from farthing.identity import audit, tokens
    from farthing.kernel.fields import Name

    name = read_field("name", name, Name)
    access = Access.READ if read_only else Access.FULL
    scopes, networks = _tidy_scopes(scope or [], access), _tidy_networks(network or [])
    with open_installation() as at, at.db.writing() as unit:
        user = find_or_fail(unit, email)
        books_id = _find_books(unit, user, books) if books else None
        limits = tokens.TokenLimits(scopes=scopes, networks=networks, books_id=books_id)
        ends_at = tokens.compute_expiry(expires, at.now)
        _, token = tokens.make(unit, user.id, name, ends_at, at.now, access.value, limits, version=api)
        audit.note(unit, user.id, audit.Event.TOKEN_MADE, audit.COMMAND_LINE, now=at.now, about=name)
    typer.echo(token)


def _tidy_scopes(scopes: list[str], access: Access) -> str | None:
    from farthing.identity.scopes import SCOPES, WRITE, tidy

    for word in scopes:
        if word not in SCOPES:
            raise FarthingError(f"there is no scope {word}; the scopes are {', '.join(SCOPES)}")
        if access is Access.READ and word.endswith(f":{WRITE}"):
            raise FarthingError(f"a token that is --read-only cannot have the scope {word}")
    return tidy(scopes) or None


def _tidy_networks(networks: list[str]) -> str | None:
    from ipaddress import ip_network

    for word in networks:
        try:
            ip_network(word)
        except ValueError:
            raise FarthingError(f"{word} is no network: it must be like 192.168.1.0/24 or 2001:db8::/32") from None
    return " ".join(dict.fromkeys(networks)) or None


def _find_books(unit: Unit, user: User, email: str) -> int:
    from farthing.identity.sharing import members

    owner = find_or_fail(unit, email)
    if all(share.user_id != owner.id for share in members.list_of_person(unit, user.id)):
        raise NotFound(
            f"the books of {owner.email} are not shared with {user.email}; `farthing share list` shows whose are"
        )
    return owner.id


@app.command("list")
def show(
    email: Annotated[
        str | None, typer.Argument(metavar="EMAIL", help="Show only tokens of this user.", show_default=False)
    ] = None,
) -> None:
    """List tokens: id, user, name, made, ends, last used, access, scopes, networks, books, API. Never shows tokens."""
    from farthing.identity import tokens, users

    with open_installation() as at, at.db.reading() as unit:
        owners = users.list_all(unit) if email is None else [find_or_fail(unit, email)]
        issued = [(owner, token) for owner in owners for token in tokens.of_user(unit, owner.id)]
        emails = {user.id: user.email for user in users.list_all(unit)}
    rows = [
        (
            token.id, owner.email, token.name, token.created_at, token.expires_at, token.last_used_at, token.access,
            token.scopes, token.networks, emails.get(token.books_id) if token.books_id else None,
            token.api_version,
        )
        for owner, token in issued
    ]  # fmt: skip
    show_table(
        ("id", "user", "name", "made", "ends", "last used", "access", "scopes", "networks", "books", "API"), rows
    )


@app.command()
def revoke(
    token_id: Annotated[int, typer.Argument(metavar="ID", help="The id that `token list` shows.", min=1, max=ID_MAX)],
) -> None:
    """Revoke a token; it stops working at once."""
    from farthing.identity import tokens

    with open_installation() as at, at.db.writing() as unit:
        if not tokens.revoke(unit, token_id):
            raise NotFound(f"there is no token {token_id}; `farthing token list` shows all tokens")
    typer.echo(f"Revoked token {token_id}.")
