"""Is the house in order? Everything is examined, and told in one page; with an exit code for scripts."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import FarthingError
from . import start

if TYPE_CHECKING:
    from ..doctor import Finding
    from ..doctor.page import Line
    from .start import House

_WELL = "All is well: every balance and count agrees with the transactions."


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")] = False,
) -> None:
    """Recompute every balance and count, read every attachment, and look at server, jobs, backups and disk.

    Says in one page how each is found and what to do about it. Fails if anything is wrong.
    """
    with start.house() as at:
        findings = _examined(at, silently=as_json)
        lines = _paged(at)
    wrong = len(findings) + sum(line.verdict == "wrong" for line in lines)
    lines += _books(findings)
    _as_json(lines, findings, wrong) if as_json else _as_text(lines, wrong)
    if wrong:
        raise FarthingError(f"{wrong} {'thing is not as it' if wrong == 1 else 'things are not as they'} should be")


def _examined(at: "House", *, silently: bool) -> "list[Finding]":
    """Told as they are found: in large books that takes a while."""
    from .. import doctor as examiner
    from ..storage import blobs
    from ..storage.house import BOOKS, Checkup
    from ..watch.remember import remember
    from .progress import shown_progress

    findings = []
    with shown_progress("Examining the books") as progress:
        attached = examiner.Contents(blobs.connect(at.settings), now=datetime.fromisoformat(at.now).timestamp())
        for finding in examiner.examine(at.db, progress, attached=attached):
            findings.append(finding)
            if not silently:
                typer.echo(finding.sentence)
    remember(at.db, {BOOKS: Checkup(at.now, len(findings), "with attachments")})
    return findings


def _paged(at: "House") -> "list[Line]":
    from ..doctor.page import page

    return page(at.settings, at.db, datetime.fromisoformat(at.now))


def _books(findings: "list[Finding]") -> "Iterator[Line]":
    from ..doctor.page import well, wrong

    contents = sum(one.rule in _OF_CONTENTS for one in findings)
    do = "they are told above; docs/operate/doctor.md says what to do"
    for name, count, agrees in (
        ("books", len(findings) - contents, "balances, counts, references and search agree with the transactions"),
        ("attachments", contents, "every record has its content, and every content its record"),
    ):
        yield wrong(name, f"{count} findings", do) if count else well(name, agrees)


_OF_CONTENTS = ("content", "orphan")


def _as_text(lines: "list[Line]", wrong: int) -> None:
    if not wrong:
        typer.echo(_WELL)
    for line in lines:
        typer.echo(f"{line.verdict:5}  {line.name:11}  {line.says}{f'; {line.do}' if line.do else ''}")


def _as_json(lines: "list[Line]", findings: "list[Finding]", wrong: int) -> None:
    import msgspec

    told = {"well": not wrong, "lines": [asdict(line) for line in lines], "findings": [asdict(one) for one in findings]}
    typer.echo(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())
