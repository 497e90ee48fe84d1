"""PostgreSQL behind PgBouncer in transaction mode: each transaction may get another backend."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from farthing.kernel.errors import Unavailable
from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.unit import Unit

from ..bills.making import a_bill, asset, withdrawal
from ..cli.conftest import Server, Terminal
from ..needs import or_skip
from ..pgbouncer import find_pgbouncer, pooled, version
from ..postgres import PostgresServer
from ..proof.test_killed import until
from .test_busy_postgres import people
from .things import read

BACKENDS = 3
ROUNDS = 6
CLAIMED = 1001  # one more than is linked at once: the job process does it


@pytest.fixture
def address(postgres_server: PostgresServer | None) -> Iterator[str]:
    if postgres_server is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows whether it works behind a pooler")
    with pooled(or_skip(find_pgbouncer(), "pgbouncer"), postgres_server, backends=BACKENDS) as url:
        yield url


def post(server: Server, headers: dict[str, str], path: str, body: dict[str, Any]) -> Any:
    answer = server.ask("POST", f"/api/v1/{path}", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def total(server: Server, headers: dict[str, str], path: str) -> int:
    answer = server.ask("GET", f"/api/v1/{path}", headers=headers)
    assert answer.status_code == 200, answer.text
    found: int = answer.json()["meta"]["pagination"]["total"]
    return found


def keep_books(server: Server, headers: dict[str, str]) -> str:
    account: str = post(server, headers, "accounts", asset())["id"]
    for number in range(ROUNDS):
        post(server, headers, "transactions", withdrawal(account, description=f"bread {number}"))
        assert total(server, headers, "transactions") == number + 1
        assert server.ask("GET", f"/api/v1/accounts/{account}", headers=headers).status_code == 200
    return account


def claim_many(server: Server, headers: dict[str, str], account: str) -> None:
    bodies = [withdrawal(account, "800", description=f"rent to the landlord {number}") for number in range(CLAIMED)]
    for first in range(0, CLAIMED, 250):
        post(server, headers, "transactions/bulk", {"transactions": bodies[first : first + 250]})
    bill = post(server, headers, "bills", a_bill())["id"]
    until(lambda: total(server, headers, f"bills/{bill}/transactions") == CLAIMED, "the job did not finish")


@pytest.mark.long
def test_everything_works_through_a_pooler(address: str, tmp_path: Path):
    """A migration from empty, commands, several users at once, a job, and reads that stream: doctor and backup."""
    (tmp_path / ".env").write_text(f"FARTHING_DATABASE_PREPARE={'on' if keeps_prepared_statements() else 'off'}\n")
    terminal = Terminal(tmp_path, address)
    terminal.says("migrate")
    headers = people(terminal, "ann@example.org", "ben@example.org", "cleo@example.org")
    with terminal.serving() as server:
        with ThreadPoolExecutor(6) as pool:
            accounts = list(pool.map(lambda one: keep_books(server, one), headers))
        claim_many(server, headers[0], accounts[0])
        assert [total(server, one, "transactions") for one in headers] == [ROUNDS + CLAIMED, ROUNDS, ROUNDS]
        assert terminal.run("doctor").returncode == 0
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()
    terminal.says("backup", "all.backup")


def test_a_prepared_statement_that_the_pooler_forgot_is_explained(address: str):
    """PgBouncer forgets them before 1.21; a later one keeps them for each client."""
    with (
        closing(PostgresDatabase(address, connections_max=1)) as ours,
        closing(PostgresDatabase(address, connections_max=1)) as theirs,
    ):
        assert read(ours, ask) == 3
        with theirs.reading() as db:
            db.value("SELECT 'the backend that ours was prepared on is taken'")
            if keeps_prepared_statements():
                assert read(ours, ask) == 3
            else:
                with pytest.raises(Unavailable, match="FARTHING_DATABASE_PREPARE=off"):
                    read(ours, ask)


def keeps_prepared_statements() -> bool:
    return version(find_pgbouncer()) >= (1, 21)


def ask(db: Unit) -> int:
    found: int = db.value("SELECT :one + 2", one=1)
    return found
