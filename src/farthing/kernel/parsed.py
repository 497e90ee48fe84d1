"""Cleans a request body, holds its parsed fields, and collects the problems found in it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Generic, TypeVar

from msgspec import Struct

from .errors import Problem, refuse
from .text import trim

ITEMS_MAX = 10_000
_DEPTH_MAX = 32
_INDEX = re.compile("[0-9]{1,9}")


class Indexed(list[object]):
    """Remembers the index under which each item of a list was sent, for error keys. Indexes need not start at 0."""

    def __init__(self, items: Iterable[object], labels: Iterable[str]) -> None:
        super().__init__(items)
        self.labels = list(labels)


class Group(dict[str, object]):
    """Holds the fields of an object, and the names of those that were sent empty."""

    def __init__(self, fields: Mapping[str, object], emptied: Iterable[str]) -> None:
        super().__init__(fields)
        self.emptied = frozenset(emptied)


TOO_MANY = object()  # replaces a list that is too long; no field type accepts it


def clean(body: Mapping[str, object]) -> dict[str, object]:
    return _group(body, _DEPTH_MAX)


def labels(items: Sequence[object]) -> Sequence[str]:
    return items.labels if isinstance(items, Indexed) else [str(index) for index in range(len(items))]


def _value(value: object, depth: int) -> object:
    """Trims text, and turns empty text into None. Lists and objects nested deeper than any model stay unchanged."""
    if isinstance(value, str):
        return trim(value) or None
    if isinstance(value, dict) and depth:
        return _order(value, depth) if _all_indexes(value) else _group(value, depth)
    if isinstance(value, list) and depth:
        return _list(value, labels(value), depth)
    return value


def _group(group: Mapping[str, object], depth: int) -> dict[str, object]:
    cleaned = {}
    emptied = []
    for name, sent in group.items():
        value = trim(sent) or None if isinstance(sent, str) else _value(sent, depth - 1)
        if value is not None:
            cleaned[name] = value
        else:
            emptied.append(name)
    return Group(cleaned, emptied) if emptied else cleaned


def _list(items: Sequence[object], under: Sequence[str], depth: int) -> object:
    if len(items) > ITEMS_MAX:
        return TOO_MANY
    values: list[object] = []
    cleaned_labels: list[str] = []
    for item, label in zip(items, under, strict=True):
        value = _value(item, depth - 1)
        if value is not None:
            values.append(value)
            cleaned_labels.append(label)
    return Indexed(values, cleaned_labels)


def _all_indexes(group: Mapping[str, object]) -> bool:
    for name in group:
        if not _INDEX.fullmatch(name):
            return False
    return bool(group)


def _order(group: Mapping[str, object], depth: int) -> object:
    under = sorted(group, key=int)
    return _list([group[label] for label in under], under, depth)


V = TypeVar("V", covariant=True)
G = TypeVar("G")
T = TypeVar("T")


class Parsed(Struct, Generic[V], frozen=True):
    """Holds the parsed fields of a body, and collects its problems.

    Fields in `failed` were sent with an invalid value, and are None in `values`. The objects in a list share the
    `problems` of the whole body.
    """

    values: V
    problems: list[Problem] = []
    failed: frozenset[str] = frozenset()
    prefix: str = ""
    raw: Mapping[str, object] = {}

    @property
    def emptied(self) -> frozenset[str]:
        """Returns the names of fields sent as null or as an empty text. In `values`, they look like omitted fields."""
        return self.raw.emptied if isinstance(self.raw, Group) else frozenset()

    def key(self, name: str) -> str:
        """Returns the full name of the field as the caller wrote it, such as `transactions.0.amount`."""
        return self.prefix + name

    def label(self, name: str) -> str:
        """Returns the field's name for messages."""
        return label(self.key(name))

    def wrong(self, name: str) -> bool:
        """Returns whether the field, or the object that contains it, was sent but could not be parsed."""
        if not self.failed:
            return False
        parts = self.key(name).split(".")
        return any(".".join(parts[:length]) in self.failed for length in range(1, len(parts) + 1))

    def absent(self, *names: str) -> bool:
        """Returns whether none of the fields was sent.

        An empty list is treated as not sent, but an invalid value as sent.
        """
        for name in names:
            value = getattr(self.values, name)
            if value or (value is not None and value != []) or self.wrong(name):
                return False
        return True

    def each(self, name: str, groups: Sequence[G] | None) -> "list[Parsed[G]]":
        """Returns the objects in a list, each with the prefix for its error keys."""
        items = self.raw.get(name)
        sent = items if isinstance(items, list) else []
        return [
            Parsed(
                values=group,
                problems=self.problems,
                failed=self.failed,
                prefix=f"{self.key(name)}.{index}.",
                raw=item if isinstance(item, dict) else {},
            )
            for group, item, index in zip(groups or (), sent, labels(sent), strict=True)
        ]

    def report(self, name: str, sentence: str) -> None:
        self.problems.append(Problem(self.key(name), sentence))

    def report_all(self, problems: Iterable[Problem]) -> None:
        self.problems.extend(problems)

    def require(self, *names: str) -> None:
        for name in names:
            if self.absent(name):
                self._report_missing(name, "")

    def require_when(self, names: Iterable[str], other: str, value: str) -> None:
        if getattr(self.values, other) != value:
            return
        for name in names:
            if self.absent(name):
                self._report_missing(name, f" when {self.label(other)} is {value}")

    def require_either(self, first: str, second: str) -> None:
        """Reports both fields if both are missing."""
        if self.absent(first, second):
            self._report_missing(first, f" when {self.label(second)} is not present")
            self._report_missing(second, f" when {self.label(first)} is not present")

    def require_together(self, first: str, second: str) -> None:
        """Reports the missing field if only one of the two was sent."""
        for name, other in ((first, second), (second, first)):
            if self.absent(name) and not self.absent(other):
                self._report_missing(name, f" when {self.label(other)} is present")

    def _report_missing(self, name: str, condition: str) -> None:
        self.report(name, f"The {self.label(name)} field is required{condition}.")

    def finish(self) -> None:
        """Raises if any problems were reported. Otherwise, all required values are valid and a draft can be built."""
        refuse(self.problems)


def ensure(value: T | None) -> T:
    """Returns a required value. Call it only after `finish`, which raises if a required value is missing."""
    assert value is not None, "a body without problems has all required values"
    return value


_LABELS = {"amount_min": "minimum amount", "amount_max": "maximum amount"}
_LABELS |= {"piggy_bank_id": "piggy bank ID", "email": "email address"}


def label(key: str) -> str:
    """Returns a field's name for messages. A field of a list item keeps its key, such as `transactions.0.amount`."""
    return key if "." in key else _LABELS.get(key) or key.replace("_", " ")


def order_problems(start: date | None, end: date | None, first: str, last: str) -> list[Problem]:
    """Reports two days that are in the wrong order. `first` and `last` are the names of their fields."""
    if start is None or end is None or start <= end:
        return []
    return [
        Problem(first, f"The {label(first)} must be a date on or before {label(last)}."),
        Problem(last, f"The {label(last)} must be a date on or after {label(first)}."),
    ]
