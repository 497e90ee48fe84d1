"""Attachments: files that belong to an object, not shown until their content is uploaded."""

import re
from enum import StrEnum
from urllib.parse import quote

from msgspec import Struct


class Model(StrEnum):
    """What a file can belong to; a transaction's files belong to its whole journal."""

    BILL = "Bill"
    IMPORT_JOB = "ImportJob"
    JOURNAL = "TransactionJournal"


class AttachmentTarget(Struct, frozen=True):
    """The object that a file belongs to."""

    model: Model
    id: int


class AttachmentDraft(Struct, frozen=True):
    filename: str
    title: str | None
    notes: str | None
    place: AttachmentTarget


class Upload(Struct, frozen=True):
    """What has been uploaded; the hashes in lower-case hex, the size in bytes."""

    sha256: str
    md5: str
    mime: str
    size: int


class Attachment(Struct, frozen=True):
    id: int
    place: AttachmentTarget
    filename: str
    title: str | None
    notes: str | None
    upload: Upload | None
    created_at: str
    updated_at: str


_FULL_NAME = re.compile(r"(?:.+\\Models\\)?(\w+)")
_OTHER_NAMES = {"Transaction": Model.JOURNAL}


def model_named(name: str) -> Model | None:
    """By its short name, or after anybody's brand: `Service\\Models\\Bill`."""
    match = _FULL_NAME.fullmatch(name)
    short = match[1] if match else ""
    return Model(short) if short in set(Model) else _OTHER_NAMES.get(short)


_NAMELESS = "attachment"
# Controls could end the header, and the marks that turn writing around could make an .exe look like a .pdf.
_TREACHEROUS = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_NOT_PLAIN = re.compile(r"[^ !#$&'()+,\-.0-9;=@A-Z\[\]^_`a-z{}~]")


def disposition(filename: str) -> str:
    """How a browser is to save it: never shown in place, and only the last part of a path.

    Old programs read only the name in ASCII; the whole name follows in `filename*`.
    """
    name = _TREACHEROUS.sub("_", re.split(r"[/\\]", filename)[-1]).strip()
    if not name.strip("."):
        name = _NAMELESS
    plain = _NOT_PLAIN.sub("_", name)
    in_full = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    return f'attachment; filename="{plain}"{in_full}'
