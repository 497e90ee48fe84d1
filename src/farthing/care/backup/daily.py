"""Makes one backup a day if a folder is configured, and deletes the oldest backups in it."""

import logging
from datetime import datetime, timedelta

from msgspec import Struct, field

from farthing.kernel.clock import Alarm, Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError
from farthing.storage import installation
from farthing.storage.blobs import Blobs
from farthing.storage.unit import Database

from ..watch.remember import remember_backup, remember_failed_backup

_LOG = logging.getLogger("farthing.backup")
_LOOK_AGAIN = timedelta(minutes=10)
_PATTERN = "farthing-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].zip"


class Daily(Struct):
    _settings: Settings
    _database: Database
    _blobs: Blobs
    _clock: Clock
    _alarm: Alarm = field(default_factory=Alarm)

    def turn(self) -> None:
        """Makes today's backup if it is due. Even if several servers share the folder, it is made only once."""
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
        from . import archive  # imported late: it is needed only once a day

        folder = self._settings.backup_folder
        assert folder is not None, "called only if there is one"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"farthing-{now.date().isoformat()}.zip"
        if path.exists():
            return
        with self._database.writing() as db:  # another server may have begun a moment ago
            if not installation.claim_turn(db, installation.BACKUP, now, _LOOK_AGAIN):
                return
        made = archive.make(path, self._settings, self._database, self._blobs, stamp(now), lambda _step: None)
        _LOG.info("made a backup: %s, %d bytes", path.name, path.stat().st_size)
        remember_backup(self._database, stamp(now), path.name, lacks=len(made.missing))
        if made.missing:
            _LOG.error("the backup lacks %d attachments that could not be read", len(made.missing))
        for old in sorted(folder.glob(_PATTERN))[: -self._settings.backup_keep]:
            if old != path:  # the new backup may come first by name if the clock was set back
                old.unlink()
