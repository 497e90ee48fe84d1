"""Asked how it is, the service says so: alive, ready, and in figures; the figures not to everybody."""

import re
from contextlib import contextmanager
from datetime import timedelta

import pytest

from farthing.app import build
from farthing.care.watch import store
from farthing.kernel.errors import Unavailable
from farthing.storage import installation, queue
from farthing.storage.drivers import open as database
from farthing.storage.installation import Checkup

from ..client import AppClient
from ..conftest import NOW, asked_at, settings_for
from ..recurrences.making import a_recurrence, a_repetition, asset, made, stored

_LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)+)\})? (-?[0-9.e+-]+|\+Inf)')


def figures(text: str) -> dict[str, float]:
    """By name and labels, as they are written; each must be told before it is given."""
    found, told = {}, set()
    for line in text.splitlines():
        if line.startswith("# TYPE"):
            told.add(line.split()[2])
        elif not line.startswith("#"):
            name, _labels, value = _LINE.fullmatch(line).groups()
            assert name in told or re.sub("_(bucket|sum|count)$", "", name) in told, line
            assert line.rpartition(" ")[0] not in found, "told twice"
            found[line.rpartition(" ")[0]] = float(value)
    return found


@contextmanager
def asking(world, client=("127.0.0.1", 50000), **settings):
    """Another app on the same database, asked from some address."""
    chosen = settings_for(world.settings.database_url, world.settings.data, **settings)
    with AppClient(build(chosen, world.time.clock()), asked_at(chosen), client) as http:
        yield http


@pytest.fixture
def owner(new_world):
    return new_world.someone()


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/health"])
def test_well_without_a_token(world, check_answer, path):
    answer = world.http.get(path)

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert world.http.head(path).status_code == 200
    assert world.http.post(path).status_code == 405
    check_answer("GET", path, answer)


def test_a_database_of_another_version_is_not_ready(new_world, check_answer):
    with new_world.books.writing() as db:
        db.run("INSERT INTO migrations (name) VALUES ('9999_contract_9998_later')")

    answer = new_world.http.get("/readyz")

    assert answer.status_code == 503
    assert "9999_contract_9998_later" in answer.json()["message"]
    assert answer.headers["retry-after"]
    check_answer("GET", "/readyz", answer)
    with new_world.books.writing() as db:
        db.run("DELETE FROM migrations WHERE name > '0001_z'")
    assert "farthing migrate" in new_world.http.get("/readyz").json()["message"]


def test_a_database_that_is_gone(new_world, owner, monkeypatch, check_answer):
    with asking(new_world) as http:
        monkeypatch.setattr(type(new_world.books), "read", _gone)

        assert http.get("/livez").status_code == 200
        assert http.get("/readyz").status_code == 503
        assert http.get("/health").status_code == 503
        told = figures(http.get("/metrics").text)
    assert told["farthing_database_up"] == 0
    assert told['farthing_requests_total{method="GET",route="/readyz",status="5xx"}'] == 1
    answer = new_world.http.get("/metrics", headers={"Authorization": f"Bearer {owner.token}"})
    assert answer.status_code == 503
    check_answer("GET", "/metrics", answer)


async def _gone(_self, _work, **_how):
    raise Unavailable("gone")


