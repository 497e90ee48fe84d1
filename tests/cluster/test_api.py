"""The tests of the API, all that ask the shared app, once through proxy, servers, pooler and PostgreSQL."""

import os
import signal
import subprocess
import sys

import msgspec

from ..through import VARIABLE, Through
from .left_out import LEFT_OUT


def test_the_api_answers_through_the_cluster_as_it_does_in_one_process(cluster, tell):
    through = Through(
        port=cluster.port,
        database_url=cluster.database_url,
        data=str(cluster.data),
        clock=str(cluster.clock),
        settings={
            "database_prepare": "off",
            "base_url": cluster.server_settings["FARTHING_BASE_URL"],
            "trusted_proxies": cluster.server_settings["FARTHING_TRUSTED_PROXIES"],
            **cluster.storage,
        },
        left_out=LEFT_OUT,
    )
    log = cluster.folder / "api.log"
    environment = {name: text for name, text in os.environ.items() if name != "FARTHING_CLUSTER"}
    words = [sys.executable, "-m", "pytest", "-n0", "-q", "--tb=short", "-rf", "tests"]
    jobs = cluster.job_pids()
    for pid in jobs:  # these tests decide themselves when jobs are done
        os.kill(pid, signal.SIGSTOP)
    try:
        environment["PYTHONUNBUFFERED"] = "1"
        environment[VARIABLE] = msgspec.json.encode(through).decode()
        with log.open("w") as output:
            done = subprocess.run(words, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False)
    finally:
        for pid in jobs:
            os.kill(pid, signal.SIGCONT)

    lines = log.read_text().splitlines()
    tell("\n".join(line for line in lines if line.startswith(("through", "left out"))))
    assert done.returncode == 0, "\n".join(lines[-200:])
