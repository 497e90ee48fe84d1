"""Can each user's rows live on another machine? Keys and queries name the user, and no user waits for another.

docs/operate/scale.md says what a move to several machines needs.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from farthing.api.v1.routes import ROUTES
from farthing.app import assemble
from farthing.identity.user import ApiVersion
from farthing.storage import migrations
from farthing.storage.drivers import open as drivers
from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.schema import TABLES
from farthing.storage.unit import Database, Unit

from ..answers import Check
from ..client import AppClient
from ..conftest import Client, MovingClock, World, asked_at, settings_for
from ..http.doors import KNOWN, one_of_each
from ..http.makers import MAKERS, address, an_account, one_of, resource
from ..proof.test_killed import until
from .things import PATIENCE_S

OF_USERS = frozenset(table for table, columns in TABLES.items() if "user_id" in columns)
# Who comes with one of these is not known yet: they lead to the user.
LEADING = {("tokens", "hash"), ("sessions", "hash"), ("sign_in_links", "hash"), ("devices", "hash", "user_id")}
LEADING |= {("invitations", "hash"), ("factors", "credential")}
LEADING |= {("notice_deliveries", "secret"), ("password_links", "hash"), ("push_subscriptions", "hash")}
LEADING |= {("app_codes", "hash"), ("app_refresh_tokens", "hash")}
LEADING |= {("passkey_challenges", "hash"), ("provider_states", "hash"), ("identities", "issuer", "subject")}
# The same for everybody; on several machines each has a copy.
SHARED = {"currencies", "link_types"}
# Who works in the books of another lives elsewhere, and so may an app for everybody: on several machines these
# references are left out.
OF_OTHERS = {("members", "users", "member_id"), ("tokens", "apps", "app_id"), ("app_codes", "apps", "app_id")}
# SQLite, which is never on several machines, adds a column only with a reference of its own.
ADDED_ON_SQLITE = {("categories", "categories", "parent_id"), ("categories", "budgets", "budget_id")}
ADDED_ON_SQLITE |= {("bills", "object_groups", "object_group_id"), ("piggy_banks", "object_groups", "object_group_id")}
ADDED_ON_SQLITE |= {("piggy_bank_events", "accounts", "account_id")}

_KEYS = """
SELECT t.relname, string_agg(c.attname, ',' ORDER BY k.place) FROM pg_index i
JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place)
JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = k.number
WHERE i.indisunique AND n.nspname = 'public' GROUP BY i.indexrelid, t.relname
"""
_REFERENCES = """
SELECT t.relname, o.relname, string_agg(c.attname, ',' ORDER BY k.place) FROM pg_constraint f
JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class o ON o.oid = f.confrelid
CROSS JOIN LATERAL unnest(f.conkey) WITH ORDINALITY AS k (number, place)
JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = k.number
WHERE f.contype = 'f' GROUP BY f.oid, t.relname, o.relname
"""
_KEYS_ON_SQLITE = """
SELECT m.name, (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno))
FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique" = 1
"""
_REFERENCES_ON_SQLITE = """
SELECT m.name, f."table", group_concat(f."from") FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
WHERE m.type = 'table' GROUP BY m.name, f.id
"""


def test_every_key_of_a_users_rows_begins_with_the_user(new_database: Database, dialect: str):
    with new_database.reading() as db:
        keys = db.all(_KEYS if dialect == "postgresql" else _KEYS_ON_SQLITE)
        references = db.all(_REFERENCES if dialect == "postgresql" else _REFERENCES_ON_SQLITE)

    unique = {(table, *columns.split(",")) for table, columns in keys if table in OF_USERS}
    foreign = {(table, other, *columns.split(",")) for table, other, columns in references if table in OF_USERS}
    # An id comes from a sequence, which gives each only once.
    assert {key for key in unique if key[1] != "user_id" and key[1:] != ("id",)} == LEADING
    assert {key for key in foreign if key[2] != "user_id" and key[1] not in SHARED} == (
        OF_OTHERS | (ADDED_ON_SQLITE if dialect == "sqlite" else set())
    )
    assert len(unique) > len(OF_USERS) < len(foreign), "they were found"


def test_the_statements_that_move_to_citus_give_every_key_its_user(url: str):
    """All but the distribution itself, which plain PostgreSQL does not have."""
    steps = (Path(__file__).parents[2] / "deploy/citus.sql").read_text().split("-- ")
    with psycopg.connect(url, autocommit=True) as move, closing(PostgresDatabase(url, connections_max=1)) as database:
        migrations.migrate(database)
        dropping, adding = zip(*move.execute(without_comment(steps[1])).fetchall(), strict=True)
        keying = [statement for (statement,) in move.execute(without_comment(steps[2])).fetchall()]
        for statement in (*dropping, *keying, *adding):
            move.execute(statement)
        keys = move.execute(_KEYS).fetchall()

    found = {(table, *columns.split(",")) for table, columns in keys if table in OF_USERS}
    secrets = {table for table, *_ in LEADING} | {"apps", "link_types"}
    assert {key for key in found if key[1] != "user_id" and key[0] not in secrets} == set()


def without_comment(step: str) -> str:
    return "\n".join(line for line in step.strip().splitlines()[1:])


_STATEMENTS = ("one", "all", "value", "ask", "run", "run_and_count", "many", "many_returning", "stream")


class Recorded:
    """A unit of work that writes down what it is asked to run."""

    def __init__(self, unit: Unit, statements: set[str]) -> None:
        object.__setattr__(self, "_unit", unit)
        object.__setattr__(self, "_statements", statements)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._unit, name)
        if name not in _STATEMENTS and "struct" not in name:
            return found

        def run(*given: Any, **parameters: Any) -> Any:
            """The rows of some become structs, whose type comes before the statement."""
            sql = next(value for value in given if isinstance(value, str))
            self._statements.add(" ".join(sql.split()))
            return found(*given, **parameters)

        return run

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._unit, name, value)


class Recording:
    """A database whose units of work write down what they run."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.dialect = database.dialect
        self.statements: set[str] = set()

    async def read(self, work: Callable[[Unit], Any], **how: Any) -> Any:
        return await self._database.read(lambda db: work(Recorded(db, self.statements)), **how)

    async def write(self, work: Callable[[Unit], Any], **how: Any) -> Any:
        return await self._database.write(lambda db: work(Recorded(db, self.statements)), **how)

    @contextmanager
    def reading(self) -> Iterator[Any]:
        with self._database.reading() as db:
            yield Recorded(db, self.statements)

    @contextmanager
    def writing(self) -> Iterator[Any]:
        with self._database.writing() as db:
            yield Recorded(db, self.statements)

    def keep_copy(self, name: str) -> None:
        self._database.keep_copy(name)

    def close(self) -> None:
        self._database.close()


