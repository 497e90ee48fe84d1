"""An installation that sends e-mail to a real mail server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import Check, World, running
from .post import PostOffice, open_office


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with open_office() as opened:
        yield opened


@pytest.fixture
def mail_world(new_database_url: str, tmp_path: Path, check_answer: Check, office: PostOffice) -> Iterator[World]:
    mail = {"mail_url": f"smtp+plain://127.0.0.1:{office.port}", "mail_from": "farthing@example.org"}
    yield from running(new_database_url, tmp_path, check_answer, base_url="http://farthing.example", **mail)
