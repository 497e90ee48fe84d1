"""When does the server make a backup by itself? Once a day, if it has a folder for them; the newest are kept."""

import logging
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from ..clock import Alarm, Clock, stamp
from ..config import Settings
from ..errors import FarthingError
from ..storage.blobs import Blobs
from ..storage.unit import Database
from ..watch.remember import remember_backup, remember_failed_backup

_LOG = logging.getLogger("farthing.backup")
_LOOK_AGAIN = timedelta(minutes=10)
_A_DAY = timedelta(days=1)
_PATTERN = "farthing-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].zip"


class Daily:
    def __init__(self, settings: Settings, database: Database, blobs: Blobs, clock: Clock) -> None:
        self._settings = settings
        self._database = database
        self._blobs = blobs
        self._clock = clock
        self._alarm = Alarm()

    def turn(self) -> None:
        """One file a day, however many servers share the folder."""
        now = self._clock.now()
        if self._settings.backup_folder is None or not self._alarm.rings(now):
            return
        self._alarm.set(now, _LOOK_AGAIN)
        try:
            self._make(now)
        except (FarthingError, OSError) as error:
            _LOG.error("the daily backup failed: %s", error)
            remember_failed_backup(self._database, stamp(now), str(error))

    def _make(self, now: datetime) -> None:
        from . import archive  # only here: most of the day nobody needs it

        folder = self._settings.backup_folder
        assert folder is not None, "asked only where there is one"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"farthing-{now.date().isoformat()}.zip"
        if path.exists():
            return
        made = archive.make(path, self._settings, self._database, self._blobs, stamp(now), _silently)
        _LOG.info("made a backup: %s, %d bytes", path.name, path.stat().st_size)
        remember_backup(self._database, stamp(now), path.name, lacks=len(made.missing))
        if made.missing:
            _LOG.error("the backup lacks %d contents of attachments that could not be read", len(made.missing))
        for old in sorted(folder.glob(_PATTERN))[: -self._settings.backup_keep]:
            if old != path:  # though its day be the earliest, because the clock was set back
                old.unlink()
        _clear_away(folder, archive.SCRATCH, before=now - _A_DAY)


def _clear_away(folder: Path, prefix: str, *, before: datetime) -> None:
    """What a process that was killed has left behind."""
    for path in folder.glob(f"{prefix}*"):
        if path.stat().st_mtime < before.timestamp():
            shutil.rmtree(path, ignore_errors=True)


def _silently(_step: str) -> None:
    pass