_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+)")
# They begin with a secret, by which the user is found.
BY_SECRET = re.compile(r"\bhash = :hash\b|FROM tokens t JOIN|FROM sessions s JOIN")


def names_its_user(sql: str) -> bool:
    """Wherever a table of users' rows is named, the user has to be named as well."""
    named = sum(table in OF_USERS for table in _TABLE.findall(sql))
    return len(re.findall(r"(?<!:)\buser_id\b", sql)) >= named or BY_SECRET.search(sql) is not None


@pytest.mark.any_database
def test_every_query_of_a_request_names_its_user(new_database_url: str, tmp_path: Path, check_answer: Check):
    settings, time = settings_for(new_database_url, tmp_path), MovingClock()
    books = Recording(drivers.connect(settings))
    migrations.ensure_current(books)
    with AppClient(assemble(books, settings, time.clock()), base_url=asked_at(settings)) as http:
        world = World(settings, books, http, time, check_answer)
        for kind in MAKERS:
            ask_everything_about(kind, world.someone())
        look_around(world.someone())
        walk_through_version_6(world.someone())

    assert len(books.statements) > 300
    assert [sql for sql in books.statements if not names_its_user(sql)] == []
    assert not names_its_user(
        "SELECT s.id FROM splits s JOIN entries e ON e.id = s.entry_id WHERE s.user_id = :user_id"
    )


