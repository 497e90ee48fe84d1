"""Examines the files of an import: finds their format, their layout, and the accounts that they name.

Runs in a separate process (see `asking.py`), before the unit of work that stores the result.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from farthing.kernel.errors import Problem

from ..findings import Finding
from ..statements import NO_ACCOUNT, BankAccount, StatementRow, StatementStart
from . import formats

# The number of parts of a file that are read to find its accounts.
_LOOKED_AT = 2000
# The settings that the mapping may have for bank files other than CSV.
OPEN_SETTINGS = ("encoding", "date_order")


class ExamineQuestion(Struct, frozen=True, kw_only=True):
    """`names` are the names of the files, in the same order as the files."""

    names: tuple[str, ...]
    format: str | None
    mapping: Mapping[str, Any] | None


class FileExamination(Struct, frozen=True, kw_only=True):
    """Describes the files of an import, which cannot be imported while there are `problems`. `names_accounts` is True
    if each row names its account. `layout` identifies files with the same columns. `seems_spent` is True if the amounts
    should be inverted for a credit card. `remark` tells the user which decisions were reused from an earlier import.
    """

    format: str | None = None
    mapping: Mapping[str, Any] = {}
    layout: str | None = None
    detected: Mapping[str, Any] = {}
    accounts: tuple[BankAccount, ...] = ()
    names_accounts: bool = False
    seems_spent: bool = False
    problems: tuple[Problem, ...] = ()
    remark: Finding | None = None


def examine(question: ExamineQuestion, files: Sequence[BinaryIO]) -> Iterator[FileExamination]:
    yield _examine(formats.name_files(question.names, files), question)


def _examine(files: Sequence[formats.NamedFile], question: ExamineQuestion) -> FileExamination:
    format_ = question.format or formats.detect_format(files)
    format_ = format_ or (formats.CSV if _is_meant_as_csv(files, question) else None)
    if format_ is None:
        known = ", ".join(formats.FORMATS)
        sentence = f"The format of “{files[0].name[:80]}” is unknown. Choose one: {known}."
        return FileExamination(problems=(Problem("format", sentence),))
    if format_ in formats.PROGRAMS or format_ == formats.OWN_ARCHIVE:
        return FileExamination(format=format_, names_accounts=True)
    if format_ == formats.CSV:
        return _examine_csv(files, question)
    mapping = question.mapping or {}
    problems = [
        Problem(f"mapping.{name[:80]}", f"This format has no such setting. It has {', '.join(OPEN_SETTINGS)}.")
        for name in mapping
        if name not in OPEN_SETTINGS
    ]
    parts = islice(formats.read_bank_file(format_, files[0].file, {} if problems else mapping), _LOOKED_AT)
    named = (part.account for part in parts if isinstance(part, StatementStart | StatementRow))
    accounts = tuple(dict.fromkeys(account for account in named if account and account != NO_ACCOUNT))
    return FileExamination(format=format_, mapping=mapping, accounts=accounts, problems=tuple(problems))


def _is_meant_as_csv(files: Sequence[formats.NamedFile], question: ExamineQuestion) -> bool:
    """Tells whether the user takes a file of unknown format for CSV. If so, the user learns what is wrong with it as
    CSV.
    """
    return bool(question.mapping) or files[0].name.lower().endswith((".csv", ".tsv"))


def _examine_csv(files: Sequence[formats.NamedFile], question: ExamineQuestion) -> FileExamination:
    detection = formats.detect_csv(files[0].file, question.mapping or None)
    fields = msgspec.to_builtins(detection)
    return FileExamination(
        format=formats.CSV,
        mapping=fields["layout"],
        layout=detection.key,
        detected={name: fields[name] for name in ("header", "rows", "unused", "questions")},
        accounts=(detection.account,) if detection.account != NO_ACCOUNT else (),
        names_accounts="account" in detection.layout.columns,
        seems_spent=detection.seems_spent,
        problems=detection.problems,
    )
