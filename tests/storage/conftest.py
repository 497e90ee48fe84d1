"""What tests of the storage share: an event loop of either kind."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import uvloop


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def on_loop(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return lambda begin: request.param(begin())
