"""Tests of signing in fail to on purpose, and all from one address: nobody has tried anything before."""

import pytest

from ..conftest import World


@pytest.fixture
def world(world: World) -> World:
    with world.books.writing() as db:
        db.run("DELETE FROM sign_in_attempts")
    return world
