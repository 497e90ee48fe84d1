"""How is it kept what was found? In the database, for whoever asks later; but never at the price of what was done."""

import logging
from collections.abc import Mapping

from ..errors import FarthingError
from ..storage import house
from ..storage.database import refused
from ..storage.house import BACKUP, BACKUP_MADE, Checkup
from ..storage.unit import Database

_LOG = logging.getLogger("farthing.watch")


def remember(database: Database, found: Mapping[str, Checkup]) -> None:
    """One short unit of work. A disk that is full, or books that are damaged, are told of, and nothing more."""
    try:
        with database.writing() as db:
            for name, checkup in found.items():
                house.note_checkup(db, name, checkup)
    except Exception as error:
        if not (isinstance(error, FarthingError) or refused(error)):
            raise
        _LOG.warning("what was found is not kept: %s", error)


def remember_backup(database: Database, at: str, name: str, *, lacks: int = 0) -> None:
    """`lacks` says how many contents of attachments could not be read."""
    made = Checkup(at, lacks, name)
    remember(database, {BACKUP: made, BACKUP_MADE: made})


def remember_failed_backup(database: Database, at: str, why: str) -> None:
    remember(database, {BACKUP: Checkup(at, 1, why)})
