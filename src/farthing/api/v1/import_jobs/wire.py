"""Reads the bodies of import jobs."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace
from pydantic import ConfigDict

from farthing.kernel.errors import Problem, refuse
from farthing.kernel.fields import Flag, Id, Name, RequestBody, WordList, choice, described, parse, text
from farthing.kernel.parsed import Indexed
from farthing.moving.import_jobs.formats import ACCOUNT_KINDS, FORMATS
from farthing.moving.rows.options import DeletedRows, ImportOptions, LinkRows, RowValues

FILE_PART = "file"
_DECISIONS = ("new", "skip", "link")
_ROWS_MAX = 10_000
# These options are objects whose keys are row numbers or account names.
_BY_NAME = ("rows", "values", "kinds")
_KINDS_MAX = 1000


class RowValuesBody(RequestBody):
    """Chooses values of a row. If omitted, those of the file are kept."""

    category_name: Name | None = described("The name of the category. An empty value gives the row no category.")
    payee_name: Name | None = described("The name of the payee, which is created if it does not exist.")
    budget_name: Name | None = described("The name of the budget of a withdrawal. An empty value gives it no budget.")
    tags: WordList | None = described("Replaces all tags of the row. An empty value removes them.")


class OptionsBody(RequestBody):
    partial: Flag | None = described("Imports the valid rows even if others are invalid. Invalid rows are reported.")
    deleted: Annotated[str, choice(*DeletedRows)] | None = described(
        "What to do with rows that were imported before, but whose transactions have been deleted."
    )
    link: Annotated[str, choice(*LinkRows)] | None = described(
        "`sure` links a row if it matches exactly one existing transaction. `offer` only suggests links."
    )
    rows: dict[str, str] | None = described(
        "Decisions about single rows, by row number: `new`, `skip`, `link`, or `link:` followed by a transaction's id."
    )
    values: dict[str, RowValuesBody] | None = described(
        "The category, payee, budget and tags of single rows, by row number. They replace those of the file and of"
        " rules."
    )
    move_opening_balances: Flag | None = described(
        "If true, opening balances that are dated after imported rows are moved to before them. Undoing the import"
        " moves them back."
    )
    kinds: dict[str, str] | None = described(
        "The kind of each account, by the account's name, if the other program does not store kinds:"
        f" {', '.join(f'`{kind}`' for kind in ACCOUNT_KINDS)}."
    )


class ImportJobBody(RequestBody):
    """Omitted fields are detected for a new job. When a job is changed, they keep their values."""

    format: Annotated[str, choice(*FORMATS)] | None = None
    account_id: Id | None = described("The account that the rows belong to, if the file does not name it.")
    mapping: dict[str, Any] | None = described(
        "How to read a CSV file, as an object or as JSON text. Omitted parts are detected."
    )
    options: OptionsBody | None = None


class SourceBody(RequestBody):
    """Holds the address of a running Firefly III, and a token with which all books are fetched from it."""

    model_config = ConfigDict(json_schema_extra={"required": ["url", "token"]})

    url: Annotated[str, text(2000)] | None = None
    token: Annotated[str, text(10_000)] | None = None


class NewImportJobBody(ImportJobBody):
    source: SourceBody | None = described(
        "A running Firefly III and its token. Everything is fetched from it, so no file is needed."
    )
    filename: Name | None = described("The name of the file, if the upload itself has no name.")


class UndoBody(RequestBody):
    force: Flag | None = described("Also deletes imported transactions that have been changed since the import.")


def read_mapping(raw: Mapping[str, object]) -> tuple[dict[str, Any] | None, list[Problem]]:
    """Reads the mapping without trimming it, because spaces and empty texts have a meaning there."""
    return _read_object(raw, "mapping")


def _read_object(raw: Mapping[str, object], name: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """Reads an object, which a multipart body contains as JSON text."""
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
    """Tells whether a problem is about a value that was sent.

    A missing value is not an error here: the job can be stored, but is not ready to run.
    """
    _, *path = field.split(".")
    value: Any = mapping
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return False
        value = value[name]
    return True


def without_objects(raw: Mapping[str, object]) -> dict[str, object]:
    """Returns the fields except `mapping` and `options`, which are objects and are read separately."""
    return {name: value for name, value in raw.items() if name not in ("mapping", "options")}


def read_options(raw: Mapping[str, object], current: ImportOptions) -> tuple[ImportOptions, list[Problem]]:
    """Reads the field `options` of a job."""
    sent, problems = _read_object(raw, "options")
    if sent is None:
        return current, problems
    return change_options(current, sent, prefix="options.")


def change_options(
    current: ImportOptions, sent: Mapping[str, Any], *, prefix: str = ""
) -> tuple[ImportOptions, list[Problem]]:
    """Applies the sent options to the current ones, and keeps omitted options.

    If decisions about rows, values of rows or kinds of accounts are sent, they replace all current ones of that sort.
    """
    parsed = parse(OptionsBody, {name: value for name, value in sent.items() if name not in _BY_NAME})
    values_of_rows, unfit = _read_values(sent.get("values"), f"{prefix}values")
    rows, problems = _read_rows(sent.get("rows"), f"{prefix}rows")
    kinds, wrong = _read_kinds(sent.get("kinds"), f"{prefix}kinds")
    problems += [*wrong, *unfit]
    problems += [Problem(f"{prefix}{problem.field}", problem.message) for problem in parsed.problems]
    values = parsed.values
    changed = replace(
        current,
        partial=current.partial if values.partial is None else values.partial,
        deleted=DeletedRows(values.deleted) if values.deleted else current.deleted,
        link=LinkRows(values.link) if values.link else current.link,
        move_opening_balances=(
            current.move_opening_balances if values.move_opening_balances is None else values.move_opening_balances
        ),
        rows=current.rows if rows is None else rows,
        values=current.values if values_of_rows is None else values_of_rows,
        kinds=current.kinds if kinds is None else kinds,
    )
    return changed, problems


def _as_group(sent: object, most: int) -> dict[object, object] | None:
    """Returns the sent object, or None if it is too large or not an object.

    The form parser mistakes an object whose keys are numbers for a list, so such a list is turned back into an object.
    """
    if isinstance(sent, Indexed):
        sent = dict(zip(sent.labels, sent, strict=True))
    return sent if isinstance(sent, dict) and len(sent) <= most else None


def _read_rows(sent: object, key: str) -> tuple[dict[str, str] | None, list[Problem]]:
    if sent is None:
        return None, []
    decisions = _as_group(sent, _ROWS_MAX)
    if decisions is None:
        return None, [Problem(key, f"The rows must be an object with at most {_ROWS_MAX} decisions, by row number.")]
    wrong = [
        Problem(f"{key}.{str(row)[:20]}", "A decision about a row must be new, skip, link, or link: followed by an id.")
        for row, decision in decisions.items()
        if not str(row).isdigit() or str(decision).partition(":")[0] not in _DECISIONS
    ]
    return {str(row): str(decision) for row, decision in decisions.items()}, wrong


def _read_values(sent: object, key: str) -> tuple[dict[str, RowValues] | None, list[Problem]]:
    if sent is None:
        return None, []
    by_row = _as_group(sent, _ROWS_MAX)
    if by_row is None:
        return None, [Problem(key, f"The values must be an object with at most {_ROWS_MAX} rows, by row number.")]
    values, problems = {}, []
    for row, fields in by_row.items():
        name = f"{key}.{str(row)[:20]}"
        if not str(row).isdigit() or not isinstance(fields, dict):
            problems.append(Problem(name, "The values of a row must be an object, by the number of the row."))
            continue
        parsed = parse(RowValuesBody, fields)
        problems += [Problem(f"{name}.{problem.field}", problem.message) for problem in parsed.problems]
        chosen = parsed.values
        values[str(row)] = RowValues(
            category_name=chosen.category_name or ("" if fields.get("category_name") == "" else None),
            payee_name=chosen.payee_name,
            budget_name=chosen.budget_name or ("" if fields.get("budget_name") == "" else None),
            tags=_read_tags(chosen, fields),
        )
    return values, problems


def _read_tags(chosen: RowValuesBody, fields: Mapping[str, object]) -> tuple[str, ...] | None:
    if chosen.tags is None:
        return () if fields.get("tags") in ("", []) else None
    return tuple(chosen.tags)


def _read_kinds(sent: object, key: str) -> tuple[dict[str, str] | None, list[Problem]]:
    if sent is None:
        return None, []
    kinds = _as_group(sent, _KINDS_MAX)
    if kinds is None:
        return None, [Problem(key, f"The kinds must be an object with at most {_KINDS_MAX} kinds, by account name.")]
    words = ", ".join(ACCOUNT_KINDS)
    wrong = [
        Problem(f"{key}.{str(name)[:80]}", f"The kind of an account must be one of {words}.")
        for name, kind in kinds.items()
        if str(kind) not in ACCOUNT_KINDS
    ]
    return {str(name): str(kind) for name, kind in kinds.items()}, wrong


def asked_options(query: Mapping[str, str], body: Mapping[str, object], current: ImportOptions) -> ImportOptions:
    """Reads the options of a run or a preview from the query and the body.

    Options that were not sent are taken from the job.
    """
    options, problems = change_options(current, {**query, **body})
    refuse(problems)
    return options
