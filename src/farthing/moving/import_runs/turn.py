"""Defines one turn of an import run, which is passed to its runner."""

from msgspec import Struct

from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..import_jobs.model import ImportJob
from ..import_jobs.queueing import Phase


class ImportTurn(Struct, frozen=True):
    """Describes one turn of a run: the unit of work, the queued job, and the import that the job runs."""

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
        """Returns how far earlier turns of this phase have got. Each runner decides what it counts here."""
        return int(self.job.data["place"])