DAYS = {"start": "2024-01-01", "end": "2024-12-31", "date": "2024-05-31"}


def look_around(me: Client) -> None:
    """All overviews, over books with something in them."""
    account = an_account(me)
    for kind in ("transactions", "bills", "recurrences", "piggy_banks"):
        one_of(kind, me)
    asked = {**DAYS, "query": "groceries", "by": "category", "limit": "10", "accounts": account}
    for route in ROUTES:
        if route.method == "GET" and "{" not in route.path:
            me.request("GET", address(route.path, ""), params=asked)


def walk_through_version_6(me: Client) -> None:
    """Everything that can be read, and some searches."""
    ids = one_of_each(me)
    doors = [door for door in KNOWN if door.version is ApiVersion.V6 and door.method == "GET"]
    for door in doors:
        me.request("GET", door.address(ids), params={**DAYS, "limit": "10", "query": "type:withdrawal groceries"})
    for query in ("category_is:Food", "tag_is:x", "external_id_is:1", "notes_contains:a amount_more:1 -budget_is:b"):
        me.v6.get("/search/transactions", query=query)
    me.v6.get("/search/transactions/count", external_identifier="1", notes="a")


def ask_everything_about(kind: str, me: Client) -> None:
    """All that can be asked about one; what changes it or takes it away comes last."""
    one = one_of(kind, me)
    ours = [route for route in ROUTES if resource(route.path) == kind and route.method != "POST"]
    for route in sorted(ours, key=lambda route: ("GET", "PUT", "DELETE").index(route.method)):
        body = {} if route.method == "GET" or "{id}" not in route.path else shown(me, kind, one)
        me.request(route.method, address(route.path, one), params=DAYS, json=body or None)


def shown(me: Client, kind: str, one: str) -> dict[str, Any]:
    """As a client that changes nothing sends it back."""
    answer = me.get(f"/{kind}/{one}").json().get("data", {})
    found = answer[0] if isinstance(answer, list) else answer
    return dict(found.get("attributes", {}))


def test_nobody_waits_for_a_write_of_somebody_else(new_world: World, new_database_url: str, dialect: str):
    """Ann's write has done everything, and waits for its last row, which somebody else is writing: all others go on."""
    if dialect == "sqlite":
        pytest.skip("SQLite has a single writer")
    ann = new_world.someone()
    split = {"amount": "12.50", "currency_code": "EUR", "source_id": an_account(ann), "destination_name": "Grocer"}
    labels = {"category_name": "Food", "budget_name": "Living"}
    body = {"type": "withdrawal", "date": "2024-05-01", "description": "Groceries", "tags": ["weekly"]}

    with psycopg.connect(new_database_url) as elsewhere, ThreadPoolExecutor(2) as threads:
        columns = "user_id, key, at, request, status, headers, body"
        elsewhere.execute(f"INSERT INTO answers ({columns}) VALUES ({ann.user.id}, 'k', '', '', 200, '', '')")
        sent = {"json": {**body, "transactions": [split | labels]}, "headers": {"Idempotency-Key": "k"}}
        recorded = threads.submit(ann.request, "POST", "/transactions", **sent)
        wait_for_lock(new_database_url)

        for kind in MAKERS:
            assert threads.submit(one_of, kind, new_world.someone()).result(PATIENCE_S)

        assert not recorded.done()
        elsewhere.rollback()
        assert recorded.result(PATIENCE_S).status_code == 200


def wait_for_lock(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as watching:
        until(
            lambda: watching.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone() is not None,
            "nobody waits for a lock",
        )
