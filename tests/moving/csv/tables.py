"""Reads small tables in tests."""

from io import BytesIO
from typing import Any

from farthing.moving.findings import Finding
from farthing.moving.formats.csv.detect import Detection, detect
from farthing.moving.formats.csv.layout import CsvLayout
from farthing.moving.formats.csv.read import read
from farthing.moving.statements import StatementRow


def detected(text: str | bytes, mapping: object = None) -> Detection:
    return detect(BytesIO(text.encode() if isinstance(text, str) else text), mapping)


def parts_of(text: str | bytes, layout: CsvLayout | None = None) -> list[Any]:
    content = text.encode() if isinstance(text, str) else text
    return list(read(BytesIO(content), layout or detected(content).layout))


def rows_of(text: str | bytes, layout: CsvLayout | None = None) -> list[StatementRow]:
    return [part for part in parts_of(text, layout) if isinstance(part, StatementRow)]


def findings_of(text: str | bytes, layout: CsvLayout | None = None) -> list[Finding]:
    return [part for part in parts_of(text, layout) if isinstance(part, Finding)]
