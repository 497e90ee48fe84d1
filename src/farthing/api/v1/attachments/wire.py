"""Reads the bodies of attachments."""

from typing import Annotated

from farthing.books.attachments.model import AttachmentDraft, AttachmentTarget, Model, model_named
from farthing.kernel.fields import FieldParser, Id, Name, Notes, Refused, RequestBody
from farthing.kernel.parsed import Parsed

from ..serializers.attachments import MODEL_PREFIX

REQUIRED = ("filename", "model", "model_id")
FILE_PART = "file"


def _model(value: object) -> Model:
    model = model_named(value.strip()) if isinstance(value, str) else None
    if model is None:
        names = ", ".join(f"{MODEL_PREFIX}{name}" for name in Model)
        raise Refused(f"The selected {{label}} is invalid: it must be one of {names}.")
    return model


_MODEL_SCHEMA = {
    "type": "string",
    "pattern": r"^(.+\\Models\\)?(Bill|ImportJob|TransactionJournal|Transaction)$",
    "description": "The type of object that the file belongs to: `Bill`, `ImportJob` or `TransactionJournal`. The form"
    " `Service\\Models\\Bill` works too. `Transaction` is another name for `TransactionJournal`.",
}


class AttachmentBody(RequestBody):
    filename: Name | None = None
    model: Annotated[Model, FieldParser(_model, _MODEL_SCHEMA)] | None = None
    model_id: Id | None = None
    title: Name | None = None
    notes: Notes | None = None


def read_target(parsed: Parsed[AttachmentBody]) -> AttachmentTarget | None:
    """Returns None unless both type and id are valid."""
    values = parsed.values
    return AttachmentTarget(values.model, values.model_id) if values.model and values.model_id else None


def draft(values: AttachmentBody, *, filename: str, at: AttachmentTarget) -> AttachmentDraft:
    return AttachmentDraft(filename=filename, title=values.title, notes=values.notes, target=at)
