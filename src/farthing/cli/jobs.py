"""The command that runs due recurrences and waiting jobs once."""

from datetime import date
from typing import Annotated

import typer

from farthing.kernel.errors import FarthingError, Invalid
from farthing.kernel.text import pluralize

from .basics import start


def _parse_day(text: str) -> date:
    from farthing.kernel.fields import query_day

    try:
        day = query_day(text, "date")
    except Invalid as refusal:
        raise typer.BadParameter(refusal.problems[0].message) from None
    if day is None:
        raise typer.BadParameter("The date is empty: write it as YYYY-MM-DD.")
    return day


def cron(
    as_of: Annotated[
        date | None,
        typer.Option(
            "--date",
            parser=_parse_day,
            metavar="YYYY-MM-DD",
            help="Fire as of this day, which may be in the future; default: each user's today.",
        ),
    ] = None,
) -> None:
    """Fire all due recurrences of all users, and run the waiting jobs.

    Not needed while a server runs.
    """
    from farthing.jobs.firing import fire_everyone
    from farthing.jobs.worker import Worker, with_imports
    from farthing.kernel.config import make_clock

    failures = made = 0
    with start.open_installation() as at:
        clock = make_clock(at.settings)
        for fired in fire_everyone(at.db, clock, as_of):
            made += len(fired.entry_ids)
            failures += bool(fired.failure)
            result = f"failed: {fired.failure}" if fired.failure else f"made {len(fired.entry_ids)}"
            typer.echo(f"{fired.title} (recurrence {fired.recurrence_id}): {result}")
        finished = Worker(at.db, clock, with_imports(at.settings)).work_off()
    typer.echo(f"{pluralize(made, 'transaction')} made." if made else "Nothing was due.")
    if finished:
        typer.echo(f"{pluralize(finished, 'waiting job')} done.")
    if failures:
        raise FarthingError(f"{pluralize(failures, 'recurrence')} failed")
