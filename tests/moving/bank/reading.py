"""Reads bank files from text or bytes, for tests."""

import io
from types import ModuleType
from typing import Any

from farthing.moving.findings import Finding
from farthing.moving.formats.statement_check import check
from farthing.moving.statements import StatementPart, StatementRow


def read(reader: ModuleType, content: str | bytes, **options: Any) -> list[StatementPart]:
    data = content.encode() if isinstance(content, str) else content
    return list(check(reader.read(io.BytesIO(data), **options)))


def rows_of(parts: list[StatementPart]) -> list[StatementRow]:
    return [part for part in parts if isinstance(part, StatementRow)]


def only_row(reader: ModuleType, content: str | bytes, **options: Any) -> StatementRow:
    (row,) = rows_of(read(reader, content, **options))
    return row


def findings_of(parts: list[StatementPart]) -> list[Finding]:
    return [part for part in parts if isinstance(part, Finding)]


def messages_of(parts: list[StatementPart]) -> str:
    return "\n".join(finding.message for finding in findings_of(parts))
