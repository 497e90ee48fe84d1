"""Stores the results of checkups. If that fails, the failure is only logged."""

import logging
from collections.abc import Mapping

from farthing.kernel.errors import FarthingError
from farthing.storage import installation
from farthing.storage.drivers.open import is_driver_error
from farthing.storage.installation import BACKUP, BACKUP_MADE, Checkup
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing.watch")


def remember(database: Database, checkups: Mapping[str, Checkup]) -> None:
    """Stores results in one short unit of work. If that fails, as on a full disk, the failure is only logged."""
    try:
        with database.writing() as db:
            for name, checkup in checkups.items():
                installation.store_checkup(db, name, checkup)
    except Exception as error:
        if not (isinstance(error, FarthingError) or is_driver_error(error)):
            raise
        _LOG.warning("the result of a check could not be stored: %s", error)


def remember_backup(database: Database, at: str, name: str, *, lacks: int) -> None:
    """Records that a backup was made. `lacks` is the number of attachments that could not be read."""
    made = Checkup(at=at, problems=lacks, note=name)
    remember(database, {BACKUP: made, BACKUP_MADE: made})


def remember_failed_backup(database: Database, at: str, why: str) -> None:
    remember(database, {BACKUP: Checkup(at=at, problems=1, note=why)})
