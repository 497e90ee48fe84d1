"""What can be run by hand that the server runs by itself? One round of what is due."""

from datetime import datetime
from typing import Annotated

import typer

from ..errors import FarthingError
from . import start


def cron(
    date: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="As of this day; else each user's today.")
    ] = None,
) -> None:
    """Fire every recurrence that is due, everyone's, and say what was made. Not needed while a server runs."""
    from ..config import clock_of
    from ..jobs.firing import fire_everyone

    failures = made = 0
    with start.house() as at:
        for fired in fire_everyone(at.db, clock_of(at.settings), date.date() if date else None):
            made += len(fired.entry_ids)
            failures += bool(fired.failure)
            said = f"failed: {fired.failure}" if fired.failure else f"made {len(fired.entry_ids)}"
            typer.echo(f"{fired.title} (recurrence {fired.recurrence_id}): {said}")
    typer.echo(f"{made} transactions made." if made else "Nothing was due.")
    if failures:
        raise FarthingError(f"{failures} recurrences failed")
