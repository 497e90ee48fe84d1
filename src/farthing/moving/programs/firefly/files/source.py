"""Defines what the API's pages and the CSV files share: objects by the API's names, and groups of journals."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct


class SourceItem(Struct, frozen=True, kw_only=True):
    """Holds one object; `row` is its line in a CSV file, or its ordinal in the API's list."""

    id: str
    row: int
    values: Mapping[str, Any]


class JournalItem(Struct, frozen=True, kw_only=True):
    row: int
    values: Mapping[str, Any]


class Group(Struct, frozen=True, kw_only=True):
    """Represents a transaction of Firefly III, which consists of journals."""

    id: str
    title: str | None
    journals: tuple[JournalItem, ...]


class Source(Protocol):
    """`lacks_ids`: journals name their accounts, categories and so on by name only."""

    @property
    def lacks_ids(self) -> bool: ...

    def items(self, name: str, of: str | None = None) -> Iterator[SourceItem]:
        """The objects of a list; `of` is the id of what they belong to."""
        ...

    def groups(self) -> Iterator[Group]:
        """Can be asked several times: it reads the files again."""
        ...

    def content(self, attachment_id: str) -> str | None:
        """The name of the file that holds an attachment's bytes."""
        ...
