"""Nests the flat names of a form: `repetitions[0][type]` becomes a list of groups that keep their indexes."""

import re
from collections.abc import Iterable
from typing import NoReturn

from farthing.kernel.cleaned import Indexed
from farthing.kernel.errors import refuse_field

DEPTH_MAX = 10
INDEX_DIGITS_MAX = 9
_NAME_SHOWN_MAX = 100
_BRACKETED = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])+)")


class _Group:
    """The fields under one name, before it is known whether they are a list or an object."""

    __slots__ = ("children", "next_index")

    def __init__(self) -> None:
        self.children: dict[str, _Group | str] = {}
        self.next_index = 0

    def label(self, step: str) -> str:
        """The step as sent; an empty one, `a[]`, comes after all indexes so far."""
        label = step or str(self.next_index)
        if _is_index(label):
            self.next_index = max(self.next_index, int(label) + 1)
        return label


def nest(pairs: Iterable[tuple[str, str]]) -> dict[str, object]:
    """The last of two equal names wins; a name that is a value here and a group there is refused."""
    root = _Group()
    for name, value in pairs:
        _put(root, _path(name), value)
    return {name: _shaped(child) for name, child in root.children.items()}


def _path(name: str) -> list[str]:
    """Brackets that do not close are part of a plain name."""
    found = _BRACKETED.fullmatch(name) if "[" in name else None
    if found is None:
        return [name]
    head, brackets = found.groups()
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


def _shaped(child: _Group | str) -> object:
    if isinstance(child, str):
        return child
    shaped = {label: _shaped(inner) for label, inner in child.children.items()}
    if not all(_is_index(label) for label in shaped):
        return shaped
    labels = sorted(shaped, key=int)
    return Indexed([shaped[label] for label in labels], labels)


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdecimal()


def _refuse_conflict(path: list[str]) -> NoReturn:
    _refuse(".".join(path), "is given both as a value and as a group of fields: send one of the two.")


def _refuse(name: str, what: str) -> NoReturn:
    shown = name[:_NAME_SHOWN_MAX]
    refuse_field(shown, f"The {shown} {what}")
