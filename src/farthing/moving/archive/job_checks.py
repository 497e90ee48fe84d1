"""Checks the lines about imports. Anybody may have written an archive, and its data must not cause failures later."""

from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert

from farthing.books.accounts.model import Opening
from farthing.kernel.limits import ID_MAX

from ..findings import Finding
from ..formats.csv.layout import Column, CsvLayout, check_fields
from ..import_jobs.examine import OPEN_SETTINGS
from ..rows.options import ImportOptions
from ..rows.transfer_conversion import OtherSide
from .values import Misfit, Values

_CSV = "csv"
Id = Annotated[int, Meta(ge=0, le=ID_MAX)]


class _Detected(Struct, forbid_unknown_fields=True):
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    unused: tuple[Column, ...] = ()
    questions: tuple[dict[str, Any], ...] = ()
    given: dict[str, Any] | None = None
    url: str = ""


class _Difference(Struct):
    account_id: Id


class _MovedOpening(Struct):
    account_id: Id
    before: Opening
    moved: Opening


class _Report(Struct):
    """Describes the part of a report that the program reads; all other parts are only displayed."""

    differences: tuple[_Difference, ...] = ()
    moved_openings: tuple[_MovedOpening, ...] = ()


_SHAPES: dict[str, Any] = {
    "options": ImportOptions,
    "file_ids": tuple[Id, ...],
    "detected": _Detected,
    "findings": tuple[Finding, ...],
    "report": _Report | None,
    "mapping": dict[str, Any],
}


def check_job(values: Values) -> None:
    for name, shape in _SHAPES.items():
        _check_shape(name, values[name], shape)
    if values["format"] == _CSV:
        mapping = values["mapping"]
        if mapping or values["state"] != "uploaded":
            _, problems = check_fields(mapping)
            if problems:
                raise Misfit(f"{problems[0].field}: {problems[0].message.rstrip('.')}")
            _check_shape("mapping", mapping, CsvLayout)
    elif not all(name in OPEN_SETTINGS and isinstance(value, str) for name, value in values["mapping"].items()):
        raise Misfit(f"mapping: may have only {' and '.join(sorted(OPEN_SETTINGS))}, as text")


def check_row(values: Values) -> None:
    if values["before"] is not None:
        _check_shape("before", values["before"], OtherSide)


def _check_shape(name: str, value: Any, shape: Any) -> None:
    try:
        convert(value, shape)
    except ValidationError as error:
        raise Misfit(f"{name}: {error}") from error
