"""Has the files of an import examined and read in a process of its own, while somebody waits."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from farthing.kernel.apart.reader import Exhausted, Reader
from farthing.kernel.config import Settings
from farthing.kernel.errors import Problem
from farthing.storage import blobs
from farthing.storage.blobs import Lost

from ..findings import Unreadable
from .examine import Examination, ExamineQuestion
from .first_rows import ReadFile, ReadQuestion
from .model import ImportJob
from .reading import OWN_ARCHIVE

TOO_MUCH = "Reading this file takes more time or memory than it may. Is it the right file? A part of it may be read."
_OWN_ARCHIVE = "An archive of Farthing comes in as it is: there is no preview."


class StoredFile(Struct, frozen=True):
    name: str
    user_id: int
    sha256: str


class ExamineRequest(Struct, frozen=True, kw_only=True):
    settings: Settings
    files: tuple[StoredFile, ...]
    format: str | None
    mapping: Mapping[str, Any] | None


class PreviewRequest(Struct, frozen=True, kw_only=True):
    """`currency` is that of amounts for which the source names none."""

    settings: Settings
    files: tuple[StoredFile, ...]
    job: ImportJob
    currency: str


def key_of(request: ExamineRequest) -> bytes:
    """What is found depends on nothing else: the files are named by their contents."""
    return msgspec.json.encode((request.files, request.format, request.mapping))


def examine(request: ExamineRequest, reader: Reader) -> Examination:
    if not request.files:
        return Examination(format=request.format, problems=(Problem("file", "Upload a file first."),))
    names = tuple(one.name for one in request.files)
    question = ExamineQuestion(names=names, format=request.format, mapping=request.mapping)
    try:
        with _open(request.settings, request.files) as files:
            [found] = reader.results("farthing.moving.import_jobs.examine:examine", question, files)
            assert isinstance(found, Examination), "it yields one"
            return found
    except (Unreadable, Lost) as error:
        return Examination(format=request.format, problems=(Problem("file", str(error)),))
    except Exhausted:
        return Examination(format=request.format, problems=(Problem("file", TOO_MUCH),))


def read_first(request: PreviewRequest, reader: Reader) -> ReadFile:
    if request.job.format == OWN_ARCHIVE:
        return ReadFile(parts=[], is_whole=False, failure=_OWN_ARCHIVE)
    names = tuple(one.name for one in request.files)
    question = ReadQuestion(job=request.job, names=names, currency=request.currency)
    try:
        with _open(request.settings, request.files) as files:
            [found] = reader.results("farthing.moving.import_jobs.first_rows:read_first", question, files)
            assert isinstance(found, ReadFile), "it yields one"
            return found
    except Lost as error:
        return ReadFile(parts=[], is_whole=False, failure=str(error))
    except Exhausted:
        return ReadFile(parts=[], is_whole=False, failure=TOO_MUCH)


@contextmanager
def _open(settings: Settings, files: Sequence[StoredFile]) -> Iterator[list[BinaryIO]]:
    contents = blobs.connect(settings)
    with ExitStack() as opened:
        yield [opened.enter_context(contents.open(one.user_id, one.sha256)) for one in files]
