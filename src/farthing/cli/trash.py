"""What was deleted, and can it be had back? Listing, restoring, and emptying what is kept for a month."""

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import FarthingError, NotFound
from ..text import so_many
from . import start
from .tables import ID_MAX, show_table

if TYPE_CHECKING:
    from ..storage.unit import Unit

app = typer.Typer(help="What was deleted: list it, restore it, or let it go for good.", no_args_is_help=True)
_SHOWN_MAX = 200
# As long as the setting lets a change be kept.
_DAYS_MAX = 36_500
Email = Annotated[str, typer.Argument(metavar="EMAIL", help="Whose.")]


@app.command("list")
def list_(email: Email) -> None:
    """Show what a user has deleted and not restored, the newest first."""
    from ..changes import known, store

    with start.house() as at, at.db.reading() as db:
        user_id = _id_of(db, email)
        found = store.deletions(db, user_id, limit=_SHOWN_MAX)
        names = known.names(db, user_id, found)
    show_table(("id", "when", "what"), [(one.id, one.at, _named(one.summary, names[one.revision])) for one in found])
    if not found:
        typer.echo("Nothing: all that was deleted is restored, or gone.", err=True)


def _named(summary: str, names: list[str]) -> str:
    return f"{summary}: {', '.join(names)}" if names else summary


@app.command()
def restore(
    change_id: Annotated[int, typer.Argument(metavar="ID", help="As `trash list` shows it.", min=1, max=ID_MAX)],
) -> None:
    """Undo what deleted it: everything comes back as it was, or nothing does."""
    from ..changes import store, undo
    from ..users import store as users

    with start.house() as at, at.db.writing() as db:
        user_id = store.owner_of(db, change_id)
        if user_id is None:
            raise NotFound(f"There is no change {change_id}; farthing trash list shows those that there are")
        users.take(db, user_id, token_id=None, now=at.now, doing="trash.restore")
        change = store.get(db, user_id, change_id)
        assert change is not None, "it has an owner"
        undo.undo(db, user_id, change)
    typer.echo(f"Restored: {change.summary[0].lower()}{change.summary[1:]} no longer.")


@app.command()
def empty(
    email: Annotated[str | None, typer.Argument(metavar="[EMAIL]", help="Whose; without it everybody's.")] = None,
    days: Annotated[int, typer.Option(min=0, max=_DAYS_MAX, help="Only what is older than so many days.")] = 0,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Let go for good: nothing that was done until then can be undone any more."""
    from ..changes.forget import forget_old
    from ..config import clock_of

    with start.house() as at:
        with at.db.reading() as db:
            user_id = _id_of(db, email) if email else None
        if not yes and not typer.confirm("Nothing of it can be undone or restored afterwards. Go on?"):
            raise FarthingError("stopped; nothing was changed")
        count = forget_old(at.db, clock_of(at.settings).now(), days, user_id)
    typer.echo(f"{so_many(count, 'change is', 'changes are')} forgotten.")


def _id_of(db: "Unit", email: str) -> int:
    from ..users import store as users

    user = users.by_email(db, email)
    if user is None:
        raise NotFound(f"There is no user {email}")
    return user.id
