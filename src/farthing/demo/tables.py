"""Reads the tables of the story from CSV files, one row per record. An empty cell means the field's default."""

import csv
from importlib import resources
from typing import TypeVar

from msgspec import convert

T = TypeVar("T")

_LISTS = {"weekdays": " ", "months": " ", "tags": "; "}
_FLAGS = {"yes": True, "no": False}


def read(name: str, record: type[T]) -> tuple[T, ...]:
    text = resources.files(__package__).joinpath(f"data/{name}.csv").read_text("utf-8")
    return tuple(convert(_fields(row), record, strict=False) for row in csv.DictReader(text.splitlines()))


def _fields(row: dict[str, str]) -> dict[str, object]:
    """Converts the cells of a row. Splits cells with several values, and skips empty cells."""
    return {
        column: cell.split(_LISTS[column]) if column in _LISTS else _FLAGS.get(cell, cell)
        for column, cell in row.items()
        if cell
    }
