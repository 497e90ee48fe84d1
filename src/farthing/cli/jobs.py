"""What can be run by hand that the server runs by itself? One round of what is due."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import FarthingError, Invalid, Unusable
from . import start

if TYPE_CHECKING:
    from .start import House


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
            help="As of this day; else each user's today. One after today only with --ahead.",
        ),
    ] = None,
    ahead: Annotated[bool, typer.Option("--ahead", help="Book what is yet to come, up to --date.")] = False,
) -> None:
    """Fire every recurrence that is due, everyone's, and say what was made; then work off the jobs that wait.

    Not needed while a server runs.
    """
    from ..config import clock_of
    from ..jobs.firing import fire_everyone
    from ..jobs.worker import Worker

    failures = made = 0
    with start.house() as at:
        if not ahead:
            _refuse_future(at, as_of)
        clock = clock_of(at.settings)
        for fired in fire_everyone(at.db, clock, as_of):
            made += len(fired.entry_ids)
            failures += bool(fired.failure)
            said = f"failed: {fired.failure}" if fired.failure else f"made {len(fired.entry_ids)}"
            typer.echo(f"{fired.title} (recurrence {fired.recurrence_id}): {said}")
        finished = Worker(at.db, clock).work_off()
    typer.echo(f"{made} transactions made." if made else "Nothing was due.")
    if finished:
        typer.echo("1 waiting job worked off." if finished == 1 else f"{finished} waiting jobs worked off.")
    if failures:
        raise FarthingError(f"{failures} recurrences failed")


def _refuse_future(at: House, as_of: date | None) -> None:
    """A wrong year would book hundreds of transactions that have not happened."""
    from ..clock import today_in

    today = today_in(at.settings.timezone, datetime.fromisoformat(at.now))
    if as_of and as_of > today:
        until = f"{as_of} is after today, {today}: everything until then would be booked now"
        raise Unusable(f"{until}; --ahead says that this is meant")
