"""Reads the story's tables: one CSV row per record; an empty cell means the field's default."""

import csv
from importlib import resources
from typing import TypeVar

from msgspec import convert

T = TypeVar("T")

_LISTS = {"days": " ", "months": " ", "tags": "; "}


def read(name: str, record: type[T]) -> tuple[T, ...]:
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    return tuple(convert(_fields(row), record, strict=False) for row in csv.DictReader(text.splitlines()))


def _fields(row: dict[str, str]) -> dict[str, object]:
    """Cells that hold several values are split."""
    return {
        column: cell.split(_LISTS[column]) if column in _LISTS else cell == "yes" or cell
        for column, cell in row.items()
        if cell
    }
