"""Stores the files of other books."""

from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from msgspec import Struct

from farthing.books.attachments import contents, mime, store
from farthing.books.attachments.model import AttachmentDraft, AttachmentTarget, Model, UploadedFile
from farthing.kernel.errors import OverQuota
from farthing.storage.blobs import Blobs, Content
from farthing.storage.unit import Unit

from ..findings import Finding
from ..programs.firefly.files.archive import ArchiveFile, list_files
from ..rows import memory, objects
from ..source_books import SourceAttachment
from .fitting import as_notes, in_one_line
from .targets import key_of

_TITLE_CHARACTERS_MAX = 255


class StoredContent(Struct, frozen=True):
    """A file whose content lies on disk already; `row_key` is that of the transaction it hangs on."""

    source: SourceAttachment
    row_key: str
    content: Content
    mime: str


def store_contents(
    blobs: Blobs, user_id: int, program: str, files: Mapping[str, BinaryIO], wanted: Sequence[SourceAttachment]
) -> list[StoredContent]:
    """Before anything refers to them; what is never referred to is swept."""
    listed = list_files(files) if wanted else {}
    found = [(source, listed[source.content]) for source in wanted if source.content in listed]
    stored = [_store(blobs, user_id, file, source, key_of(program, source.of)) for source, file in found]
    return [one for one in stored if one]


def _store(
    blobs: Blobs, user_id: int, file: ArchiveFile, source: SourceAttachment, row_key: str
) -> StoredContent | None:
    incoming = blobs.receive()
    try:
        for chunk in file.chunks():
            incoming.write(chunk)
        if not incoming.size:
            return None
        kind = incoming.look(mime.of)
        incoming.keep(user_id)
        return StoredContent(source=source, row_key=row_key, content=incoming.content(), mime=kind)
    finally:
        incoming.discard()


def record_all(db: Unit, user_id: int, job_id: int, files: Sequence[StoredContent], now: str) -> Iterator[Finding]:
    made = objects.load_keyed(db, user_id, job_id, "attachments")
    for one in files:
        if one.source.key in made:
            continue
        try:
            contents.reserve(db, user_id, one.content, now)
        except OverQuota as error:
            yield Finding(message=f"The file “{one.source.filename[:80]}” was not taken over: {error}")
            continue
        place = _place(db, user_id, job_id, one)
        if place.model != Model.IMPORT_JOB and _is_there(db, user_id, place, one):
            continue
        draft = AttachmentDraft(
            filename=in_one_line(one.source.filename) or "attachment",
            title=in_one_line(one.source.title, _TITLE_CHARACTERS_MAX) or None,
            notes=as_notes(one.source.notes),
            target=place,
        )
        file_id = store.add(db, user_id, draft, now)
        content = one.content
        upload = UploadedFile(sha256=content.sha256, md5=content.md5, mime=one.mime, size=content.size)
        store.record_upload(db, user_id, file_id, upload, now)
        objects.add_keyed(db, user_id, job_id, "attachments", [(one.source.key, file_id, True)])


def _is_there(db: Unit, user_id: int, place: AttachmentTarget, one: StoredContent) -> bool:
    attached = store.of_targets(db, user_id, place.model, [place.id]).get(place.id, [])
    return any(kept.upload and kept.upload.sha256 == one.content.sha256 for kept in attached)


def _place(db: Unit, user_id: int, job_id: int, one: StoredContent) -> AttachmentTarget:
    """What it hung on there, as far as it is here; else the import itself."""
    if one.source.model == Model.BILL:
        bill_id = objects.load_keyed(db, user_id, job_id, "bills").get(one.source.of)
        if bill_id:
            return AttachmentTarget(model=Model.BILL, id=bill_id)
    if one.source.model == Model.JOURNAL:
        entry_id = memory.find_entry(db, user_id, one.row_key)
        if entry_id:
            return AttachmentTarget(model=Model.JOURNAL, id=entry_id)
    return AttachmentTarget(model=Model.IMPORT_JOB, id=job_id)
