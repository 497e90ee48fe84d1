"""Which programs may use the API? Tokens are made, listed and revoked here."""

from typing import Annotated

import typer

from ..errors import NotFound
from ..users.model import TOKEN_DAYS_MAX, Access
from .start import house
from .tables import ID_MAX, show_table
from .users import Email, known

app = typer.Typer(name="token", help="Make, list and revoke API tokens.", no_args_is_help=True)


@app.command()
def create(
    email: Email,
    name: Annotated[str, typer.Option(help="What the token is for.")] = "command line",
    expires: Annotated[
        int | None,
        typer.Option(metavar="DAYS", help="Days until it ends; without it, never.", min=1, max=TOKEN_DAYS_MAX),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="It may look, but change nothing.")] = False,
) -> None:
    """Make a token and print it, and nothing else, on standard output. It is shown this once."""
    from ..users import tokens

    access = Access.READ if read_only else Access.FULL
    with house() as at, at.db.writing() as unit:
        token = tokens.issue(unit, known(unit, email).id, name, tokens.ends(expires, at.now), at.now, access.value)
    typer.echo(token)


@app.command("list")
def show(
    email: Annotated[str | None, typer.Argument(metavar="EMAIL", help="Only this user's.", show_default=False)] = None,
) -> None:
    """List tokens: id, user, name, made, ends, last used, access. Tokens themselves are never shown again."""
    from ..users import store as users
    from ..users import tokens

    with house() as at, at.db.reading() as unit:
        owners = users.everyone(unit) if email is None else [known(unit, email)]
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
    """End a token; whoever uses it is shut out at once."""
    from ..users import tokens

    with house() as at, at.db.writing() as unit:
        if not tokens.revoke(unit, token_id):
            raise NotFound(f"there is no token {token_id}; `farthing token list` shows them all")
    typer.echo(f"Revoked token {token_id}.")
