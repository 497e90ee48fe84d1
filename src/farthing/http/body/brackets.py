"""Turns the flat field names of a form into nested fields.

For example, `repetitions[0][type]` becomes a list `repetitions` of groups, each of which keeps its index.
"""

import re
from collections.abc import Iterable
from typing import NoReturn

from farthing.kernel.errors import refuse_field
from farthing.kernel.parsed import Indexed

DEPTH_MAX = 10
INDEX_DIGITS_MAX = 9
_NAME_CHARACTERS_MAX = 100
_BRACKETED = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])+)")


class _Group:
    """Holds the fields under one name, until it is known whether they form a list or an object."""

    __slots__ = ("children", "next_index")

    def __init__(self) -> None:
        self.children: dict[str, _Group | str] = {}
        self.next_index = 0

    def label(self, step: str) -> str:
        """Returns one step of a field name, as it was sent. An empty step, as in `a[]`, becomes the next free index."""
        label = step or str(self.next_index)
        if _is_index(label):
            self.next_index = max(self.next_index, int(label) + 1)
        return label


def nest(pairs: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Nests the fields. If a name occurs twice, its last value is used. A name cannot be both a value and a group."""
    root = _Group()
    for name, value in pairs:
        _put(root, _path(name), value)
    return {name: _build(child) for name, child in root.children.items()}


def _path(name: str) -> list[str]:
    """Splits a field name into its steps. A name with unclosed brackets is not split."""
    match = _BRACKETED.fullmatch(name) if "[" in name else None
    if match is None:
        return [name]
    head, brackets = match.groups()
    steps = brackets[1:-1].split("][")
    if len(steps) > DEPTH_MAX:
        _refuse(head, f"may be nested at most {DEPTH_MAX} levels deep.")
    if any(_is_index(step) and len(step) > INDEX_DIGITS_MAX for step in steps):
        _refuse(head, f"has an index of more than {INDEX_DIGITS_MAX} digits.")
    return [head, *steps]


def _put(root: _Group, path: list[str], value: str) -> None:
    head, *steps = path
    group, label = root, head
    for depth, step in enumerate(steps, start=1):
        inner = group.children.setdefault(label, _Group())
        if isinstance(inner, str):
            _refuse_conflict(path[:depth])
        group, label = inner, inner.label(step)
    if isinstance(group.children.get(label), _Group):
        _refuse_conflict(path)
    group.children[label] = value


def _build(child: _Group | str) -> object:
    if isinstance(child, str):
        return child
    fields = {label: _build(inner) for label, inner in child.children.items()}
    if not all(_is_index(label) for label in fields):
        return fields
    labels = sorted(fields, key=int)
    return Indexed([fields[label] for label in labels], labels)


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdecimal()


def _refuse_conflict(path: list[str]) -> NoReturn:
    _refuse(".".join(path), "is sent both as a value and as a group of fields: send one of the two.")


def _refuse(name: str, what: str) -> NoReturn:
    field = name[:_NAME_CHARACTERS_MAX]
    refuse_field(field, f"The {field} {what}")
