"""Defines the task that the server hands to the process that makes an export."""

import os
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from farthing.kernel import config
from farthing.kernel.config import Settings

from .model import ExportRequest

# The command line of the process.
WORDS = (sys.executable, "-m", "farthing.moving.exports")
_NEEDED = (
    *("data", "database_url", "read_url", "database_prepare", "storage"),
    *("s3_endpoint", "s3_region", "s3_key", "s3_secret"),
)


class ExportTask(Struct, frozen=True, kw_only=True):
    """Holds a task, which is passed on standard input because `settings` may contain passwords. If a replica is used,
    it must have reached `revision`.
    """

    request: ExportRequest
    settings: dict[str, str]
    revision: int


def encode(request: ExportRequest, settings: Settings, revision: int) -> bytes:
    task = ExportTask(request=request, settings=config.reveal(settings, _NEEDED), revision=revision)
    return msgspec.json.encode(task)


def load_settings(settings: dict[str, str]) -> Settings:
    """Loads the server's settings from a task, ignoring the environment. One database connection is enough."""
    return config.load(settings | {"FARTHING_POSTGRES_CONNECTIONS_MAX": "1"}, dotenv=Path(os.devnull))
