"""Reports what this version would change in an older database, without changing it."""

import platform
import shutil
from collections.abc import Iterator, Mapping

from farthing import __version__
from farthing.kernel.config import Settings, suggest_setting
from farthing.kernel.environment import variable_name
from farthing.kernel.text import pluralize
from farthing.storage import migrations
from farthing.storage.drivers import dialects
from farthing.storage.migrations import SchemaStatus
from farthing.storage.unit import Database

from .page import PageLine, check_folders, find_existing, look, show_size, well, wrong

# Settings that will be removed, each with the hint to show. They keep working for at least one minor version.
DEPRECATED: Mapping[str, str] = {}


def check_upgrade(
    settings: Settings, database: Database | None, *, deprecated: Mapping[str, str] = DEPRECATED
) -> Iterator[PageLine]:
    """Checks an upgrade without changing anything. `database` is None if it does not exist yet."""
    yield well("version", f"Farthing {__version__} on Python {platform.python_version()}")
    if database is None:
        yield well("schema", "there is no database yet; the first start makes one")
        yield from check_folders(settings)
    else:
        yield from _check_database(settings, database)
    yield from _check_settings(settings, deprecated)


def _check_database(settings: Settings, database: Database) -> Iterator[PageLine]:
    with database.reading() as db:
        yield well("database", dialects.read_version(db))
    status = migrations.status(database)
    yield _check_schema(status, database)
    if status.applied and status.pending and not status.unknown:
        yield _check_room(settings, database)


def _check_schema(status: SchemaStatus, database: Database) -> PageLine:
    if status.unknown:
        names = ", ".join(status.unknown)
        return wrong("schema", f"made by a newer Farthing: it has {names}", "install that version, or restore a backup")
    if not status.pending:
        return well("schema", "up to date; this version changes nothing")
    steps = f"{pluralize(len(status.pending), 'step')}: {', '.join(status.pending)}"
    if not status.applied:
        return well("schema", f"empty; {steps}")
    if dialects.name(database) == "postgresql":
        return look("schema", steps, "run farthing migrate, then start the servers")
    return look("schema", steps, "the next start copies the database, and then applies them")


def _check_room(settings: Settings, database: Database) -> PageLine:
    """Checks that there is space for a copy of the database, and for the migration, which may need as much again."""
    file = settings.database_file
    folder = file.parent if file else settings.backup_folder or settings.data / "backups"
    size = file.stat().st_size if file else _measure(database)
    free = shutil.disk_usage(find_existing(folder)).free
    says = f"{show_size(free)} free in {folder}; the backup and the migration take up to {show_size(2 * size)}"
    return well("room", says) if free > 2 * size else wrong("room", says, "free some space first")


def _measure(database: Database) -> int:
    """Estimates the largest possible size of a backup of PostgreSQL: the database and all contents of attachments."""
    with database.reading() as db:
        rows = int(db.value("SELECT pg_database_size(current_database())"))
        return rows + int(db.value("SELECT COALESCE(SUM(size), 0) FROM attachments"))


def _check_settings(settings: Settings, deprecated: Mapping[str, str]) -> Iterator[PageLine]:
    used = {variable_name(name) for name in settings.model_fields_set}
    for name in sorted(used & deprecated.keys()):
        yield look("settings", f"{name} will be removed", deprecated[name])
    for name in settings.unknown_names:
        meant = suggest_setting(name)
        yield look("settings", f"{name} is not a setting of this version", f"use {meant}" if meant else "remove it")
    if not settings.unknown_names and not used & deprecated.keys():
        yield well("settings", "all settings are known, and none is deprecated")
