"""Defines a turn of a run, which every runner gets."""

from msgspec import Struct

from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..import_jobs.model import ImportJob
from ..import_jobs.queueing import Phase


class ImportTurn(Struct, frozen=True):
    """Describes one turn of a run: the unit of work, the queued job and the import that it is about."""

    db: Unit
    job: Job
    import_job: ImportJob
    now: str

    @property
    def user_id(self) -> int:
        return self.job.user_id

    @property
    def phase(self) -> Phase:
        return Phase(self.job.data["phase"])

    @property
    def position(self) -> int:
        """Counts what earlier turns of this phase have done; what it counts is up to the runner."""
        return int(self.job.data["place"])
