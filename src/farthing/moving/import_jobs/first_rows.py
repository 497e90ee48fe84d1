"""Reads the beginning of the files of an import for a preview, in a separate process (see `asking.py`)."""

from collections.abc import Iterator, Sequence
from itertools import islice
from os import SEEK_END
from typing import BinaryIO

from msgspec import Struct, structs

from ..findings import Finding, Unreadable
from ..source_books import SourceBooks
from ..statements import FileStart, StatementPart, StatementRow
from .formats import PROGRAMS, NamedFile, RunQuestion, name_files, read_books, read_statements

# A preview reads at most this many rows of the files.
ROWS_MAX = 5000
# Limits the parts of all types, because a file may contain much besides rows.
_PARTS_MAX = 4 * ROWS_MAX
# Larger books would take too long to read while somebody waits.
BOOKS_BYTES_MAX = 8 * 2**20
_TOO_LARGE = "These books are too large to preview. Run the import, read its report, and undo it if you like."


class ReadFile(Struct, frozen=True, kw_only=True):
    """Holds the first parts of the files, or books with their first transactions. `is_whole`: nothing is missing."""

    parts: list[StatementPart | FileStart]
    is_whole: bool
    failure: str | None = None
    books: SourceBooks | None = None


def read_first(question: RunQuestion, files: Sequence[BinaryIO]) -> Iterator[ReadFile]:
    named = name_files(question.names, files)
    parts: list[StatementPart | FileStart] = []
    try:
        yield _read_books(question, named) if question.job.format in PROGRAMS else _read_rows(question, named, parts)
    except Unreadable as error:
        yield ReadFile(parts=parts, is_whole=False, failure=str(error))


def _read_rows(question: RunQuestion, files: Sequence[NamedFile], parts: list[StatementPart | FileStart]) -> ReadFile:
    """Reads rows and adds them to `parts`, so that the caller can show them even if the file proves to be damaged."""
    count = 0
    for part in read_statements(question.job, files):
        count += isinstance(part, StatementRow) or (isinstance(part, Finding) and part.rejects)
        if count > ROWS_MAX or len(parts) >= _PARTS_MAX:
            return ReadFile(parts=parts, is_whole=False)
        parts.append(part)
    return ReadFile(parts=parts, is_whole=True)


def _read_books(question: RunQuestion, files: Sequence[NamedFile]) -> ReadFile:
    if sum(file.file.seek(0, SEEK_END) for file in files) > BOOKS_BYTES_MAX:
        return ReadFile(parts=[], is_whole=False, failure=_TOO_LARGE)
    for file in files:
        file.file.seek(0)
    books = read_books(question.job, {file.name: file.file for file in files}, question.currency)
    transactions = iter(books.transactions)
    first = list(islice(transactions, ROWS_MAX))
    is_whole = not sum(1 for _ in transactions)  # reads all of them, so that a damaged file is noticed
    return ReadFile(parts=[], is_whole=is_whole, books=structs.replace(books, transactions=first, balances=()))
