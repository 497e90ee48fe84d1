"""Checks the whole installation. Reports each part in one line and, if something is wrong, with a remedy."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeVar

from msgspec import Struct

from farthing import __version__
from farthing.kernel.clock import stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, SchemaMismatch
from farthing.kernel.settings.parsing import NO_RATES
from farthing.kernel.text import pluralize
from farthing.storage import blobs, installation, migrations
from farthing.storage.drivers import dialects
from farthing.storage.drivers.open import connect_replica
from farthing.storage.drivers.postgres import lineage
from farthing.storage.installation import BACKUP, BACKUP_MADE, BACKUP_VERIFIED, RATES, Checkup
from farthing.storage.unit import Database, Unit

from ..watch import presence, store
from ..watch.store import WaitingJobs
from .checks.basics.run import Unopened, describe_error, suggest_remedy

Answer = TypeVar("Answer")

# A job that waits longer than this is a problem.
_LATE_S = 60 * 60
_BACKUP_OLD = timedelta(days=2)
_SPACE_LOW, _SPACE_GONE = 500 * 10**6, 10 * 10**6


class HealthVerdict(StrEnum):
    """Rates the state of a part of the installation. `LOOK` means that it needs attention, but has not failed."""

    WELL = "well"
    LOOK = "look"
    WRONG = "wrong"


class PageLine(Struct, frozen=True):
    name: str
    verdict: HealthVerdict
    says: str
    do: str | None = None


Check = Callable[[], Iterable[PageLine]]


def well(name: str, says: str) -> PageLine:
    return PageLine(name=name, verdict=HealthVerdict.WELL, says=says)


def look(name: str, says: str, do: str) -> PageLine:
    return PageLine(name=name, verdict=HealthVerdict.LOOK, says=says, do=do)


def wrong(name: str, says: str, do: str) -> PageLine:
    return PageLine(name=name, verdict=HealthVerdict.WRONG, says=says, do=do)


def report_failure(name: str, error: Exception) -> PageLine:
    return wrong(name, f"cannot be checked: {describe_error(error)}", suggest_remedy(error))


def page(settings: Settings, database: Database | Exception, now: datetime) -> list[PageLine]:
    """Checks everything but the books, which `examine` checks. Pass the error as `database` if it cannot be opened.

    The checks are independent of each other. A check that cannot run is reported as a line with the error.
    """
    return [line for name, check in _checks(settings, database, now) for line in _run_check(name, check)]


def _checks(settings: Settings, database: Database | Exception, now: datetime) -> Iterator[tuple[str, Check]]:
    yield "version", lambda: [well("version", __version__)]
    yield "schema", lambda: _check_schema(database)
    yield "database", lambda: _check_database(settings, database)
    yield "replica", lambda: _check_replica(settings, database)
    yield "data folder", lambda: check_folders(settings)
    yield "storage", lambda: _check_storage(settings)
    yield "server", lambda: _check_servers(presence.list_servers(settings.data))
    yield (
        "queue",
        lambda: _check_jobs(
            _query(database, lambda db: store.load_waiting(db, now)),
            running=bool(presence.list_servers(settings.data)),
        ),
    )
    yield (
        "proxy",
        lambda: _check_proxy(_query(database, lambda db: installation.find_unknown_proxy(db, settings, stamp(now)))),
    )
    yield "backup", lambda: _check_backups(settings, _query(database, installation.load_checkups), now)
    yield "rates", lambda: _check_rates(settings, _query(database, installation.load_checkups), now)
    yield "trash", lambda: _check_trash(settings, _query(database, _ask_count("revisions")))
    yield "repeats", lambda: _check_repeats(_query(database, _ask_count("answers")))
    yield "disk", lambda: [_check_space(settings.data)]


def _run_check(name: str, check: Check) -> Iterable[PageLine]:
    """Runs a check, and turns any error into a line. All errors are caught: a damaged installation may raise any."""
    try:
        return list(check())
    except Exception as error:
        return [report_failure(name, error)]


def _query(database: Database | Exception, question: Callable[[Unit], Answer]) -> Answer:
    if isinstance(database, Exception):
        raise Unopened
    with database.reading() as db:
        return question(db)


def _ask_count(table: str) -> Callable[[Unit], int]:
    return lambda db: int(db.value(f"SELECT COUNT(*) FROM {table}"))


def _check_schema(database: Database | Exception) -> Iterator[PageLine]:
    if isinstance(database, Exception):
        raise database if isinstance(database, SchemaMismatch) else Unopened
    yield well("schema", f"{migrations.status(database).applied[-1]}, as this version requires")


def _describe_file(settings: Settings) -> str:
    file = settings.database_file
    return f", {show_size(file.stat().st_size)} in {file}" if file and file.exists() else ""


def _check_database(settings: Settings, database: Database | Exception) -> Iterator[PageLine]:
    """Reports the version and the size. Also tries to write, to detect a read-only database."""
    if isinstance(database, Exception):
        yield wrong(
            "database",
            f"cannot be opened{_describe_file(settings)}: {describe_error(database)}",
            suggest_remedy(database),
        )
        return
    says = f"{_query(database, dialects.read_version)}{_describe_file(settings)}"
    try:
        with database.writing() as db:
            db.run("UPDATE house SET revision = revision WHERE number = 1")
    except FarthingError as error:
        yield wrong("database", f"{says}: {describe_error(error)}", suggest_remedy(error))
    else:
        yield well("database", says)


def _check_replica(settings: Settings, database: Database | Exception) -> Iterator[PageLine]:
    """Checks the replica, if one is configured. A failure only needs attention, because the primary can answer."""
    if settings.read_url is None:
        return
    if isinstance(database, Exception):
        raise Unopened
    try:
        with (
            closing(connect_replica(settings)) as replica,
            database.reading() as primary_db,
            replica.reading() as replica_db,
        ):
            lineage.check(primary_db, replica_db)
    except FarthingError as error:
        yield look("replica", f"not used: {error}".rstrip("."), "overviews and exports are read from the database")
    else:
        yield well("replica", "a streaming replica of the database")


def check_folders(settings: Settings) -> Iterator[PageLine]:
    """Checks that the folders can be written to. Tries it, because only that detects a disk mounted read-only."""
    database, attachments = settings.database_file, settings.contents_folder
    folders = {settings.data, *([database.parent] if database else [])}
    if attachments and os.path.lexists(attachments):
        folders.add(attachments)
    problems = [f"{folder}: {why}" for folder in sorted(folders) if (why := _find_obstacle(folder))]
    for problem in problems:
        yield wrong("data folder", f"cannot be written to, {problem}", "give the user who runs Farthing write access")
    if not problems:
        yield well("data folder", "can be written to")


def _check_storage(settings: Settings) -> Iterator[PageLine]:
    """Tries to write to the S3 bucket and to delete from it, if contents are stored in S3."""
    if settings.contents_folder is None:
        blobs.connect(settings).probe()
        yield well("storage", f"{settings.storage} can be written to")


def _find_obstacle(folder: Path) -> str | None:
    try:
        closest = find_existing(folder)
        if not closest.is_dir():
            return "it is not a folder" if closest == folder else f"{closest} is not a folder"
        with TemporaryFile(dir=closest):
            return None
    except OSError as error:
        return error.strerror or str(error)


def find_existing(folder: Path) -> Path:
    """Returns the folder, or the closest parent that exists."""
    return next((path for path in (folder, *folder.parents) if os.path.lexists(path)), folder)


def _check_servers(present: list[presence.Present]) -> Iterator[PageLine]:
    """Checks the servers that run on this data folder. Servers elsewhere may share the database."""
    if not present:
        yield look("server", "none is running on this data folder", "once nothing is wrong, run: farthing serve")
        return
    workers = sum(server.workers for server in present)
    yield well("server", f"{len(present)} running, {pluralize(workers, 'worker')}")
    idle = sum(server.lost_jobs for server in present)
    if idle:
        yield wrong("job process", f"missing in {idle} of {len(present)} servers", "see the log for the reason")
    elif not all(server.has_jobs for server in present):
        yield well("job process", "about to start")
    else:
        yield well("job process", "alive")


def _check_proxy(unknown: str | None) -> Iterator[PageLine]:
    if unknown:
        says = f"{unknown} forwards requests, but is not trusted: everybody behind it shares one limit on sign-ins"
        yield look("proxy", says, f"if it is your proxy, set FARTHING_TRUSTED_PROXIES={unknown} and restart the server")


def _check_jobs(waiting: WaitingJobs, *, running: bool) -> Iterator[PageLine]:
    queued = sum(waiting.jobs.values())
    jobs = pluralize(queued, "job waits", "jobs wait")
    due = pluralize(waiting.recurrences, "recurrence is due", "recurrences are due")
    says = f"{jobs}, {due}; the oldest is {_show_duration(waiting.lag_s)} late"
    if waiting.lag_s <= _LATE_S:
        yield well("queue", says)
    elif running:
        yield wrong("queue", says, "read the log of the job process, or restart the server")
    else:
        yield look("queue", says, "start the server, or run: farthing cron")
    yield _check_failed(waiting)
    if waiting.failing_recurrences:
        count, do = (
            waiting.failing_recurrences,
            "each recurrence states the reason in its `failure`; fix the cause, and it fires",
        )
        yield look("recurrences", f"{count} cannot fire", do)


def _check_failed(waiting: WaitingJobs) -> PageLine:
    do = "see the log, or the column `failure` of the table `jobs`; request the work again"
    if waiting.failed_lately:
        return wrong("failed jobs", f"{waiting.failed_lately} in the last two days", do)
    if waiting.failed_jobs:
        return look("failed jobs", f"{waiting.failed_jobs} in the last 30 days, none in the last two", do)
    return well("failed jobs", "none")


def _check_backups(settings: Settings, checkups: Mapping[str, Checkup], now: datetime) -> Iterator[PageLine]:
    tried, made, verified = checkups.get(BACKUP), checkups.get(BACKUP_MADE), checkups.get(BACKUP_VERIFIED)
    yield _check_backup(settings, tried, made, now)
    if verified is None:
        yield look("verified", "no backup has been verified yet", "run: farthing backup verify FILE")
    elif verified.problems:
        yield wrong("verified", f"{verified.note} cannot be restored correctly", "make another one and verify it")
    else:
        yield well("verified", f"{verified.note}, {_show_age(verified.at, now)} ago")


def _check_backup(settings: Settings, tried: Checkup | None, made: Checkup | None, now: datetime) -> PageLine:
    if tried and tried.problems:
        return wrong(
            "backup", f"the last one failed or is incomplete: {tried.note}", "fix that, then run: farthing backup FILE"
        )
    if made is None:
        return look("backup", "none has been made yet", "set FARTHING_BACKUP_FOLDER, or run: farthing backup FILE")
    says = f"{made.note}, {_show_age(made.at, now)} ago"
    if now - datetime.fromisoformat(made.at) <= _BACKUP_OLD:
        return well("backup", says)
    if settings.backup_folder:
        return wrong("backup", says, "there should be one each day: check that the job process runs")
    return look("backup", says, "set FARTHING_BACKUP_FOLDER for a daily backup")


def _check_rates(settings: Settings, checkups: Mapping[str, Checkup], now: datetime) -> Iterator[PageLine]:
    """Checks when exchange rates were last fetched, unless fetching is turned off."""
    last = checkups.get(RATES)
    if settings.rates == NO_RATES:
        return
    if last is None:
        yield look("rates", "no exchange rates have been fetched yet", "start the server, or run: farthing rates fetch")
    elif last.problems:
        do = "Farthing tries again each hour; to try now, run: farthing rates fetch"
        yield look("rates", f"not fetched {_show_age(last.at, now)} ago: {last.note}", do)
    else:
        yield well("rates", f"{last.note} fetched {_show_age(last.at, now)} ago")


def _check_trash(settings: Settings, changes: int) -> Iterator[PageLine]:
    yield well("trash", f"{pluralize(changes, 'change')} can be undone, for {settings.trash_days} days each")


def _check_repeats(answers: int) -> Iterator[PageLine]:
    yield well("repeats", f"{answers} answers are stored for repeated requests")


def _check_space(folder: Path) -> PageLine:
    free = shutil.disk_usage(find_existing(folder)).free
    says = f"{show_size(free)} free in the data folder"
    if free < _SPACE_GONE:
        return wrong("disk", says, "free some space: soon nothing can be written")
    return look("disk", says, "free some space") if free < _SPACE_LOW else well("disk", says)


def show_size(size: int) -> str:
    return f"{size / 10**9:.1f} GB" if size >= 10**9 else f"{size / 10**6:.1f} MB"


def _show_age(at: str, now: datetime) -> str:
    return _show_duration((now - datetime.fromisoformat(at)).total_seconds())


def _show_duration(seconds: float) -> str:
    for length, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name}"
    return f"{max(0, seconds):.0f} seconds"
