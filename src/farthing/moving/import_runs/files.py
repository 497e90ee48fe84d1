"""The files of an import job, as its runners read them."""

from contextlib import ExitStack

from farthing.books.attachments import store as attachments
from farthing.storage.blobs import Blobs
from farthing.storage.unit import Unit

from ..findings import Unreadable
from ..import_jobs.model import ImportJob
from ..import_jobs.reading import NamedFile


def open_files(db: Unit, blobs: Blobs, user_id: int, job: ImportJob, opened: ExitStack) -> list[NamedFile]:
    """Raises Unreadable if one was deleted."""
    files = []
    for file_id in job.file_ids:
        kept = attachments.get(db, user_id, file_id)
        if kept is None or kept.upload is None:
            raise Unreadable("The file of this import was deleted. Upload it again.")
        file = opened.enter_context(blobs.open(user_id, kept.upload.sha256))
        files.append(NamedFile(name=kept.filename, file=file))
    return files


def list_hashes(db: Unit, user_id: int, job: ImportJob) -> list[dict[str, str]]:
    """What the report says about the files that it is of."""
    kept = [attachments.get(db, user_id, file_id) for file_id in job.file_ids]
    return [{"filename": one.filename, "sha256": one.upload.sha256} for one in kept if one and one.upload]
