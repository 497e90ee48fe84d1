"""Lets a separate process examine or read the files of an import, while the user waits for the answer."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec
from msgspec import Struct

from farthing.kernel.apart.reader import Exhausted, Reader
from farthing.kernel.config import Settings
from farthing.kernel.errors import Problem
from farthing.storage import blobs
from farthing.storage.blobs import Lost

from ..findings import Unreadable
from .examine import ExamineQuestion, FileExamination
from .files import ImportFile
from .first_rows import ReadFile
from .formats import OWN_ARCHIVE, RunQuestion
from .model import ImportJob

TOO_MUCH = "Reading this file takes too much time or memory. Check that it is the right file, or try a part of it."
_OWN_ARCHIVE = "There is no preview for an archive of Farthing: it is imported unchanged."


class ExamineRequest(Struct, frozen=True, kw_only=True):
    settings: Settings
    files: tuple[ImportFile, ...]
    format: str | None
    mapping: Mapping[str, Any] | None


class PreviewRequest(Struct, frozen=True, kw_only=True):
    """`currency` applies to amounts for which the source names no currency."""

    settings: Settings
    files: tuple[ImportFile, ...]
    job: ImportJob
    currency: str


def key_of(request: ExamineRequest) -> bytes:
    """Builds the cache key from all that the result depends on; files are identified by their hashes."""
    return msgspec.json.encode((request.files, request.format, request.mapping))


def examine(request: ExamineRequest, reader: Reader) -> FileExamination:
    if not request.files:
        return FileExamination(format=request.format, problems=(Problem("file", "Upload a file first."),))
    question = ExamineQuestion(names=_names(request.files), format=request.format, mapping=request.mapping)
    try:
        examination = _ask(request.settings, request.files, reader, "examine:examine", question)
    except (Unreadable, Lost, Exhausted) as error:
        return FileExamination(format=request.format, problems=(Problem("file", _tell(error)),))
    assert isinstance(examination, FileExamination), "it yields one"
    return examination


def read_first(request: PreviewRequest, reader: Reader) -> ReadFile:
    if request.job.format == OWN_ARCHIVE:
        return ReadFile(parts=[], is_whole=False, failure=_OWN_ARCHIVE)
    question = RunQuestion(job=request.job, names=_names(request.files), currency=request.currency)
    try:
        read_file = _ask(request.settings, request.files, reader, "first_rows:read_first", question)
    except (Lost, Exhausted) as error:
        return ReadFile(parts=[], is_whole=False, failure=_tell(error))
    assert isinstance(read_file, ReadFile), "it yields one"
    return read_file


def _names(files: Sequence[ImportFile]) -> tuple[str, ...]:
    return tuple(file.name for file in files)


def _tell(error: Exception) -> str:
    return TOO_MUCH if isinstance(error, Exhausted) else str(error)


def _ask(settings: Settings, files: Sequence[ImportFile], reader: Reader, function: str, question: object) -> object:
    contents = blobs.connect(settings)
    with ExitStack() as opened:
        handles = [opened.enter_context(contents.open(file.user_id, file.sha256)) for file in files]
        [result] = reader.results(f"farthing.moving.import_jobs.{function}", question, handles)
        return result
