"""Reads attachments. If their object cannot have attachments in Farthing, they are attached to the import job."""

import hashlib
from collections.abc import Iterator, Mapping, Set

from ...source_books import SourceAttachment
from .files.items import Source, SourceItem
from .files.source_files import SourceFile
from .planning import JournalDay

# Objects that can have attachments in Firefly III but not here, with the list that contains their names.
_NAMED = {"Account": "accounts", "Budget": "budgets", "PiggyBank": "piggy-banks", "Category": "categories"}
JOURNAL, BILL, JOB = "TransactionJournal", "Bill", "ImportJob"


def attached_to(item: SourceItem) -> tuple[str, str]:
    """Returns the type of the object that has the attachment, such as `Bill`, and the object's id."""
    model = str(item.values.get("attachable_type") or "").rsplit("\\", 1)[-1]
    return model, str(item.values.get("attachable_id") or "")


def read_attachments(
    source: Source, files: Mapping[str, SourceFile], journals: Mapping[str, JournalDay], bills: Set[str]
) -> Iterator[SourceAttachment]:
    listed = ((model, named) for model, list_name in _NAMED.items() for named in source.items(list_name))
    names = {(model, named.id): str(named.values.get("name")) for model, named in listed}
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
        model, key, notes = _place(item, journals, bills, names)
        if model == JOB:
            message = "Only transactions and bills can have attachments; this one is attached to the import"
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
    item: SourceItem, journals: Mapping[str, JournalDay], bills: Set[str], names: Mapping[tuple[str, str], str]
) -> tuple[str, str, str | None]:
    model, key = attached_to(item)
    if model == JOURNAL and key in journals:
        return JOURNAL, journals[key].key, None
    if model == BILL and key in bills:
        return BILL, key, None
    return JOB, "", f"Was attached to: {model or 'nothing'} {names.get((model, key), key)}".rstrip()