class TestFigures:
    def test_requests_by_address_and_answer(self, new_world, owner):
        with asking(new_world) as http:
            headers = {"Authorization": f"Bearer {owner.token}"}
            for path in ("/api/v1/accounts/1", "/api/v1/accounts/77", "/api/v1/accounts", "/nowhere", "/api/v1/x/y"):
                http.get(path, headers=headers)
            http.put("/api/v1/accounts", headers=headers)
            http.head("/api/v1/accounts/1", headers=headers)
            told = figures(http.get("/metrics").text)

        assert told['farthing_requests_total{method="GET",route="/api/v1/accounts/{id}",status="2xx"}'] == 1
        assert told['farthing_requests_total{method="GET",route="/api/v1/accounts/{id}",status="4xx"}'] == 1
        assert told['farthing_requests_total{method="HEAD",route="/api/v1/accounts/{id}",status="2xx"}'] == 1
        assert told['farthing_requests_total{method="OTHER",route="other",status="4xx"}'] == 3
        labels = 'method="GET",route="/api/v1/accounts/{id}"'
        assert told[f"farthing_request_duration_seconds_count{{{labels}}}"] == 2
        assert told[f'farthing_request_duration_seconds_bucket{{{labels},le="+Inf"}}'] == 2
        assert 0 < told[f"farthing_request_duration_seconds_sum{{{labels}}}"] < 10

    def test_what_waits_and_how_late_it_is(self, new_world, owner):
        stored(owner, a_recurrence(made(owner, asset()), first_date="2024-05-16"))
        assert self.told(new_world)["farthing_recurrences_due"] == 0

        new_world.time.now = NOW + timedelta(days=17)
        told = self.told(new_world)
        assert told["farthing_recurrences_due"] == 1
        assert told["farthing_job_lag_seconds"] > 0
        assert told['farthing_job_kind_lag_seconds{kind="recurrences.fire"}'] == told["farthing_job_lag_seconds"]

        with new_world.books.writing() as db:
            db.run("UPDATE recurrences SET failure = 'no account'")
            queue.add(db, owner.user.id, "claim", 1, {}, (new_world.time.now - timedelta(seconds=90)).isoformat())
        told = self.told(new_world)
        assert told["farthing_recurrences_due"] == 0
        assert told["farthing_recurrences_failing"] == 1
        assert told['farthing_jobs_waiting{kind="claim"}'] == 1
        assert told["farthing_job_lag_seconds"] == 90
        assert told['farthing_job_kind_lag_seconds{kind="claim"}'] == 90

    def test_a_day_begins_where_the_user_lives(self, new_world, owner):
        assert owner.put("/preferences/timezone", {"data": "America/New_York"}).status_code == 200
        stored(
            owner, a_recurrence(made(owner, asset()), first_date="2024-05-16", repetitions=[a_repetition("daily", "")])
        )

        new_world.time.now = NOW.replace(day=16, hour=3, minute=59)
        assert self.told(new_world)["farthing_recurrences_due"] == 0
        new_world.time.now = NOW.replace(day=16, hour=4, minute=1)
        assert self.told(new_world)["farthing_job_lag_seconds"] == 60

    def test_what_was_last_examined(self, new_world, owner):
        assert not [name for name in self.told(new_world) if "integrity" in name or "backup" in name]

        with new_world.books.writing() as db:
            installation.store_checkup(db, installation.BOOKS, Checkup("2024-05-15T12:00:00+00:00", 3))
            installation.store_checkup(db, installation.BACKUP, Checkup("2024-05-15T12:00:01+00:00", 1, "no room"))
            installation.store_checkup(db, installation.BACKUP_MADE, Checkup("2024-05-14T12:00:00+00:00", 0))

        told = self.told(new_world)
        assert told["farthing_integrity_last_timestamp_seconds"] == NOW.timestamp()
        assert told["farthing_integrity_problems"] == 3
        assert told["farthing_backup_last_failed"] == 1
        assert told["farthing_backup_last_success_timestamp_seconds"] == NOW.timestamp() - 86_400

    def test_what_runs_here(self, new_world, owner):
        told = self.told(new_world)

        assert told["farthing_workers"] == 1
        assert told["farthing_database_up"] == 1
        [info] = [name for name in told if name.startswith("farthing_info")]
        assert f'database="{new_world.books.dialect}"' in info

    def told(self, world):
        with asking(world) as http:
            answer = http.get("/metrics")
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        return figures(answer.text)


class TestWhoMayRead:
    def test_from_elsewhere_the_owner_alone(self, new_world, owner, check_answer):
        someone = new_world.someone()
        answers = [self.asked(new_world.http, token) for token in (None, "wrong", someone.token, owner.token)]

        assert [answer.status_code for answer in answers] == [401, 401, 403, 200]
        assert "farthing_requests_total" not in "".join(answer.text for answer in answers[:3])
        for answer in answers:
            check_answer("GET", "/metrics", answer)

    def asked(self, http, token=None, **headers):
        return http.get("/metrics", headers=headers | ({"Authorization": f"Bearer {token}"} if token else {}))

    @pytest.mark.any_database
    @pytest.mark.parametrize("address", ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])
    def test_on_this_machine_whoever_asks(self, new_world, address):
        with asking(new_world, (address, 1)) as http:
            assert self.asked(http).status_code == 200

    @pytest.mark.any_database
    @pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Proto"])
    def test_whoever_comes_through_a_proxy_is_not_on_this_machine(self, new_world, header):
        with asking(new_world) as http:
            assert self.asked(http, **{header: "127.0.0.1"}).status_code == 401

    @pytest.mark.any_database
    def test_a_public_address_means_that_a_proxy_stands_here(self, new_world):
        with asking(new_world, base_url="https://money.example") as http:
            assert self.asked(http).status_code == 401
        with asking(new_world, base_url="http://localhost:8000") as http:
            assert self.asked(http).status_code == 200

    @pytest.mark.any_database
    @pytest.mark.parametrize(("told", "status"), [("10.0.0.0/8", 200), ("*", 200), ("127.0.0.1", 401)])
    def test_as_the_setting_says(self, new_world, told, status):
        with asking(new_world, ("10.1.2.3", 1), metrics_from=told, base_url="https://money.example") as http:
            assert self.asked(http).status_code == status

    @pytest.mark.any_database
    def test_other_methods(self, new_world):
        with asking(new_world) as http:
            assert http.post("/metrics").status_code == 405
            assert http.head("/metrics").content == b""


def test_a_checkup_is_kept_once(new_database):
    with new_database.writing() as db:
        installation.store_checkup(db, "books", Checkup("2024-05-15T12:00:00+00:00", 3, "first"))
        installation.store_checkup(db, "books", Checkup("2024-05-16T12:00:00+00:00", 0))
    with new_database.reading() as db:
        assert installation.load_checkups(db) == {"books": Checkup("2024-05-16T12:00:00+00:00", 0, None)}


def test_the_figures_are_read_with_few_statements(new_world, owner, monkeypatch):
    """A scrape every few seconds must not be felt."""
    unit = database.connect(new_world.settings)
    asked = []
    with unit.reading() as db:
        kind = type(db)
        for name in ("all", "structs"):
            real = getattr(kind, name)
            monkeypatch.setattr(
                kind, name, lambda self, *given, real=real, **more: asked.append(given) or real(self, *given, **more)
            )
        store.load_facts(db, NOW)
    unit.close()
    assert len(asked) <= 8
