"""The commands that check the installation, or whether it can be upgraded. Their exit codes are for scripts."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct
from msgspec.structs import asdict

from farthing.kernel.errors import FarthingError
from farthing.kernel.text import pluralize

from .basics import start
from .basics.output import show_progress

if TYPE_CHECKING:
    from farthing.care.doctor import DoctorFinding
    from farthing.care.doctor.page import PageLine
    from farthing.kernel.config import Settings
    from farthing.storage.unit import Database

_BOOKS, _ATTACHMENTS = "books", "attachments"
_OF_CONTENTS = ("content", "orphan", "unread content")
_DAMAGED = "integrity"
_WELL = "No problems: every balance and count agrees with the transactions."


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")] = False,
) -> None:
    """Recompute every balance and count, read every attachment, and check server, jobs, backups and disk.

    Prints one page of results, with advice on each problem. Fails if anything is wrong.
    """
    from farthing.care.doctor.page import page
    from farthing.kernel.clock import stamp
    from farthing.kernel.config import make_clock

    settings = start.settings()
    now = make_clock(settings).now()
    with _open(settings) as database:
        examined = _examine(settings, database, stamp(now), silently=as_json)
        lines = page(settings, database, now)
    findings = examined.findings
    lines += _report_refusal(examined.refusal) if examined.refusal else _report_books(findings)
    counted_above = (_BOOKS, _ATTACHMENTS) if not examined.refusal else ()
    wrong = len(findings) + sum(line.verdict == "wrong" and line.name not in counted_above for line in lines)
    _print_json(lines, findings, wrong) if as_json else _print_text(lines, wrong)
    if wrong:
        raise FarthingError(f"{pluralize(wrong, 'problem')} found")


class Examined(Struct, frozen=True):
    """`refusal` is the error that stopped the examination, if any."""

    findings: "list[DoctorFinding]"
    refusal: Exception | None = None


@contextmanager
def _open(settings: "Settings") -> "Iterator[Database | Exception]":
    """Yields the database, or the error if it cannot be opened, so that everything else can still be checked."""
    from farthing.care.watch import presence
    from farthing.storage.drivers import open as database

    try:
        presence.refuse_other_file(settings.data, settings.database_file)
        opened = database.open_current(settings)
    except Exception as error:
        yield error
    else:
        with closing(opened):
            yield opened


def _examine(settings: "Settings", database: "Database | Exception", now: str, *, silently: bool) -> Examined:
    """Examines the books. Prints each finding at once, because large books take a while."""
    from farthing.care.doctor.checks.basics.run import Unopened
    from farthing.care.watch.remember import remember
    from farthing.storage.installation import BOOKS, Checkup

    if isinstance(database, Exception):
        return Examined(findings=[], refusal=Unopened())
    findings: list[DoctorFinding] = []
    try:
        for finding in _run_examination(settings, database, now):
            findings.append(finding)
            if not silently:
                typer.echo(finding.sentence)
    except BrokenPipeError:
        raise
    except Exception as error:
        return Examined(findings=findings, refusal=error)
    remember(database, {BOOKS: Checkup(at=now, problems=len(findings), note="with attachments")})
    return Examined(findings=findings)


def _run_examination(settings: "Settings", database: "Database", now: str) -> "Iterator[DoctorFinding]":
    from farthing.care import doctor as examiner
    from farthing.storage import blobs

    with show_progress("Examining the books") as progress:
        attached = examiner.Contents(blobs.connect(settings), now=datetime.fromisoformat(now).timestamp())
        yield from examiner.examine(database, progress, attached=attached)


def _report_refusal(refusal: Exception) -> "Iterator[PageLine]":
    from farthing.care.doctor.page import report_failure

    yield report_failure(_BOOKS, refusal)
    yield report_failure(_ATTACHMENTS, refusal)


def _report_books(findings: "list[DoctorFinding]") -> "Iterator[PageLine]":
    from farthing.care.doctor.page import well, wrong

    contents = sum(finding.rule in _OF_CONTENTS for finding in findings)
    for name, count, agrees in (
        (_BOOKS, len(findings) - contents, "balances, counts, references and search agree with the transactions"),
        (_ATTACHMENTS, contents, "every attachment has its content, and every content belongs to an attachment"),
    ):
        yield wrong(name, f"{count} findings", _suggest(name, findings)) if count else well(name, agrees)


def _suggest(name: str, findings: "list[DoctorFinding]") -> str:
    from farthing.care.doctor.checks.basics.run import RESTORE, UNREAD, UNREAD_CONTENTS

    rules = {finding.rule for finding in findings}
    is_damaged = bool(rules & {UNREAD, _DAMAGED})
    if name == _BOOKS and is_damaged:
        return f"the database is damaged, see above: {RESTORE}"
    if name == _ATTACHMENTS and UNREAD_CONTENTS in rules:
        do = "fix the books first" if is_damaged else "give the user who runs Farthing access to their folder"
        return f"some cannot be read: {do}"
    return "see above; docs/operate/doctor.md says what to do"


def _print_text(lines: "list[PageLine]", wrong: int) -> None:
    if not wrong:
        typer.echo(_WELL)
    _print_lines(lines)


def _print_lines(lines: "list[PageLine]") -> None:
    for line in lines:
        typer.echo(f"{line.verdict:5}  {line.name:11}  {line.says}{f'; {line.do}' if line.do else ''}")


def _print_json(lines: "list[PageLine]", findings: "list[DoctorFinding]", wrong: int) -> None:
    import msgspec

    report = {
        "well": not wrong,
        "lines": [asdict(line) for line in lines],
        "findings": msgspec.to_builtins(findings),
    }
    typer.echo(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())


def upgrade_check() -> None:
    """Show what this version would change in the database, and whether the disk has room for a backup first.

    Changes nothing. Run this command of the new version before you start its server. Fails if something prevents the
    upgrade.
    """
    from farthing.care.doctor.upgrade import check_upgrade
    from farthing.kernel.config import load

    settings = load()
    with _open_existing(settings) as database:
        lines = list(check_upgrade(settings, database))
    _print_lines(lines)
    obstacles = sum(line.verdict == "wrong" for line in lines)
    if obstacles:
        raise FarthingError(f"{pluralize(obstacles, 'problem')} found; do not upgrade yet")


@contextmanager
def _open_existing(settings: "Settings") -> "Iterator[Database | None]":
    from farthing.storage.drivers import open as database
    from farthing.storage.drivers.sqlite_files import was_made

    file = settings.database_file
    if file and not file.exists() and not was_made(file):
        yield None
        return
    with closing(database.connect_or_create(settings)) as opened:
        yield opened
