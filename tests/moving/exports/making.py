"""How do tests export? In this process, from the books of one user."""

import io
from pathlib import Path
from typing import Any

from farthing.moving.exports.model import ExportFormat, ExportRequest
from farthing.moving.exports.run import run
from farthing.storage.blobs import Blobs, DiskBlobs
from farthing.storage.unit import Database


def exported(database: Database, user_id: int, word: str, blobs: Blobs | None = None, **filters: Any) -> bytes:
    request = ExportRequest(
        user_id=user_id, format=ExportFormat(word), today="2024-05-15", made_at="2024-05-15T12:00:00+00:00", **filters
    )
    out = io.BytesIO()
    run(database, blobs or DiskBlobs(Path("/nowhere")), request, out, lambda _step: None)
    return out.getvalue()
