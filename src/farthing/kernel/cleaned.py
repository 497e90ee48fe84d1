"""Cleans a body: trims text, drops empty values, and remembers the index of each list item."""

import re
from collections.abc import Iterable, Mapping, Sequence

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
