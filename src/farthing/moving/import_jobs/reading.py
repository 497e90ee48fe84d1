"""The formats that an import job knows, and which of them a file has.

Readers are loaded when they are needed: few requests need one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import msgspec
from msgspec import Struct

from ..findings import Unreadable
from ..source_books import SourceBooks
from ..statements import FileStart, StatementPart, StatementParts
from .model import ImportJob

if TYPE_CHECKING:
    from ..formats.csv.detect import Detection

HEAD_BYTES = 64 * 1024
CSV = "csv"
# In the order in which they are asked whether a file is theirs.
_READERS = {
    "ofx": "farthing.moving.formats.ofx",
    "qif": "farthing.moving.formats.qif",
    "camt": "farthing.moving.formats.camt",
    "mt940": "farthing.moving.formats.mt940",
    CSV: "farthing.moving.formats.csv.detect",
}
# Other programs, asked before banks: their files may look like a bank's.
_PROGRAMS = {
    "firefly-iii": "farthing.moving.programs.firefly.read",
}
PROGRAMS = tuple(_PROGRAMS)
FORMATS = (*_READERS, *PROGRAMS)


class NamedFile(Struct, frozen=True):
    name: str
    file: BinaryIO


def detect_format(files: Sequence[NamedFile]) -> str | None:
    """By the first file; CSV comes last, because any text may look like it."""
    first = files[0]
    first.file.seek(0)
    head = first.file.read(HEAD_BYTES)
    for name, module in (_PROGRAMS | _READERS).items():
        looks_like = cast(Callable[[bytes, str], bool], import_module(module).looks_like)
        if looks_like(head, first.name):
            return name
    return None


def detect_csv(file: BinaryIO, mapping: Mapping[str, Any] | None) -> "Detection":
    from ..formats.csv.detect import detect

    return detect(file, mapping)


def read_statements(job: ImportJob, files: Sequence[NamedFile]) -> Iterator[StatementPart | FileStart]:
    """All files, one after the other."""
    for number, one in enumerate(files):
        if len(files) > 1:
            yield FileStart(one.name)
        one.file.seek(0)
        if job.format == CSV:
            yield from read_csv(one.file, _fit_mapping(one, job.mapping) if number else job.mapping)
        else:
            yield from read_bank_file(job.format or "", one.file)


# What the user chose holds for all files; how each is written, it says itself.
_OF_EACH_FILE = ("encoding", "delimiter", "quote", "header", "preamble", "footer")


def _fit_mapping(file: NamedFile, mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    """The mapping of the first file, for a further one."""
    chosen = {name: value for name, value in mapping.items() if name not in _OF_EACH_FILE}
    found = detect_csv(file.file, chosen)
    if found.problems:
        raise Unreadable(f"“{file.name[:80]}” has other columns than the first file. Import it on its own.")
    file.file.seek(0)
    return cast(Mapping[str, Any], msgspec.to_builtins(found.layout))


def read_csv(file: BinaryIO, mapping: Mapping[str, Any]) -> StatementParts:
    from ..formats.csv.layout import CsvLayout
    from ..formats.csv.read import read

    return read(file, msgspec.convert(mapping, CsvLayout))


def read_bank_file(format_: str, file: BinaryIO) -> StatementParts:
    if format_ not in _READERS or format_ == CSV:
        raise Unreadable(f"There is no format “{format_[:40]}”. Known are {', '.join(FORMATS)}.")
    from ..formats.statement_check import check

    read = cast(Callable[[BinaryIO], StatementParts], import_module(_READERS[format_]).read)
    return check(read(file))


def read_books(format_: str, files: Mapping[str, BinaryIO]) -> SourceBooks:
    return cast(Callable[[Mapping[str, BinaryIO]], SourceBooks], import_module(_PROGRAMS[format_]).read)(files)
