"""A disk that is gone and a process without memory: put off without a traceback, and well again afterwards."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from farthing.app import build
from farthing.care.doctor import examine

from ..client import AppClient
from ..conftest import MovingClock, migrated, settings_for
from .disk import Disk, disk_beneath_sqlite
from .test_at_once import a_person

PIECES = 30  # more than a small write reads and writes


@contextmanager
def on_a_disk(folder: Path) -> Iterator[tuple[Disk, AppClient]]:
    url = f"sqlite:///{folder / 'farthing.sqlite3'}"
    with disk_beneath_sqlite() as disk:
        with migrated(url, folder) as database:
            token = a_person(database, "ann@farthing.example").tokens[0]
        app = build(settings_for(url, folder), MovingClock().clock())
        with AppClient(app) as http:
            http.headers["Authorization"] = f"Bearer {token}"
            yield disk, http
        with migrated(url, folder) as database:
            assert list(examine(database)) == []


def fault(name: str) -> apsw.Error:
    """As SQLite itself says it."""
    error: apsw.Error = apsw.exception_for(getattr(apsw, name))
    return error


@pytest.mark.parametrize("name", ["SQLITE_IOERR", "SQLITE_NOMEM", "SQLITE_CANTOPEN", "SQLITE_IOERR_NOMEM"])
def test_whenever_the_disk_or_the_memory_fails_requests_are_put_off_and_nothing_is_half_done(tmp_path, name, caplog):
    stored, put_off = [], 0
    with on_a_disk(tmp_path) as (disk, http), caplog.at_level(logging.ERROR):
        for number in range(PIECES):
            disk.fail(fault(name), after=number)
            made = http.post("/api/v1/categories", json={"name": f"during {number}"})
            read = http.get("/api/v1/categories")
            disk.heal()
            for answer in (made, read):
                assert answer.status_code == 200 or int(answer.headers["retry-after"]) > 0, answer.text
                assert answer.status_code in (200, 503)
                put_off += answer.status_code == 503
            stored += [f"during {number}"] if made.status_code == 200 else []

            assert http.post("/api/v1/categories", json={"name": f"after {number}"}).status_code == 200
            stored.append(f"after {number}")
        found = http.get("/api/v1/categories", params={"limit": 1000}).json()["data"]

    assert put_off > 5
    assert sorted(one["attributes"]["name"] for one in found) == sorted(stored)
    assert "Traceback" not in caplog.text
