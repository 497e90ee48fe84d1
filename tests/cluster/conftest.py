"""One cluster for all tests of this folder: it takes a minute to start."""

import os
from collections.abc import Callable, Iterator

import pytest

from .cluster import Cluster, running_cluster

FULL = os.environ.get("FARTHING_CLUSTER") == "full"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as started:
        yield started


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Shown while the tests run: the figures are for docs/operate/cluster.md."""

    def say(words: str) -> None:
        with capsys.disabled():
            print(f"\n{request.node.name}: {words}", flush=True)  # noqa: T201

    return say
