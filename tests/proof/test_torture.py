"""Writers on every resource, a server killed at random: nothing acknowledged is lost, and nothing is half there."""

import os
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from farthing.api.v1.routes import ROUTES
from farthing.care.doctor import Contents, examine
from farthing.http.route import Route
from farthing.storage import blobs
from farthing.storage.unit import Database

from ..conftest import migrated, settings_for
from ..length import databases
from .clients import PATIENCE_SECONDS
from .scribe import Scribe
from .test_at_once import a_person
from .test_killed import until
from .victim import WAYS, Victim

WHOLE = os.environ.get("FARTHING_PROOF") == "torture"
KILLS = 210 if WHOLE else 2
SEED = int(os.environ.get("FARTHING_SEED", "1"))
SCRIBES = 4 if WHOLE else 3
# Single days are tried where it is proved that each fires once; a preview writes nothing; and whoever writes here comes
# with a token, and neither signs in nor founds anything.
ELSEWHERE = {"recurrences.preview", "recurrences.preview_change", "recurrences.change_occurrence"}
ELSEWHERE |= {"recurrences.restore_occurrence", "first_run.create", "tokens.create", "tokens.revoke"}
ELSEWHERE |= {"users.change_quotas"}  # no change of the books
ELSEWHERE |= {route.name for route in ROUTES if route.name.startswith(("sessions.", "members."))}
_AT_WORK = """
SELECT COUNT(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'
"""
REPLAYS = 5  # after each kill, of each writer; at the end it is all of them


@pytest.mark.long
@pytest.mark.parametrize("dialect", databases(short="sqlite"), indirect=True)
def test_what_was_acknowledged_survives_every_kill_on_every_resource(tmp_path, new_database_url, dialect, capsys):
    print(f"the seed is {SEED}: FARTHING_SEED={SEED}")  # noqa: T201 -- shown when it fails
    with migrated(new_database_url, tmp_path / "data") as database:
        scribes = [
            Scribe(f"w{one}", a_person(database, f"ann{one}@farthing.example").tokens[0], SEED, is_owner=one == 0)
            for one in range(SCRIBES)
        ]
        torture = Torture(Victim(tmp_path, new_database_url), scribes, database, tmp_path / "data")
        try:
            for number in range(KILLS):
                way = torture.round(random.Random(f"{SEED} {number}"))
                if WHOLE:
                    with capsys.disabled():
                        print(f"{dialect}: kill {number + 1} of {KILLS}, {way}; {torture.told()}", flush=True)  # noqa: T201
            torture.end()
        finally:
            torture.victim.abandon()
    assert torture.victim.doctor().startswith("No problems")
    with capsys.disabled():
        print(f"\n{dialect}: {KILLS} kills, seed {SEED}: {torture.told()}")  # noqa: T201
    assert torture.counts["refused"] < 0.2 * torture.counts["acknowledged"]
    assert torture.counts["put off"] == 0
    assert not WHOLE or torture.untried() == set()


class Torture:
    def __init__(self, victim: Victim, scribes: Sequence[Scribe], database: Database, data: Path) -> None:
        self.victim, self._scribes, self._database = victim, scribes, database
        self._blobs = blobs.connect(settings_for("", data))
        self._ways: Counter[str] = Counter()
        victim.start()
        for scribe in scribes:
            scribe.begin(victim.port)

    def round(self, chance: random.Random) -> str:
        """Everyone writes; something is killed; everyone looks whether all is there."""
        way = chance.choice(WAYS)
        self._ways[way] += 1
        stopped = threading.Event()
        with ThreadPoolExecutor(SCRIBES) as pool:
            writing = [pool.submit(scribe.write_until, self.victim.port, stopped) for scribe in self._scribes]
            try:
                time.sleep(chance.uniform(0.05, 1.0))
                self.victim.kill(way, chance)
            finally:
                stopped.set()
            for one in writing:
                one.result(timeout=PATIENCE_SECONDS)
        self.victim.start()
        until(self._is_quiet, "what the dead had begun does not end")
        self._examine(lambda scribe: scribe.replay(self.victim.port, REPLAYS))
        return way

    def _is_quiet(self) -> bool:
        """PostgreSQL may still be at what somebody told it before they were killed: only then it is done or not."""
        if self._database.dialect == "sqlite":
            return True
        with self._database.reading() as db:
            return db.value(_AT_WORK) == 0

    def end(self) -> None:
        self._examine(lambda scribe: scribe.replay(self.victim.port))
        for scribe in self._scribes:
            scribe.read_files(self.victim.port, every=True)
        self.victim.stop()

    def _examine(self, replay: Callable[[Scribe], None]) -> None:
        with ThreadPoolExecutor(SCRIBES) as pool:
            for one in [pool.submit(self._settle, scribe, replay) for scribe in self._scribes]:
                one.result(timeout=PATIENCE_SECONDS)
        assert list(examine(self._database, attached=Contents(self._blobs, time.time()))) == []

    def _settle(self, scribe: Scribe, replay: Callable[[Scribe], None]) -> None:
        scribe.settle(self.victim.port)
        replay(scribe)
        scribe.read_files(self.victim.port)

    @property
    def counts(self) -> Counter[str]:
        return sum((scribe.counts for scribe in self._scribes), Counter())

    def told(self) -> str:
        counts = self.counts
        ways = ", ".join(f"{way} {count}" for way, count in sorted(self._ways.items()))
        return (
            f"{counts['acknowledged']} writes acknowledged, {counts['refused']} refused, {counts['cut off']} cut off "
            f"({counts['cut off, found done']} found done, {counts['cut off, found not done']} not), "
            f"{counts['replays']} keys replayed, "
            f"{counts['files']} files read ({counts['bytes of files'] / 1e6:.0f} MB), "
            f"{counts['pictures']} times everything compared; {ways}"
        )

    def untried(self) -> set[str]:
        """The routes that write, but for which nobody wrote."""
        done = {one for scribe in self._scribes for one in scribe.did}
        return {
            route.name
            for route in ROUTES
            if route.method != "GET" and route.name not in ELSEWHERE and not any(_is_of(route, *one) for one in done)
        }


def _is_of(route: Route, method: str, path: str) -> bool:
    return route.method == method and bool(re.fullmatch(re.sub(r"{\w+}", "[^/]+", route.path), path))
