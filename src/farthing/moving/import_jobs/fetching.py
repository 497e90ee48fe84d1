"""Fetches a running program's books in a thread of the job process. Meanwhile, the token stays in the queue."""

from functools import partial
from tempfile import TemporaryFile
from threading import Event, Thread
from time import monotonic
from typing import Any, BinaryIO, cast

from msgspec import Struct

from farthing.books.attachments import contents
from farthing.books.attachments.model import UploadedFile
from farthing.kernel.errors import FarthingError, OverQuota, is_full
from farthing.storage import queue
from farthing.storage.blobs import PIECE_BYTES, Blobs
from farthing.storage.queue import Job, JobProgress, Waiting
from farthing.storage.unit import Unit

from ..findings import Finding
from ..programs.firefly.fetch import fetch
from . import store
from .files import attach_file
from .model import ImportState

_FILENAME = "firefly-iii.zip"
# How often the progress is stored.
_TELL_EVERY_S = 2.0


class FetchedPart(Struct, frozen=True, kw_only=True):
    """Reports the progress; `upload` is set once the file is complete."""

    message: str
    upload: UploadedFile | None = None
    failure: str | None = None


class _Left(FarthingError):
    """Ends a fetch for whose result nobody waits any longer."""


class _Fetching(Thread):
    def __init__(self, job: Job, *, allow_private: bool) -> None:
        super().__init__(name="farthing-fetch", daemon=True)
        self.job_id = job.id
        self.file = TemporaryFile()  # noqa: SIM115 - closed when its content is stored
        self.message = "Connecting."
        self.told_at = 0.0
        self.failure: str | None = None
        self._url, self._token = str(job.data["url"]), str(job.data["token"])
        self._allow_private = allow_private
        self._is_left = Event()

    def run(self) -> None:
        try:
            file, private = cast(BinaryIO, self.file), self._allow_private
            fetch(self._url, self._token, file, allow_private=private, progress=self._note, wait=self._wait)
        except _Left:
            self.file.close()
        except FarthingError as error:
            self.failure = str(error)
        except Exception as error:
            reason = "The disk of this server is full" if is_full(error) else type(error).__name__
            self.failure = f"Fetching failed: {reason}."

    def _note(self, what: str, done: int, total: int) -> None:
        self.message = f"Fetching {what}: {done} of {total}."
        self._wait(0)

    def _wait(self, seconds: float) -> None:
        if self._is_left.wait(seconds):
            raise _Left

    def leave(self) -> None:
        """Ends the fetch, at the latest after the request that is on its way."""
        self._is_left.set()


class Fetcher:
    def __init__(self, blobs: Blobs, *, allow_private: bool) -> None:
        self._blobs = blobs
        self._allow_private = allow_private
        # Running fetches by the id of their job.
        self._running: dict[int, _Fetching] = {}

    def look(self, db: Unit, job: Job, _now: str) -> FetchedPart | Waiting:
        if store.get(db, job.user_id, job.subject_id) is None:
            return FetchedPart(message="", failure="The import was deleted.")
        running = self._running.get(job.id)
        if running is None:
            running = self._running[job.id] = _Fetching(job, allow_private=self._allow_private)
            running.start()
        if running.is_alive():
            now = monotonic()
            if now - running.told_at < _TELL_EVERY_S:
                return Waiting()
            running.told_at = now
            return FetchedPart(message=running.message)
        del self._running[job.id]
        with running.file:
            return self._keep(job.user_id, running)

    def leave(self, job: Job) -> None:
        """Ends a fetch that is still running."""
        if running := self._running.pop(job.id, None):
            running.leave()

    def _keep(self, user_id: int, done: _Fetching) -> FetchedPart:
        if done.failure:
            return FetchedPart(message="", failure=done.failure)
        done.file.seek(0)
        upload = contents.store(self._blobs, user_id, iter(partial(done.file.read, PIECE_BYTES), b""))
        failure = None if upload else "Fetching failed: the server sent nothing."
        return FetchedPart(message="", upload=upload, failure=failure)

    def write(self, db: Unit, job: Job, part: FetchedPart, now: str) -> JobProgress:
        import_job = store.get(db, job.user_id, job.subject_id)
        if import_job is None:
            return JobProgress(data=_without_token(job.data), more=False)
        if part.upload is None and part.failure is None:
            store.set_findings(db, job.user_id, import_job.id, (Finding(message=part.message, rejects=True),), now)
            return JobProgress(data=job.data, more=True)
        failure = part.failure
        if part.upload:
            try:
                contents.reserve(db, job.user_id, part.upload, now)
                file_id = attach_file(db, job.user_id, import_job.id, part.upload, _FILENAME, now)
                store.set_files(db, job.user_id, import_job.id, (*import_job.file_ids, file_id))
                store.set_state(db, job.user_id, import_job.id, ImportState.READY, now)
            except OverQuota as error:
                failure = str(error)
        if failure:
            _fail(db, job, failure, now)
        return JobProgress(data=_without_token(job.data), more=False)

    def give_up(self, db: Unit, job: Job, now: str) -> None:
        _fail(db, job, "Fetching failed several times and was stopped. Create a new import to try again.", now)
        queue.set_data(db, job, _without_token(job.data))


def _fail(db: Unit, job: Job, sentence: str, now: str) -> None:
    findings = (Finding(message=sentence, rejects=True),)
    store.set_state(db, job.user_id, job.subject_id, ImportState.FAILED, now, findings=findings)


def _without_token(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "token"}
