"""The people that these tests are about."""

import pytest

from ..conftest import Client, World
from ..users.people import a_plain_user, an_owner


@pytest.fixture
def owner(world: World) -> Client:
    return an_owner(world)


@pytest.fixture
def plain(world: World) -> Client:
    return a_plain_user(world)
