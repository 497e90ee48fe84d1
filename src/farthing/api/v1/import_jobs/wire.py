"""Reads the bodies of import jobs."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace
from pydantic import BaseModel, Field

from farthing.kernel.errors import Problem
from farthing.kernel.fields import Flag, Id, Name, choice
from farthing.kernel.parsed import Parsed
from farthing.moving.import_jobs.reading import FORMATS
from farthing.moving.rows.options import DeletedRows, ImportOptions, LinkRows

FILE_PART = "file"
_DECISIONS = ("new", "skip", "link")
_ROWS_MAX = 10_000


class OptionsBody(BaseModel):
    partial: Flag | None = Field(None, description="Import the rows that are right, and report the others.")
    deleted: Annotated[str, choice(*DeletedRows)] | None = Field(
        None, description="What becomes of rows that were imported before and whose transactions were deleted."
    )
    link: Annotated[str, choice(*LinkRows)] | None = Field(
        None, description="`sure`: rows that fit exactly one transaction that is there are linked to it."
    )
    rows: dict[str, str] | None = Field(
        None,
        description="Decisions about single rows, by row number: `new`, `skip`, `link`, or `link:` and the id of the"
        " transaction.",
    )


class ImportJobBody(BaseModel):
    """What is left out is detected, or stays as it is."""

    format: Annotated[str, choice(*FORMATS)] | None = None
    account_id: Id | None = Field(None, description="The account that the file is of, where the file does not say.")
    mapping: dict[str, Any] | None = Field(
        None, description="How a CSV file is to be read; what is left out is detected. Also as JSON text."
    )
    options: OptionsBody | None = None


class NewImportJobBody(ImportJobBody):
    filename: Name | None = Field(None, description="The name of the file, if it has none of its own.")


class UndoBody(BaseModel):
    force: Flag | None = Field(None, description="Delete also what was changed since the import.")


def read_mapping(raw: Mapping[str, object]) -> tuple[dict[str, Any] | None, list[Problem]]:
    """As it was sent: spaces and empty texts mean something here."""
    sent = raw.get("mapping")
    if isinstance(sent, str) and sent.strip():
        try:
            sent = msgspec.json.decode(sent)
        except msgspec.DecodeError:
            return None, [Problem("mapping", "The mapping is not valid JSON.")]
    if sent is None or sent == "":
        return None, []
    if not isinstance(sent, dict):
        return None, [Problem("mapping", "The mapping must be an object.")]
    return sent, []


def without_mapping(raw: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in raw.items() if name != "mapping"}


def change_options(
    kept: ImportOptions, sent: OptionsBody | None, key: str = "options"
) -> tuple[ImportOptions, list[Problem]]:
    """What is left out stays as it is; decisions about rows are replaced as a whole."""
    if sent is None:
        return kept, []
    rows = sent.rows if sent.rows is not None else kept.rows
    problems = [
        Problem(f"{key}.rows.{row[:20]}", "A decision about a row is new, skip, link, or link: and an id.")
        for row, decision in (sent.rows or {}).items()
        if not row.isdigit() or decision.partition(":")[0] not in _DECISIONS
    ]
    if len(rows) > _ROWS_MAX:
        problems.append(Problem(f"{key}.rows", f"There may not be more than {_ROWS_MAX} decisions."))
    changed = replace(
        kept,
        partial=kept.partial if sent.partial is None else sent.partial,
        deleted=DeletedRows(sent.deleted) if sent.deleted else kept.deleted,
        link=LinkRows(sent.link) if sent.link else kept.link,
        rows=rows,
    )
    return changed, problems


def asked_options(parsed: Parsed[OptionsBody], kept: ImportOptions) -> ImportOptions:
    """Of a run or a preview, where options come with the request itself."""
    options, problems = change_options(kept, parsed.values)
    parsed.report_all(problems)
    parsed.finish()
    return options
