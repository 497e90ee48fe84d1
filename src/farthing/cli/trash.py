"""The commands that list, restore and delete what is in the trash."""

from typing import Annotated

import typer

from farthing.kernel.errors import FarthingError, NotFound
from farthing.kernel.limits import DAYS_MAX, ID_MAX
from farthing.kernel.text import pluralize

from .basics import start
from .basics.lookup import Email, find_or_fail
from .basics.output import show_table

app = typer.Typer(help="List, restore or permanently delete what is in the trash.", no_args_is_help=True)
_SHOWN_MAX = 200


@app.command("list")
def list_(email: Email) -> None:
    """Show what a user has deleted and not restored, the newest first."""
    from farthing.care.changes import object_names, store

    with start.open_installation() as at, at.db.reading() as db:
        user_id = find_or_fail(db, email).id
        deletions = store.list_deletions(db, user_id, limit=_SHOWN_MAX)
        names = object_names.load_names(db, user_id, deletions)
    show_table(
        ("id", "when", "what"),
        [(change.id, change.at, _add_names(change.summary, names[change.revision])) for change in deletions],
    )
    if not deletions:
        typer.echo("The trash is empty.", err=True)


def _add_names(summary: str, names: list[str]) -> str:
    return f"{summary}: {', '.join(names)}" if names else summary


@app.command()
def restore(
    change_id: Annotated[int, typer.Argument(metavar="ID", help="The id that `trash list` shows.", min=1, max=ID_MAX)],
) -> None:
    """Undo a deletion. Either everything is restored as it was, or nothing is."""
    from farthing.care.changes import store, undo
    from farthing.identity import users

    with start.open_installation() as at, at.db.writing() as db:
        user_id = store.find_owner(db, change_id)
        if user_id is None:
            raise NotFound(f"There is no change {change_id}; `farthing trash list` shows all changes in the trash")
        users.take(db, user_id, token_id=None, now=at.now, doing="trash.restore")
        change = store.get(db, user_id, change_id)
        assert change is not None, "it has an owner"
        undo.undo(db, user_id, change)
    typer.echo(f"Restored. This change was undone: {change.summary[0].lower()}{change.summary[1:]}.")


@app.command()
def empty(
    email: Annotated[str | None, typer.Argument(metavar="[EMAIL]", help="The user; if omitted, all users.")] = None,
    days: Annotated[
        int, typer.Option(min=0, max=DAYS_MAX, help="Delete only changes that are older than this number of days.")
    ] = 0,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Permanently delete the log of changes. Changes that were in it can never be undone."""
    from farthing.care.changes.forget import forget_old
    from farthing.kernel.config import make_clock

    with start.open_installation() as at:
        with at.db.reading() as db:
            user_id = find_or_fail(db, email).id if email else None
        if not yes and not typer.confirm(
            "Changes that are deleted from the log can never be undone or restored. Continue?"
        ):
            raise FarthingError("stopped; nothing was changed")
        count = forget_old(at.db, make_clock(at.settings).now(), days, user_id)
    typer.echo(f"{pluralize(count, 'change was', 'changes were')} deleted from the log.")
