"""Defines attachments, which are files that belong to an object.

An attachment is hidden until its content is uploaded.
"""

import re
from enum import StrEnum
from urllib.parse import quote

from msgspec import Struct


class Model(StrEnum):
    """Lists the kinds of objects that can have attachments.

    An attachment of a split belongs to the whole transaction.
    """

    ACCOUNT = "Account"
    BILL = "Bill"
    BUDGET = "Budget"
    CATEGORY = "Category"
    IMPORT_JOB = "ImportJob"
    PIGGY_BANK = "PiggyBank"
    TAG = "Tag"
    JOURNAL = "TransactionJournal"


class AttachmentTarget(Struct, frozen=True):
    model: Model
    id: int


class AttachmentDraft(Struct, frozen=True):
    """Describes an attachment. `split_id` is the split for which the file of a transaction was sent, if it is known."""

    filename: str
    title: str | None
    notes: str | None
    target: AttachmentTarget
    split_id: int | None = None


class UploadedFile(Struct, frozen=True):
    """Describes an uploaded file. Its hashes are in lower-case hex, and its size is in bytes."""

    sha256: str
    md5: str
    mime: str
    size: int


class Attachment(Struct, frozen=True):
    id: int
    target: AttachmentTarget
    filename: str
    title: str | None
    notes: str | None
    upload: UploadedFile | None
    split_id: int | None
    created_at: str
    updated_at: str


_FULL_NAME = re.compile(r"(?:.+\\Models\\)?(\w+)")
_OTHER_NAMES = {"Transaction": Model.JOURNAL}


def model_named(name: str) -> Model | None:
    """Finds a model by its name, which may have a prefix: `Bill` or `Service\\Models\\Bill`."""
    match = _FULL_NAME.fullmatch(name)
    short = match[1] if match else ""
    return Model(short) if short in set(Model) else _OTHER_NAMES.get(short)


_NAMELESS = "attachment"
# Control characters could end the header. Marks that reverse the direction of text could make an .exe look like a .pdf.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_NOT_PLAIN = re.compile(r"[^ !#$&'()+,\-.0-9;=@A-Z\[\]^_`a-z{}~]")


def disposition(filename: str) -> str:
    """Writes a Content-Disposition header that makes browsers save the file under the last part of its path.

    Old programs read only the name in ASCII, so the complete name follows in `filename*`.
    """
    name = _UNSAFE.sub("_", re.split(r"[/\\]", filename)[-1]).strip()
    if not name.strip("."):
        name = _NAMELESS
    plain = _NOT_PLAIN.sub("_", name)
    in_full = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    return f'attachment; filename="{plain}"{in_full}'
