"""Reads attachments. If their object is not in the export, they are attached to the import job."""

import hashlib
from collections.abc import Iterator, Mapping

from ...source_books import SourceAttachment
from .files.items import Source, SourceItem
from .files.source_files import SourceFile
from .planning import JournalDay

# Objects besides transactions that can have attachments, each with its list, and the field by which it is found again.
_NAMED = {
    "Account": ("accounts", "id"),
    "Bill": ("bills", "id"),
    "Budget": ("budgets", "id"),
    "Category": ("categories", "name"),
    "PiggyBank": ("piggy-banks", "id"),
    "Tag": ("tags", "tag"),
}
JOURNAL, JOB = "TransactionJournal", "ImportJob"


def attached_to(item: SourceItem) -> tuple[str, str]:
    """Returns the type of the object that has the attachment, such as `Bill`, and the object's id."""
    model = str(item.values.get("attachable_type") or "").rsplit("\\", 1)[-1]
    return model, str(item.values.get("attachable_id") or "")


def read_attachments(
    source: Source, files: Mapping[str, SourceFile], journals: Mapping[str, JournalDay]
) -> Iterator[SourceAttachment]:
    keys = {
        (model, item.id): item.id if field == "id" else item.text(field)
        for model, (list_name, field) in _NAMED.items()
        for item in source.items(list_name)
    }
    for item in source.items("attachments"):
        filename = item.text("filename") or f"attachment {item.id}"
        content = source.content(item.id)
        if content is None:
            message = f"The content of the attachment '{filename[:80]}' is not in the archive; it is skipped."
            item.remarks.add(message, row=item.row, rejects=True)
            continue
        file = files[content]
        expected = item.text("md5") or item.text("hash")
        md5 = hashlib.md5(usedforsecurity=False)
        for chunk in file.chunks():
            md5.update(chunk)
        if expected and len(expected) == len(md5.hexdigest()) and expected.lower() != md5.hexdigest():
            message = f"The content of '{filename[:80]}' is not what Firefly III reported: fetch it again."
            item.remarks.add(message, row=item.row, field="md5")
        model, key, notes = _place(item, journals, keys)
        if model == JOB:
            message = "The object of an attachment is not in the export, so it is attached to the import"
            item.remarks.count(message, f"{filename}: {notes}")
        yield SourceAttachment(
            key=item.id,
            model=model,
            of=key,
            filename=filename,
            content=content,
            title=item.text("title"),
            notes="\n".join(filter(None, (item.text("notes"), notes))) or None,
        )


def _place(
    item: SourceItem, journals: Mapping[str, JournalDay], keys: Mapping[tuple[str, str], str | None]
) -> tuple[str, str, str | None]:
    model, key = attached_to(item)
    if model == JOURNAL and key in journals:
        return JOURNAL, journals[key].key, None
    if kept := keys.get((model, key)):
        return model, kept, None
    return JOB, "", f"Was attached to: {model or 'nothing'} {key}".rstrip()
