"""Reads the bodies of import jobs."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace
from pydantic import ConfigDict, Field

from farthing.kernel.cleaned import Indexed
from farthing.kernel.errors import Problem, refuse
from farthing.kernel.fields import Flag, Id, Name, RequestBody, choice, parse, text
from farthing.moving.import_jobs.kinds import KINDS
from farthing.moving.import_jobs.reading import FORMATS
from farthing.moving.rows.options import DeletedRows, ImportOptions, LinkRows

FILE_PART = "file"
_DECISIONS = ("new", "skip", "link")
_ROWS_MAX = 10_000
_KINDS_MAX = 1000


class OptionsBody(RequestBody):
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
    kinds: dict[str, str] | None = Field(
        None,
        description="Kinds of accounts by name, where another program does not tell them:"
        f" {', '.join(f'`{kind}`' for kind in KINDS)}.",
    )


class ImportJobBody(RequestBody):
    """What is left out is detected, or stays as it is."""

    format: Annotated[str, choice(*FORMATS)] | None = None
    account_id: Id | None = Field(None, description="The account that the file is of, where the file does not say.")
    mapping: dict[str, Any] | None = Field(
        None, description="How a CSV file is to be read; what is left out is detected. Also as JSON text."
    )
    options: OptionsBody | None = None


class SourceBody(RequestBody):
    """A running program whose books are to be fetched."""

    model_config = ConfigDict(json_schema_extra={"required": ["url", "token"]})

    url: Annotated[str, text(2000)] | None = None
    token: Annotated[str, text(10_000)] | None = None


class NewImportJobBody(ImportJobBody):
    source: SourceBody | None = Field(
        None, description="Where to fetch everything from instead of a file: a running Firefly III and its token."
    )
    filename: Name | None = Field(None, description="The name of the file, if it has none of its own.")


class UndoBody(RequestBody):
    force: Flag | None = Field(None, description="Delete also what was changed since the import.")


def read_mapping(raw: Mapping[str, object]) -> tuple[dict[str, Any] | None, list[Problem]]:
    """As it was sent: spaces and empty texts mean something here."""
    return _read_object(raw, "mapping")


def _read_object(raw: Mapping[str, object], name: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """An object, or JSON text of one, as a part of a multipart body is."""
    sent = raw.get(name)
    if isinstance(sent, str) and sent.strip():
        try:
            sent = msgspec.json.decode(sent)
        except msgspec.DecodeError:
            return None, [Problem(name, f"The {name} is not valid JSON.")]
    if sent is None or sent == "":
        return None, []
    if not isinstance(sent, dict):
        return None, [Problem(name, f"The {name} must be an object.")]
    return sent, []


def is_about(field: str, mapping: Mapping[str, Any]) -> bool:
    """Whether a problem is about something that was sent; what is missing only keeps the job from being ready."""
    _, *path = field.split(".")
    value: Any = mapping
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return False
        value = value[name]
    return True


def without_objects(raw: Mapping[str, object]) -> dict[str, object]:
    """What is parsed field by field."""
    return {name: value for name, value in raw.items() if name not in ("mapping", "options")}


def read_options(raw: Mapping[str, object], current: ImportOptions) -> tuple[ImportOptions, list[Problem]]:
    """Those of a job, in its field `options`."""
    sent, problems = _read_object(raw, "options")
    if sent is None:
        return current, problems
    return change_options(current, sent, prefix="options.")


def change_options(
    current: ImportOptions, sent: Mapping[str, Any], *, prefix: str = ""
) -> tuple[ImportOptions, list[Problem]]:
    """What is left out stays as it is; decisions about rows and kinds of accounts are replaced as a whole."""
    parsed = parse(OptionsBody, {name: value for name, value in sent.items() if name not in ("rows", "kinds")})
    rows, problems = _read_rows(sent.get("rows"), f"{prefix}rows")
    kinds, wrong = _read_kinds(sent.get("kinds"), f"{prefix}kinds")
    problems += wrong
    problems += [Problem(f"{prefix}{problem.field}", problem.message) for problem in parsed.problems]
    values = parsed.values
    changed = replace(
        current,
        partial=current.partial if values.partial is None else values.partial,
        deleted=DeletedRows(values.deleted) if values.deleted else current.deleted,
        link=LinkRows(values.link) if values.link else current.link,
        rows=current.rows if rows is None else rows,
        kinds=current.kinds if kinds is None else kinds,
    )
    return changed, problems


def _read_rows(sent: object, key: str) -> tuple[dict[str, str] | None, list[Problem]]:
    """Read as it was sent: a group whose names are numbers would else be taken for a list, as it is in a form."""
    if sent is None:
        return None, []
    if isinstance(sent, Indexed):
        sent = dict(zip(sent.labels, sent, strict=True))
    if not isinstance(sent, dict) or len(sent) > _ROWS_MAX:
        return None, [Problem(key, f"The rows must be an object of at most {_ROWS_MAX} decisions by row number.")]
    wrong = [
        Problem(f"{key}.{str(row)[:20]}", "A decision about a row is new, skip, link, or link: and an id.")
        for row, decision in sent.items()
        if not str(row).isdigit() or str(decision).partition(":")[0] not in _DECISIONS
    ]
    return {str(row): str(decision) for row, decision in sent.items()}, wrong


def _read_kinds(sent: object, key: str) -> tuple[dict[str, str] | None, list[Problem]]:
    """The names as they were sent: those of accounts may be numbers, too."""
    if sent is None:
        return None, []
    if isinstance(sent, Indexed):
        sent = dict(zip(sent.labels, sent, strict=True))
    if not isinstance(sent, dict) or len(sent) > _KINDS_MAX:
        return None, [Problem(key, f"The kinds must be an object of at most {_KINDS_MAX} kinds by name of account.")]
    words = ", ".join(KINDS)
    wrong = [
        Problem(f"{key}.{str(name)[:80]}", f"The kind of an account is one of {words}.")
        for name, kind in sent.items()
        if str(kind) not in KINDS
    ]
    return {str(name): str(kind) for name, kind in sent.items()}, wrong


def asked_options(query: Mapping[str, str], body: Mapping[str, object], current: ImportOptions) -> ImportOptions:
    """Of a run or a preview, where options come with the request itself."""
    options, problems = change_options(current, {**query, **body})
    refuse(problems)
    return options
