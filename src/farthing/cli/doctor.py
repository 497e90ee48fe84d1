"""Is the house in order? Everything is examined, and told in one page; with an exit code for scripts."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import FarthingError
from . import start

if TYPE_CHECKING:
    from ..config import Settings
    from ..doctor import Finding
    from ..doctor.page import Line
    from ..storage.unit import Database

_BOOKS, _ATTACHMENTS = "books", "attachments"
_OF_CONTENTS = ("content", "orphan", "unread content")
_DAMAGED = "integrity"
_WELL = "All is well: every balance and count agrees with the transactions."


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")] = False,
) -> None:
    """Recompute every balance and count, read every attachment, and look at server, jobs, backups and disk.

    Says in one page how each is found and what to do about it. Fails if anything is wrong.
    """
    from ..clock import stamp
    from ..config import clock_of
    from ..doctor.page import page

    settings = start.settings()
    now = clock_of(settings).now()
    with _opened(settings) as database:
        examined = _examined(settings, database, stamp(now), silently=as_json)
        lines = page(settings, database, now)
    findings = examined.findings
    lines += _unexamined(examined.refusal) if examined.refusal else _books(findings)
    counted_above = (_BOOKS, _ATTACHMENTS) if not examined.refusal else ()
    wrong = len(findings) + sum(line.verdict == "wrong" and line.name not in counted_above for line in lines)
    _as_json(lines, findings, wrong) if as_json else _as_text(lines, wrong)
    if wrong:
        raise FarthingError(f"{wrong} {'thing is not as it' if wrong == 1 else 'things are not as they'} should be")


@dataclass(frozen=True)
class Examined:
    """`refusal` is why the books could not be examined, or not to the end."""

    findings: "list[Finding]"
    refusal: Exception | None = None


@contextmanager
def _opened(settings: "Settings") -> "Iterator[Database | Exception]":
    """In place of a database that cannot be opened stands why: then there is all the more to tell."""
    from ..storage import database

    try:
        found = database.opened(settings)
    except Exception as error:
        yield error
    else:
        with closing(found):
            yield found


def _examined(settings: "Settings", database: "Database | Exception", now: str, *, silently: bool) -> Examined:
    """Told as they are found: in large books that takes a while."""
    from ..doctor.tried import Unopened
    from ..storage.house import BOOKS, Checkup
    from ..watch.remember import remember

    if isinstance(database, Exception):
        return Examined([], Unopened())
    findings: list[Finding] = []
    try:
        for finding in _examination(settings, database, now):
            findings.append(finding)
            if not silently:
                typer.echo(finding.sentence)
    except BrokenPipeError:
        raise
    except Exception as error:
        return Examined(findings, error)
    remember(database, {BOOKS: Checkup(now, len(findings), "with attachments")})
    return Examined(findings)


def _examination(settings: "Settings", database: "Database", now: str) -> "Iterator[Finding]":
    from .. import doctor as examiner
    from ..storage import blobs
    from .progress import shown_progress

    with shown_progress("Examining the books") as progress:
        attached = examiner.Contents(blobs.connect(settings), now=datetime.fromisoformat(now).timestamp())
        yield from examiner.examine(database, progress, attached=attached)


def _unexamined(refusal: Exception) -> "Iterator[Line]":
    from ..doctor.page import unseen

    yield unseen(_BOOKS, refusal)
    yield unseen(_ATTACHMENTS, refusal)


def _books(findings: "list[Finding]") -> "Iterator[Line]":
    from ..doctor.page import well, wrong

    contents = sum(one.rule in _OF_CONTENTS for one in findings)
    for name, count, agrees in (
        (_BOOKS, len(findings) - contents, "balances, counts, references and search agree with the transactions"),
        (_ATTACHMENTS, contents, "every record has its content, and every content its record"),
    ):
        yield wrong(name, f"{count} findings", _to_do(name, findings)) if count else well(name, agrees)


def _to_do(name: str, findings: "list[Finding]") -> str:
    from ..doctor.tried import RESTORE, UNREAD, UNREAD_CONTENTS

    rules = {one.rule for one in findings}
    is_damaged = bool(rules & {UNREAD, _DAMAGED})
    if name == _BOOKS and is_damaged:
        return f"the database is damaged, as is told above: {RESTORE}"
    if name == _ATTACHMENTS and UNREAD_CONTENTS in rules:
        do = "mend the books first" if is_damaged else "let the user who runs Farthing read and write their folder"
        return f"some cannot be read: {do}"
    return "they are told above; docs/operate/doctor.md says what to do"


def _as_text(lines: "list[Line]", wrong: int) -> None:
    if not wrong:
        typer.echo(_WELL)
    for line in lines:
        typer.echo(f"{line.verdict:5}  {line.name:11}  {line.says}{f'; {line.do}' if line.do else ''}")


def _as_json(lines: "list[Line]", findings: "list[Finding]", wrong: int) -> None:
    import msgspec

    told = {"well": not wrong, "lines": [asdict(line) for line in lines], "findings": [asdict(one) for one in findings]}
    typer.echo(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
