"""The commands that create, list and revoke API tokens."""

from typing import Annotated

import typer

from farthing.identity.user import Access
from farthing.kernel.errors import NotFound
from farthing.kernel.limits import DAYS_MAX, ID_MAX

from .basics.start import open_house
from .basics.tables import show_table
from .users import Email, find_or_fail

app = typer.Typer(name="token", help="Make, list and revoke API tokens.", no_args_is_help=True)


@app.command()
def create(
    email: Email,
    name: Annotated[str, typer.Option(help="What the token is for.")] = "command line",
    expires: Annotated[
        int | None,
        typer.Option(metavar="DAYS", help="Days until it ends; without it, never.", min=1, max=DAYS_MAX),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="It may read, but not change anything.")] = False,
) -> None:
    """Create a token and print only the token on standard output. It is shown only once."""
    from farthing.identity import tokens

    access = Access.READ if read_only else Access.FULL
    with open_house() as at, at.db.writing() as unit:
        token = tokens.issue(
            unit, find_or_fail(unit, email).id, name, tokens.compute_expiry(expires, at.now), at.now, access.value
        )
    typer.echo(token)


@app.command("list")
def show(
    email: Annotated[str | None, typer.Argument(metavar="EMAIL", help="Only this user's.", show_default=False)] = None,
) -> None:
    """List tokens: id, user, name, made, ends, last used, access. Tokens themselves are never shown again."""
    from farthing.identity import tokens, users

    with open_house() as at, at.db.reading() as unit:
        owners = users.list_all(unit) if email is None else [find_or_fail(unit, email)]
        found = [(owner, token) for owner in owners for token in tokens.of_user(unit, owner.id)]
    rows = [
        (token.id, owner.email, token.name, token.created_at, token.expires_at, token.last_used_at, token.access)
        for owner, token in found
    ]
    show_table(("id", "user", "name", "made", "ends", "last used", "access"), rows)


@app.command()
def revoke(
    token_id: Annotated[int, typer.Argument(metavar="ID", help="The id that `token list` shows.", min=1, max=ID_MAX)],
) -> None:
    """Revoke a token; it stops working at once."""
    from farthing.identity import tokens

    with open_house() as at, at.db.writing() as unit:
        if not tokens.revoke(unit, token_id):
            raise NotFound(f"there is no token {token_id}; `farthing token list` shows them all")
    typer.echo(f"Revoked token {token_id}.")
