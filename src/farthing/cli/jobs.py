"""What can be run by hand that the server runs by itself? One round of what is due."""

from datetime import date
from typing import Annotated

import typer

from ..errors import FarthingError, Invalid
from ..text import so_many
from . import start


def _day(text: str) -> date:
    from ..fields import query_day

    try:
        found = query_day(text, "date")
    except Invalid as refusal:
        raise typer.BadParameter(refusal.problems[0].message) from None
    if found is None:
        raise typer.BadParameter("The date is empty: write it as YYYY-MM-DD.")
    return found


def cron(
    as_of: Annotated[
        date | None,
        typer.Option(
            "--date",
            parser=_day,
            metavar="YYYY-MM-DD",
            help="As of this day, also one that is yet to come; else each user's today.",
        ),
    ] = None,
) -> None:
    """Fire every recurrence that is due, everyone's, and say what was made; then work off the jobs that wait.

    Not needed while a server runs.
    """
    from ..config import clock_of
    from ..jobs.firing import fire_everyone
    from ..jobs.worker import Worker

    failures = made = 0
    with start.house() as at:
        clock = clock_of(at.settings)
        for fired in fire_everyone(at.db, clock, as_of):
            made += len(fired.entry_ids)
            failures += bool(fired.failure)
            said = f"failed: {fired.failure}" if fired.failure else f"made {len(fired.entry_ids)}"
            typer.echo(f"{fired.title} (recurrence {fired.recurrence_id}): {said}")
        finished = Worker(at.db, clock).work_off()
    typer.echo(f"{so_many(made, 'transaction')} made." if made else "Nothing was due.")
    if finished:
        typer.echo(f"{so_many(finished, 'waiting job')} worked off.")
    if failures:
        raise FarthingError(f"{so_many(failures, 'recurrence')} failed")
