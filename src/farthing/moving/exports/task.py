"""What the server tells the process that makes an export."""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from farthing.kernel import config
from farthing.kernel.config import Settings

from .model import ExportRequest


class ExportTask(Struct, frozen=True, kw_only=True):
    """The addresses may hold passwords, so they travel on the standard input, where nobody sees them.

    `revision` is how far the replica has to be.
    """

    request: ExportRequest
    data: str
    database_url: str
    database_prepare: str
    revision: int
    read_url: str | None


def encode(request: ExportRequest, settings: Settings, revision: int) -> bytes:
    task = ExportTask(
        request=request,
        data=str(settings.data),
        database_url=settings.database_url,
        database_prepare=settings.database_prepare,
        revision=revision,
        read_url=settings.read_url,
    )
    return msgspec.json.encode(task)


def load_settings(task: ExportTask) -> Settings:
    """Of the server that has started us, whatever the environment says; one connection is enough."""
    given = {
        "FARTHING_DATA": task.data,
        "FARTHING_DATABASE_URL": task.database_url,
        "FARTHING_DATABASE_PREPARE": task.database_prepare,
        "FARTHING_POSTGRES_CONNECTIONS_MAX": "1",
        "FARTHING_READ_URL": task.read_url or "",
    }
    return config.load(given, dotenv=Path(os.devnull))
