"""Both storages, the folder and S3, and a way to look into each of them past Farthing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import obstore
import pytest

from farthing.kernel.config import Settings

from ..answers import Check
from ..conftest import World, running
from ..s3 import S3Server


class Cellar:
    """What lies where contents are stored, by its path or key."""

    def __init__(self, settings: Settings, server: S3Server | None) -> None:
        self._folder = settings.contents_folder
        self._store = None if self._folder else server.store(settings.storage)

    def names(self) -> list[str]:
        """In S3 a content has no folder for the first letters of its name."""
        if self._folder:
            return sorted(str(path.relative_to(self._folder)) for path in self._folder.rglob("*") if path.is_file())
        return sorted(one["path"] for page in obstore.list(self._store) for one in page)

    def write(self, name: str, content: bytes) -> None:
        if self._folder:
            (self._folder / name).write_bytes(content)
        else:
            obstore.put(self._store, name, content)

    def remove(self, name: str) -> None:
        if self._folder:
            (self._folder / name).unlink()
        else:
            obstore.delete(self._store, name)


@pytest.fixture(params=["disk", "bucket"])
def storage(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The settings that say where contents are stored."""
    if request.param == "disk":
        return {}
    server: S3Server = request.getfixturevalue("s3_server")
    return server.settings()


@pytest.fixture
def stored_world(
    new_database_url: str, tmp_path: Path, check_answer: Check, storage: dict[str, Any]
) -> Iterator[World]:
    """As `new_world`, with either storage."""
    yield from running(new_database_url, tmp_path, check_answer, **storage)


def open_cellar(settings: Settings, request: pytest.FixtureRequest) -> Cellar:
    return Cellar(settings, None if settings.contents_folder else request.getfixturevalue("s3_server"))
