"""The command that exports one user's books."""

from __future__ import annotations

import os
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from farthing.kernel.errors import NotFound, Unusable, refuse

from ..basics import start
from ..basics.lookup import UserOption, find_user
from ..basics.output import show_progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from farthing.identity.user import User
    from farthing.moving.exports.model import ExportRequest
    from farthing.storage.unit import Unit

_STDOUT = "-"
_FORMATS = "json, csv, hledger, beancount, sqlite or parquet"


def export(
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help=f"{_FORMATS}.".capitalize())] = "json",
    output: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The file to write; - is standard output. Default: farthing-DAY.zip."),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option("--start", metavar="DAY", help="Export only transactions from this day on (YYYY-MM-DD)."),
    ] = None,
    last: Annotated[
        str | None, typer.Option("--end", metavar="DAY", help="Export only transactions up to this day (YYYY-MM-DD).")
    ] = None,
    account: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|ID", help="Export only transactions with this account; may be repeated."),
    ] = None,
    user: UserOption = None,
) -> None:
    """Export one user's books to a file for Farthing or another program. The server may be running."""
    from farthing.moving.exports.run import run
    from farthing.storage import blobs

    with start.open_installation() as at, show_progress("Exporting") as progress:
        with at.db.reading() as db:
            request = _ask(db, at.now, format_, (first, last), account or [], user)
        contents = blobs.connect(at.settings)
        path = _write(request, output, lambda out: run(at.db, contents, request, out, progress))
    if path:
        typer.echo(f"{path}: {path.stat().st_size} bytes.")


def _ask(
    db: Unit, now: str, format_: str, days: tuple[str | None, str | None], accounts: list[str], email: str | None
) -> ExportRequest:
    from farthing.moving.exports.model import ExportFormat, ExportRequest, find_problems

    if format_ not in list(ExportFormat):
        raise typer.BadParameter(f"'{format_}' is not a format: it must be {_FORMATS}")
    first, last = (_parse_day(text, name) for text, name in zip(days, ("--start", "--end"), strict=True))
    if first and last and first > last:
        raise typer.BadParameter("--start must not be after --end")
    filters = {"--start": bool(first), "--end": bool(last), "--account": bool(accounts)}
    refuse(find_problems(ExportFormat(format_), filters))
    user = find_user(db, email)
    return ExportRequest(
        user_id=user.id,
        format=ExportFormat(format_),
        today=now[:10],
        made_at=now,
        start=first,
        end=last,
        account_ids=tuple(dict.fromkeys(_find_account(db, user, word) for word in accounts)),
    )


def _parse_day(text: str | None, name: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat() if text else None
    except ValueError:
        raise typer.BadParameter(f"{name} must be a day such as 2026-01-31, not '{text}'") from None


def _find_account(db: Unit, user: User, word: str) -> int:
    from farthing.books.accounts import store as accounts

    account_ids = accounts.find_named(db, user.id, word)
    if not account_ids and word.isascii() and word.isdigit():
        account_ids = list(accounts.currencies(db, user.id, [int(word[:18])]))
    if not account_ids:
        raise NotFound(f"There is no account '{word}'.")
    if len(account_ids) > 1:
        raise NotFound(f"Several accounts are called '{word}'; name one by its id: {', '.join(map(str, account_ids))}.")
    return account_ids[0]


def _write(request: ExportRequest, output: str | None, write: Callable[..., None]) -> Path | None:
    """Writes the export to standard output, or to a new file. If writing fails, no file remains."""
    if output == _STDOUT:
        write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return None
    path = Path(output or request.filename)
    if path.exists():
        raise Unusable(f"{path} already exists; an export never overwrites a file.")
    partial = path.with_name(f".partial-{os.getpid()}-{path.name}")
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            write(file)
        partial.rename(path)
    finally:
        partial.unlink(missing_ok=True)
    return path
