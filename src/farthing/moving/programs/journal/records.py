"""Represents a journal before elided amounts, assignments and number styles are resolved."""

from datetime import date

from msgspec import Struct

from ..common.includes import SourceLine
from .amounts import AmountExpression


class JournalPosting(Struct, frozen=True, kw_only=True):
    """`virtual` is ( for postings that need no balance, [ for those that balance among themselves."""

    line: SourceLine
    account: str
    expression: AmountExpression
    virtual: str = ""
    status: str = ""
    comment: str = ""
    file_mark: str | None = None


class JournalEntry(Struct, kw_only=True):
    line: SourceLine
    on: date
    second_on: date | None
    status: str
    code: str
    description: str
    comments: list[str]
    postings: list[JournalPosting]
    broken: bool = False
