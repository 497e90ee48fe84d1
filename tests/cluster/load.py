"""Writers that go on whatever happens: some send keys, some do not; each knows what was acknowledged."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

from farthing.care.doctor import examine
from farthing.storage.drivers import open as database

from ..builders import AT
from ..conftest import settings_for
from ..proof.clients import Person, first_accounts
from ..proof.diary import SHOPS, Diary, by_word
from ..proof.requests import Request
from ..proof.scribe import Answer, Broken, Scribe, assert_put_off
from ..proof.test_at_once import a_person
from .cluster import Cluster

_PAUSE_S = 0.1
_RECOVERS_S = 180.0


@dataclass
class Answers:
    """How all requests of all writers ended, and when."""

    counts: Counter[str] = field(default_factory=Counter)
    written_at: list[float] = field(default_factory=list)
    slowest_s: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, outcome: str, began: float, *, is_write: bool) -> None:
        now = time.monotonic()
        with self._lock:
            self.counts[outcome] += 1
            self.slowest_s = max(self.slowest_s, now - began)
            if is_write and outcome == "2xx":
                self.written_at.append(now)

    def longest_gap_s(self) -> float:
        """How long nobody could write."""
        moments = sorted(self.written_at)
        return max((later - earlier for earlier, later in pairwise(moments)), default=0.0)

    @property
    def asked(self) -> int:
        return sum(self.counts.values())


def outcome_of(answer: Answer) -> str:
    if answer.status == 503:
        assert_put_off(answer)
        return "503"
    assert answer.status < 500, answer
    return f"{answer.status // 100}xx"


class SteadyScribe(Scribe):
    """Every POST has a key; what was cut off is looked for, and sent again."""

    def __init__(self, name: str, token: str, seed: int, answers: Answers) -> None:
        super().__init__(name, token, seed, is_owner=False)
        self._answers = answers

    def work(self, port: int, stopped: threading.Event) -> None:
        while not stopped.is_set():
            self.write_until(port, stopped)
            if not stopped.is_set():
                self.recover(port)

    def recover(self, port: int) -> None:
        deadline = time.monotonic() + _RECOVERS_S
        while True:
            try:
                return self.settle(port)
            except Broken:
                assert time.monotonic() < deadline, f"{self.name} was put off for {_RECOVERS_S} s"
                time.sleep(_PAUSE_S)

    def _exchanged(self, port: int, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        began, is_write = time.monotonic(), method != "GET"
        try:
            answer = super()._exchanged(port, method, path, body, headers)
        except Broken:
            self._answers.note("broken connection", began, is_write=is_write)
            raise
        self._answers.note(outcome_of(answer), began, is_write=is_write)
        return answer


class Diarist:
    """Sends no keys, and nothing twice: what was not acknowledged may be there or not, but not half or twice."""

    def __init__(self, person: Person, name: str, seed: int, answers: Answers) -> None:
        self._person, self._answers = person, answers
        self._name, self._chance = name, random.Random(f"{seed} {name}")
        self._diary: Diary | None = None

    def begin(self, port: int) -> None:
        first_accounts(port, self._person)
        for shop in SHOPS:
            body = {"type": "expense", "name": shop, "currency_code": "EUR", "active": 1, "include_net_worth": 1}
            self._person.ask(port, 0, Request("open account", "POST", "/accounts", body=body))
        self._diary = Diary(self._name, min(self._person.made.accounts))

    def work(self, port: int, stopped: threading.Event) -> None:
        assert self._diary
        while not stopped.is_set():
            word, request, version = self._diary.request(self._chance)
            self._diary.sent(word, version)
            with suppress(*Broken):
                answer = self._ask(port, request)
                assert answer.is_done or answer.status == 503, (request, answer)
                if answer.is_done:
                    self._diary.is_acknowledged(word, version)
                else:
                    time.sleep(_PAUSE_S)

    def _ask(self, port: int, request: Request) -> Answer:
        began, is_write = time.monotonic(), request.method != "GET"
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        headers = {"Authorization": f"Bearer {self._person.tokens[0]}", "Connection": "close"}
        body = json.dumps(request.body) if request.body is not None else None
        try:
            line.request(request.method, request.address, body, {**headers, "Content-Type": "application/json"})
            response = line.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            answer = Answer(response.status, named, response.read())
        except Broken:
            self._answers.note("broken connection", began, is_write=is_write)
            raise
        finally:
            line.close()
        self._answers.note(outcome_of(answer), began, is_write=is_write)
        return answer

    def compare(self, port: int) -> int:
        """Everything that is there; how many writes were acknowledged so far."""
        assert self._diary
        found = by_word(self._all(port, "/transactions", "default"))
        assert set(found) <= set(self._diary.possible)
        payees = {thing["attributes"]["name"] for thing in self._all(port, "/accounts", "expense")}
        self._diary.compare(found, payees)
        spent = sum((thing["attributes"]["amount"] for of in found.values() for thing in of), Decimal())
        answer = self._ask(port, Request("", "GET", f"/accounts/{self._diary.account_id}", {"date": "2024-12-31"}))
        assert Decimal(answer.document["data"]["attributes"]["current_balance"]) == spent
        return self._diary.acknowledged

    def _all(self, port: int, path: str, word: str) -> Sequence[Any]:
        things: list[Any] = []
        for page in range(1, 100):
            answer = self._ask(port, Request("", "GET", path, {"type": word, "limit": "1000", "page": str(page)}))
            assert answer.status == 200, answer
            things += answer.document["data"]
            if page >= answer.document["meta"]["pagination"]["total_pages"]:
                break
        return things


class Load:
    """Everybody writes from the start to the end of a `with`; then everything is read back and compared."""

    def __init__(
        self, cluster: Cluster, *, scribes: int = 3, diarists: int = 2, seed: int = 1, people: Sequence[Person] = ()
    ) -> None:
        """`people` are there already: each keeps a diary."""
        self._cluster, self.answers, self.acknowledged = cluster, Answers(), 0
        self._settings = settings_for(cluster.database_url, cluster.data, database_prepare="off", **cluster.storage)
        name = time.monotonic_ns()
        with closing(database.connect(self._settings)) as books:
            made = [a_person(books, f"w{name}n{one}@farthing.example") for one in range(scribes + diarists)]
        keyed, plain = made[:scribes], [*made[scribes:], *people]
        self.scribes = [SteadyScribe(f"s{n}", one.tokens[0], seed, self.answers) for n, one in enumerate(keyed)]
        self.diarists = [Diarist(one, f"d{n}", seed, self.answers) for n, one in enumerate(plain)]
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(len(keyed) + len(plain) + 1)
        self._working: list[Future[None]] = []

    def __enter__(self) -> "Load":
        port = self._cluster.port
        for one in (*self.scribes, *self.diarists):
            one.begin(port)
        self._working = [self._pool.submit(one.work, port, self._stopped) for one in (*self.scribes, *self.diarists)]
        self._working.append(self._pool.submit(self._let_time_pass))
        self.wait_for_writes(10)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._stopped.set()
        for one in self._working:
            if kind is None:
                one.result(timeout=300)
        self._pool.shutdown()
        if kind is None:
            self._compare()

    def _let_time_pass(self) -> None:
        """Leases end while the load runs; midnight stays away."""
        began, first = time.monotonic(), datetime.fromisoformat(AT)
        while not self._stopped.wait(0.5):
            passed = timedelta(seconds=(time.monotonic() - began) % 36000)
            self._cluster.set_clock((first + passed).isoformat())

    def wait_for_writes(self, count: int) -> None:
        """So many more are acknowledged; whoever failed says so at once."""
        wanted, deadline = len(self.answers.written_at) + count, time.monotonic() + _RECOVERS_S
        while len(self.answers.written_at) < wanted:
            for one in self._working:
                if one.done():
                    one.result()
            assert time.monotonic() < deadline, "nobody can write"
            time.sleep(0.05)

    def _compare(self) -> None:
        port = self._cluster.port
        for scribe in self.scribes:
            scribe.recover(port)
            scribe.replay(port)
            scribe.read_files(port, every=True)
        self.acknowledged = sum(scribe.counts["acknowledged"] for scribe in self.scribes)
        self.acknowledged += sum(one.compare(port) for one in self.diarists)
        with closing(database.connect(self._settings)) as books:
            assert list(examine(books)) == []

    def told(self) -> str:
        answers = self.answers
        return (
            f"{answers.asked} requests, {self.acknowledged} writes acknowledged and found again, "
            f"{answers.counts['503']} answered 503, {answers.counts['broken connection']} broken connections; "
            f"nobody could write for {answers.longest_gap_s():.1f} s at most, the slowest answer took "
            f"{answers.slowest_s:.1f} s"
        )
