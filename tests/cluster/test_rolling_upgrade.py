"""Servers are replaced one by one by newer ones, which change the schema, while everybody writes: nobody notices."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..proof.clients import Person
from .cluster import SERVERS, Cluster
from .load import Load

ROOT = Path(__file__).parents[2]
# The last one before servers could be upgraded one by one.
OLD = "ed5d08d"
PLANTED = """
CREATE TABLE planted (id {id}, user_id {int} NOT NULL, note {text} NOT NULL) {strict};
ALTER TABLE tags ADD COLUMN planted {text} NOT NULL DEFAULT '';
CREATE INDEX tags_by_planted ON tags (user_id, planted);
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    packed = subprocess.run(["git", "archive", OLD, "src"], cwd=ROOT, capture_output=True, check=False)
    assert packed.returncode == 0, f"the history is needed for this: {packed.stderr.decode()}"
    subprocess.run(["tar", "x", "-C", str(tmp_path)], input=packed.stdout, check=True)
    return tmp_path / "src"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """Today's sources, and one more migration."""
    shutil.copytree(ROOT / "src", tmp_path / "new")
    (tmp_path / "new" / "farthing" / "storage" / "migrations" / "9990_planted.sql").write_text(PLANTED)
    return tmp_path / "new"


def people_of_then(cluster: Cluster, old: Path) -> list[Person]:
    """By the commands of that time: today's would need today's schema."""
    environment = {**os.environ, **cluster.server_settings, "PYTHONPATH": str(old)}

    def says(*words: str) -> str:
        command = [sys.executable, "-m", "farthing", *words]
        done = subprocess.run(command, env=environment, input="at least so long\n", capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    emails = [f"p{number}@farthing.example" for number in range(4)]
    for email in emails:
        says("user", "create", email, "--password-stdin")
    return [Person(number, [says("token", "create", email)]) for number, email in enumerate(emails)]


def test_servers_are_upgraded_one_by_one_without_a_failed_request(cluster, old, new, tell):
    cluster.begin_again(old)
    with Load(cluster, scribes=0, diarists=0, people=people_of_then(cluster, old)) as load:
        for number in SERVERS:
            cluster.drain(number)
            assert cluster.servers[number - 1].stop() == 0
            cluster.start_server(number, new)
            cluster.undrain(number)
            load.wait_for_writes(40)

    tell(load.told())
    assert list((cluster.data / "backups").glob("before-*.zip")), "a backup is made first"
    assert set(load.answers.counts) == {"2xx"}, load.answers.counts
