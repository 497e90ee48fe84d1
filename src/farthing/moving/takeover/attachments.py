"""Imports the attachments of another program's books."""

from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from msgspec import Struct

from farthing.books.attachments import contents, store
from farthing.books.attachments.model import AttachmentDraft, AttachmentTarget, Model, UploadedFile
from farthing.kernel.errors import OverQuota
from farthing.kernel.text import in_one_line
from farthing.storage.blobs import Blobs
from farthing.storage.unit import Unit

from ..findings import Finding
from ..programs.firefly.files.source_files import list_files
from ..rows import imported_rows, made_objects
from ..source_books import SourceAttachment
from .fitting import as_notes
from .targets import NO_ACCOUNT, key_of

_TITLE_CHARACTERS_MAX = 255


class StoredAttachment(Struct, frozen=True):
    """Represents a file whose content is stored. `row_key` is the key of its transaction."""

    source: SourceAttachment
    row_key: str
    upload: UploadedFile


def store_contents(
    blobs: Blobs, user_id: int, program: str, files: Mapping[str, BinaryIO], sources: Sequence[SourceAttachment]
) -> list[StoredAttachment]:
    """Stores the contents of the files, before attachments refer to them."""
    listed = list_files(files) if sources else {}
    uploads = (
        (source, contents.store(blobs, user_id, listed[source.content].chunks()))
        for source in sources
        if source.content in listed
    )
    return [StoredAttachment(source, key_of(program, source.of), upload) for source, upload in uploads if upload]


def record_all(db: Unit, user_id: int, job_id: int, files: Sequence[StoredAttachment], now: str) -> Iterator[Finding]:
    made = made_objects.load_keyed(db, user_id, job_id, "attachments")
    for file in files:
        if file.source.key in made:
            continue
        try:
            contents.reserve(db, user_id, file.upload, now)
        except OverQuota as error:
            yield Finding(message=f"The file “{file.source.filename[:80]}” was not taken over: {error}")
            continue
        target = _find_target(db, user_id, job_id, file)
        if target.model != Model.IMPORT_JOB and _is_there(db, user_id, target, file):
            continue
        draft = AttachmentDraft(
            filename=in_one_line(file.source.filename) or "attachment",
            title=in_one_line(file.source.title, _TITLE_CHARACTERS_MAX) or None,
            notes=as_notes(file.source.notes),
            target=target,
        )
        file_id = store.add(db, user_id, draft, now)
        store.record_upload(db, user_id, file_id, file.upload, now)
        made_objects.add_keyed(db, user_id, job_id, "attachments", [(file.source.key, file_id, True)])


def _is_there(db: Unit, user_id: int, target: AttachmentTarget, file: StoredAttachment) -> bool:
    attached = store.of_targets(db, user_id, target.model, [target.id]).get(target.id, [])
    return any(attachment.upload and attachment.upload.sha256 == file.upload.sha256 for attachment in attached)


def _find_target(db: Unit, user_id: int, job_id: int, file: StoredAttachment) -> AttachmentTarget:
    """Finds the object that the file was attached to. If it is missing, returns the import job instead."""
    model = Model(file.source.model)
    if model not in (Model.JOURNAL, Model.IMPORT_JOB):
        made_id = made_objects.load_keyed(db, user_id, job_id, store.TABLES[model]).get(file.source.of)
        if made_id:
            return AttachmentTarget(model=model, id=made_id)
    if model == Model.JOURNAL:
        entry_ids = imported_rows.find_entries(db, user_id, NO_ACCOUNT, [file.row_key])
        if entry_id := entry_ids.get(file.row_key):
            return AttachmentTarget(model=Model.JOURNAL, id=entry_id)
    return AttachmentTarget(model=Model.IMPORT_JOB, id=job_id)
