"""Attaches files to an import, and lists them."""

from msgspec import Struct

from farthing.books.attachments import store as attachments
from farthing.books.attachments.model import AttachmentDraft, AttachmentTarget, Model, UploadedFile
from farthing.storage.unit import Unit

from .model import ImportJob

NAMELESS = "import"
FILE_DELETED = "The file of this import was deleted. Upload it again."
_FILENAME_CHARACTERS_MAX = 255


class ImportFile(Struct, frozen=True):
    name: str
    user_id: int
    sha256: str


def list_files(db: Unit, user_id: int, job: ImportJob) -> list[ImportFile]:
    """Lists the files of an import, except those that have been deleted."""
    files = [attachments.get(db, user_id, file_id) for file_id in job.file_ids]
    return [ImportFile(file.filename, user_id, file.upload.sha256) for file in files if file and file.upload]


def attach_file(db: Unit, user_id: int, job_id: int, upload: UploadedFile, filename: str | None, now: str) -> int:
    """Attaches a file whose content is stored already. Returns the id of the attachment."""
    draft = AttachmentDraft(
        filename=(filename or NAMELESS)[:_FILENAME_CHARACTERS_MAX],
        title=None,
        notes=None,
        target=AttachmentTarget(model=Model.IMPORT_JOB, id=job_id),
    )
    file_id = attachments.add(db, user_id, draft, now)
    attachments.record_upload(db, user_id, file_id, upload, now)
    return file_id
