"""How is the whole house, in one page? A line for each thing: how it is found, and what to do if it is not well."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeVar

from .. import __version__
from ..config import Settings
from ..errors import FarthingError, SchemaMismatch
from ..storage import house, migrations
from ..storage.house import BACKUP, BACKUP_MADE, BACKUP_VERIFIED, Checkup
from ..storage.unit import Busy, Database, Unit
from ..text import so_many
from ..watch import presence, store
from ..watch.store import Waiting
from .tried import Unopened, remedy, said

Answer = TypeVar("Answer")

# A job that waits longer than this is waited for in vain.
_LATE_S = 60 * 60
_BACKUP_OLD = timedelta(days=2)
_SPACE_LOW, _SPACE_GONE = 500 * 10**6, 10 * 10**6


class Verdict(StrEnum):
    """`LOOK` is worth knowing, and no reason to fail."""

    WELL = "well"
    LOOK = "look"
    WRONG = "wrong"


@dataclass(frozen=True)
class Line:
    name: str
    verdict: Verdict
    says: str
    do: str | None = None


Check = Callable[[], Iterable[Line]]


def well(name: str, says: str) -> Line:
    return Line(name, Verdict.WELL, says)


def look(name: str, says: str, do: str) -> Line:
    return Line(name, Verdict.LOOK, says, do)


def wrong(name: str, says: str, do: str) -> Line:
    return Line(name, Verdict.WRONG, says, do)


def unseen(name: str, error: Exception) -> Line:
    return wrong(name, f"cannot be looked at: {said(error)}", remedy(error))


def page(settings: Settings, database: Database | Exception, now: datetime) -> list[Line]:
    """Everything but the books themselves, which `examine` looks at. In place of a database stands why there is none.

    Each check stands for itself: one that cannot be carried out is a line that says so.
    """
    return [line for name, check in _checks(settings, database, now) for line in _checked(name, check)]


def _checks(settings: Settings, database: Database | Exception, now: datetime) -> Iterator[tuple[str, Check]]:
    yield "version", lambda: [well("version", __version__)]
    yield "schema", lambda: _schema(database)
    yield "database", lambda: _database(settings, database)
    yield "data folder", lambda: _folders(settings)
    yield "server", lambda: _servers(presence.present(settings.data))
    yield "queue", lambda: _jobs(_asked(database, _waiting(now)), running=bool(presence.present(settings.data)))
    yield "backup", lambda: _backups(settings, _asked(database, house.checkups), now)
    yield "trash", lambda: _trash(settings, _asked(database, _counting("revisions")))
    yield "repeats", lambda: _repeats(_asked(database, _counting("answers")))
    yield "disk", lambda: [_space(settings.data)]


def _checked(name: str, check: Check) -> Iterable[Line]:
    """In a damaged house anything may come up, therefore any error counts."""
    try:
        return list(check())
    except Exception as error:
        return [unseen(name, error)]


def _asked(database: Database | Exception, question: Callable[[Unit], Answer]) -> Answer:
    if isinstance(database, Exception):
        raise Unopened
    with database.reading() as db:
        return question(db)


def _waiting(now: datetime) -> Callable[[Unit], Waiting]:
    return lambda db: store.waiting(db, now)


def _counting(table: str) -> Callable[[Unit], int]:
    return lambda db: int(db.value(f"SELECT COUNT(*) FROM {table}"))


def _schema(database: Database | Exception) -> Iterator[Line]:
    if isinstance(database, Exception):
        raise database if isinstance(database, SchemaMismatch) else Unopened
    yield well("schema", f"{migrations.status(database).applied[-1]}, as this version needs it")


def _version(db: Unit) -> str:
    if db.dialect == "sqlite":
        return f"SQLite {db.value('SELECT sqlite_version()')}"
    return f"PostgreSQL {str(db.value('SHOW server_version')).split()[0]}"


def _size(settings: Settings) -> str:
    file = settings.database_file
    return f", {_shown(file.stat().st_size)} in {file}" if file and file.exists() else ""


def _database(settings: Settings, database: Database | Exception) -> Iterator[Line]:
    """A file that may only be read lets itself be examined, and would seem well."""
    if isinstance(database, Exception):
        yield wrong("database", f"cannot be opened{_size(settings)}: {said(database)}", remedy(database))
        return
    says = f"{_asked(database, _version)}{_size(settings)}"
    try:
        with database.writing() as db:
            db.run("UPDATE house SET revision = revision WHERE number = 1")
    except (Busy, FarthingError) as error:
        yield wrong("database", f"{says}: {said(error)}", remedy(error))
    else:
        yield well("database", says)


def _folders(settings: Settings) -> Iterator[Line]:
    """Tried rather than asked: only then a disk that is mounted for reading shows."""
    database, attachments = settings.database_file, settings.data / "attachments"
    folders = {settings.data, *([database.parent] if database else [])}
    if os.path.lexists(attachments):
        folders.add(attachments)
    problems = [f"{folder}: {why}" for folder in sorted(folders) if (why := _obstacle(folder))]
    for problem in problems:
        yield wrong("data folder", f"cannot be written to, {problem}", "give it to the user who runs Farthing")
    if not problems:
        yield well("data folder", "can be written to")


def _obstacle(folder: Path) -> str | None:
    try:
        there = _nearest(folder)
        if not there.is_dir():
            return "it is not a folder" if there == folder else f"{there} is not a folder"
        with TemporaryFile(dir=there):
            return None
    except OSError as error:
        return error.strerror or str(error)


def _nearest(folder: Path) -> Path:
    """Itself, or what it would be made in."""
    return next((path for path in (folder, *folder.parents) if os.path.lexists(path)), folder)


def _servers(present: list[presence.Present]) -> Iterator[Line]:
    """Those of this data folder; there may be others elsewhere that share the database."""
    if not present:
        yield look("server", "none runs on this data folder", "once nothing is wrong, start it: farthing serve")
        return
    workers = sum(one.workers for one in present)
    yield well("server", f"{len(present)} running, {workers} worker{'' if workers == 1 else 's'}")
    idle = sum(not one.has_jobs for one in present)
    if idle:
        yield wrong("job process", f"missing in {idle} of {len(present)} servers", "the log says why it ended")
    else:
        yield well("job process", "alive")


def _jobs(waiting: Waiting, *, running: bool) -> Iterator[Line]:
    queued = sum(waiting.jobs.values())
    jobs = so_many(queued, "job waits", "jobs wait")
    due = so_many(waiting.recurrences, "recurrence is due", "recurrences are due")
    says = f"{jobs}, {due}; the oldest is {_ago(waiting.lag_s)} late"
    if waiting.lag_s <= _LATE_S:
        yield well("queue", says)
    elif running:
        yield wrong("queue", says, "look into the log of the job process, or restart the server")
    else:
        yield look("queue", says, "start the server, or run: farthing cron")
    yield _failed(waiting)
    if waiting.failing_recurrences:
        count, do = waiting.failing_recurrences, "each says why in its `failure`; change it, and it fires"
        yield look("recurrences", f"{count} cannot fire", do)


def _failed(waiting: Waiting) -> Line:
    do = "the log and the column `failure` of the table `jobs` say why; ask for the work again"
    if waiting.failed_lately:
        return wrong("failed jobs", f"{waiting.failed_lately} in the last two days", do)
    if waiting.failed_jobs:
        return look("failed jobs", f"{waiting.failed_jobs} in the last 30 days, none in the last two", do)
    return well("failed jobs", "none")


def _backups(settings: Settings, found: Mapping[str, Checkup], now: datetime) -> Iterator[Line]:
    tried, made, verified = found.get(BACKUP), found.get(BACKUP_MADE), found.get(BACKUP_VERIFIED)
    yield _backup(settings, tried, made, now)
    if verified is None:
        yield look("verified", "no backup was verified yet", "run: farthing backup verify FILE")
    elif verified.problems:
        yield wrong("verified", f"{verified.note} would not restore as it should", "make another, and verify it")
    else:
        yield well("verified", f"{verified.note}, {_since(verified.at, now)} ago")


def _backup(settings: Settings, tried: Checkup | None, made: Checkup | None, now: datetime) -> Line:
    if tried and tried.problems:
        return wrong("backup", f"the last one failed or is not whole: {tried.note}", "mend that, then: farthing backup")
    if made is None:
        return look("backup", "none was made yet", "set FARTHING_BACKUP_FOLDER, or run: farthing backup FILE")
    says = f"{made.note}, {_since(made.at, now)} ago"
    if now - datetime.fromisoformat(made.at) <= _BACKUP_OLD:
        return well("backup", says)
    if settings.backup_folder:
        return wrong("backup", says, "there should be one each day: does the job process run?")
    return look("backup", says, "set FARTHING_BACKUP_FOLDER, and there is one each day")


def _trash(settings: Settings, changes: int) -> Iterator[Line]:
    yield well("trash", f"{so_many(changes, 'change')} can be undone, for {settings.trash_days} days each")


def _repeats(answers: int) -> Iterator[Line]:
    yield well("repeats", f"{answers} answers are kept for requests that are sent again")


def _space(folder: Path) -> Line:
    free = shutil.disk_usage(_nearest(folder)).free
    says = f"{_shown(free)} free where the data are"
    if free < _SPACE_GONE:
        return wrong("disk", says, "make room: soon nothing can be written any more")
    return look("disk", says, "make room") if free < _SPACE_LOW else well("disk", says)


def _shown(size: int) -> str:
    return f"{size / 10**9:.1f} GB" if size >= 10**9 else f"{size / 10**6:.1f} MB"


def _since(at: str, now: datetime) -> str:
    return _ago((now - datetime.fromisoformat(at)).total_seconds())


def _ago(seconds: float) -> str:
    for length, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name}"
    return f"{max(0, seconds):.0f} seconds"
