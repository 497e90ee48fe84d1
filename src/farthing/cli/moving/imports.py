"""The command that imports files, fetches books from a running program, and undoes imports."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ..basics import start
from ..basics.lookup import UserOption

_TOKEN_CHARACTERS_MAX = 10_000


def import_(
    words: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="Files to import, or from-firefly URL, or undo JOB.", show_default=False),
    ],
    account: Annotated[str | None, typer.Option(metavar="NAME", help="The account that the files belong to.")] = None,
    format_: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="Detected if omitted: csv, ofx, qif, camt …")
    ] = None,
    map_: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="JSON file that says how to read a CSV.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen, row by row; store no transaction.")
    ] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Import the valid rows, and report the others.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Also import rows deleted since an earlier import.")] = False,
    link: Annotated[bool, typer.Option("--link", help="Link rows to transactions that certainly match.")] = False,
    force: Annotated[bool, typer.Option("--force", help="With undo: also delete objects changed afterwards.")] = False,
    user: UserOption = None,
) -> None:
    """Import files of banks and of other programs.

    `farthing import FILE… --account NAME` imports files. `farthing import from-firefly URL` imports everything from a
    running Firefly III. It asks for the access token, or reads it from standard input. `farthing import undo JOB`
    undoes an import.
    """
    from .importer import Importer

    first, *rest = words
    with start.open_installation() as at, _stop_as_by_ctrl_c():
        importer = Importer(at.settings, at.db, user)
        if first == "undo":
            number = _read_only(rest, "the number of the import")
            if not number.isdecimal():
                raise typer.BadParameter(f"'{number}' is not the number of an import")
            importer.undo(int(number), force=force)
            return
        if first == "from-firefly":
            job_id = importer.fetch(_read_only(rest, "the address of the Firefly III"), _read_token())
        else:
            job_id = importer.upload([Path(word) for word in words], account, format_, map_)
        with importer.removing_on_failure(job_id):
            options = importer.choose(job_id, partial=partial, again=again, link=link)
            if dry_run:
                importer.preview(job_id, options)
            else:
                importer.start(job_id, options)
        if not dry_run:
            importer.finish(job_id)


@contextmanager
def _stop_as_by_ctrl_c() -> Iterator[None]:
    """Makes SIGTERM raise KeyboardInterrupt, so that the command cleans up; by default it would end the process."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _read_only(words: Sequence[str], what: str) -> str:
    if len(words) != 1:
        raise typer.BadParameter(f"{what} is missing" if not words else f"nothing but {what} is expected")
    return words[0]


def _read_token() -> str:
    """Reads the token from standard input, because other users of the machine could see it as an argument."""
    if sys.stdin.isatty():
        return str(typer.prompt("Personal access token", hide_input=True)).strip()
    return sys.stdin.read(_TOKEN_CHARACTERS_MAX).strip()
