"""Cleans a body, holds it as far as it could be parsed, and collects everything that is wrong with it."""

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
    """A list that remembers the index each item was sent under, for error keys: it may start at 7."""

    def __init__(self, items: Iterable[object], labels: Iterable[str]) -> None:
        super().__init__(items)
        self.labels = list(labels)


TOO_MANY = object()  # stands for a list that is too long; no type accepts it


def clean(body: Mapping[str, object]) -> dict[str, object]:
    return _group(body, _DEPTH_MAX)


def labels(items: Sequence[object]) -> Sequence[str]:
    return items.labels if isinstance(items, Indexed) else [str(index) for index in range(len(items))]


def _value(value: object, depth: int) -> object:
    """Turns empty text into None. Levels deeper than any model are left as they are."""
    if isinstance(value, str):
        return trim(value) or None
    if isinstance(value, dict) and depth:
        return _order(value, depth) if _all_indexes(value) else _group(value, depth)
    if isinstance(value, list) and depth:
        return _list(value, labels(value), depth)
    return value


def _group(group: Mapping[str, object], depth: int) -> dict[str, object]:
    cleaned = {}
    for name, sent in group.items():
        value = trim(sent) or None if isinstance(sent, str) else _value(sent, depth - 1)
        if value is not None:
            cleaned[name] = value
    return cleaned


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
    """A body as far as it could be parsed, and the collector of its problems.

    A field in `failed` is None in `values`: it was sent, but invalid. The groups of a list share the body's `problems`.
    """

    values: V
    problems: list[Problem] = []
    failed: frozenset[str] = frozenset()
    prefix: str = ""
    raw: Mapping[str, object] = {}

    def key(self, name: str) -> str:
        """The field as the caller wrote it: `transactions.0.amount`."""
        return self.prefix + name

    def label(self, name: str) -> str:
        """The field's name in messages."""
        return label(self.key(name))

    def wrong(self, name: str) -> bool:
        """Says whether the field, or the group it is in, was sent but could not be parsed."""
        if not self.failed:
            return False
        parts = self.key(name).split(".")
        return any(".".join(parts[:length]) in self.failed for length in range(1, len(parts) + 1))

    def absent(self, *names: str) -> bool:
        """Says whether none of these was sent. An empty list counts as absent, an invalid value does not."""
        for name in names:
            value = getattr(self.values, name)
            if value or (value is not None and value != []) or self.wrong(name):
                return False
        return True

    def each(self, name: str, groups: Sequence[G] | None) -> "list[Parsed[G]]":
        """The groups of a list, each with the prefix for its error keys."""
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
        """If both are missing, reports both."""
        if self.absent(first, second):
            self._report_missing(first, f" when {self.label(second)} is not present")
            self._report_missing(second, f" when {self.label(first)} is not present")

    def require_together(self, first: str, second: str) -> None:
        """If only one of the two was sent, reports the other."""
        for name, other in ((first, second), (second, first)):
            if self.absent(name) and not self.absent(other):
                self._report_missing(name, f" when {self.label(other)} is present")

    def _report_missing(self, name: str, condition: str) -> None:
        self.report(name, f"The {self.label(name)} field is required{condition}.")

    def finish(self) -> None:
        """Raises if there are any problems; after this, a draft can be built."""
        refuse(self.problems)


def ensure(value: T | None) -> T:
    """A required value; call after `finish`."""
    assert value is not None, "a body without problems has it"
    return value


_LABELS = {"amount_min": "minimum amount", "amount_max": "maximum amount"}
_LABELS |= {"piggy_bank_id": "piggy bank ID", "email": "email address"}


def label(key: str) -> str:
    """A field's name in messages; an indexed field is named by its key."""
    return key if "." in key else _LABELS.get(key) or key.replace("_", " ")


def order_problems(start: date | None, end: date | None, first: str, last: str) -> list[Problem]:
    """Describes what is wrong with two days that must be in order. `first` and `last` are their fields."""
    if start is None or end is None or start <= end:
        return []
    return [
        Problem(first, f"The {label(first)} must be a date on or before {label(last)}."),
        Problem(last, f"The {label(last)} must be a date on or after {label(first)}."),
    ]
