"""The command that lists the audit log: sign-ins, tokens, shares, exports."""

import csv
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from ..basics.lookup import find_or_fail
from ..basics.output import show_table
from ..basics.start import open_installation

_COLUMNS = ("at", "event", "user", "about", "address", "device", "known device", "by")
_ROWS_MAX = 100_000


def audit(
    email: Annotated[
        str | None, typer.Argument(metavar="EMAIL", help="Show only this user.", show_default=False)
    ] = None,
    event: Annotated[list[str] | None, typer.Option(help="Show only this event; may be repeated.")] = None,
    limit: Annotated[int, typer.Option(help="Show only this many events, the newest.", min=1, max=_ROWS_MAX)] = 100,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print everything as CSV, with a heading.")] = False,
) -> None:
    """List sign-ins, refusals, tokens, shares and exports, the newest first: when, what, whose, from where, by whom."""
    from farthing.identity import audit as store

    unknown = next((word for word in event or () if word not in list(store.Event)), None)
    if unknown:
        raise typer.BadParameter(f"there is no event {unknown}; the events are {', '.join(store.Event)}")
    with open_installation() as at, at.db.reading() as unit:
        user_id = None if email is None else find_or_fail(unit, email).id
        _, notes = store.page(unit, user_id, event or [], limit=_ROWS_MAX if as_csv else limit, offset=0)
    rows = [
        (
            note.at, note.event, note.email, note.about, note.address, note.device, "yes" if note.is_known else "no",
            note.by,
        )
        for note in notes
    ]  # fmt: skip
    if as_csv:
        _write_csv(rows)
    else:
        show_table(_COLUMNS, rows)


def _write_csv(rows: Iterable[Sequence[str | None]]) -> None:
    from farthing.moving.formulas import mark_formula

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([mark_formula(cell or "") for cell in row] for row in rows)
