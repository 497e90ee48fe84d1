"""How does the API name what an attachment is?"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from pydantic import BaseModel

from ..errors import Problem
from ..fields import Id, Name, Notes, Parsed, Reads, Refused, required
from ..shown import Instant
from .model import Attachment, Draft, Model, Place, model_named

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

REQUIRED = ("filename", "model", "model_id")
FILE_PART = "file"
_PREFIX = "Service\\Models\\"
_RENDERED_MAX = 128


def _model(value: object) -> Model:
    found = model_named(value.strip()) if isinstance(value, str) else None
    if found is None:
        names = ", ".join(f"{_PREFIX}{name}" for name in Model)
        raise Refused(f"The selected {{label}} is invalid: it must be one of {names}.")
    return found


_MODEL_SCHEMA = {
    "type": "string",
    "pattern": r"^(.+\\Models\\)?(Bill|ImportJob|TransactionJournal|Transaction)$",
    "description": "What the file belongs to: `Bill`, `ImportJob` or `TransactionJournal`, also as"
    " `Service\\Models\\Bill`. `Transaction` is another name for `TransactionJournal`.",
}


class AttachmentBody(BaseModel):
    filename: Name | None = None
    model: Annotated[Model, Reads(_model, _MODEL_SCHEMA)] | None = None
    model_id: Id | None = None
    title: Name | None = None
    notes: Notes | None = None


def problems(parsed: Parsed[AttachmentBody]) -> list[Problem]:
    return required(parsed, *REQUIRED)


def place(parsed: Parsed[AttachmentBody]) -> Place | None:
    """Only both together name an object."""
    values = parsed.values
    return Place(values.model, values.model_id) if values.model and values.model_id else None


def draft(values: AttachmentBody, *, filename: str, at: Place) -> Draft:
    return Draft(filename, values.title, values.notes, at)


class AttachmentAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    attachable_type: str
    attachable_id: int
    md5: str
    filename: str
    download_uri: str
    upload_uri: str
    title: str | None
    notes: str | None
    mime: str
    size: int


def show(one: Attachment, base: str) -> AttachmentAttributes:
    at = f"{base}/api/v1/attachments/{one.id}"
    return AttachmentAttributes(
        updated_at=one.updated_at,
        created_at=one.created_at,
        attachable_type=f"{_PREFIX}{one.place.model}",
        attachable_id=one.place.id,
        md5=one.upload.md5 if one.upload else "",
        filename=one.filename,
        download_uri=f"{at}/download",
        upload_uri=f"{at}/upload",
        title=one.title,
        notes=one.notes,
        mime=one.upload.mime if one.upload else "",
        size=one.upload.size if one.upload else 0,
    )


class NoteAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    title: str | None
    text: str
    markdown: str


def show_note(one: Attachment, text: str) -> NoteAttributes:
    """The note has no dates of its own: it is as old as what it is about."""
    return NoteAttributes(one.updated_at, one.created_at, title=None, text=text, markdown=_rendered(text))


@lru_cache(_RENDERED_MAX)
def _rendered(text: str) -> str:
    return str(_commonmark().render(text))


@cache
def _commonmark() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # only now: few need it, and it takes a while to load

    return MarkdownIt("commonmark", {"html": False})
