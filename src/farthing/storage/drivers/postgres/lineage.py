"""Distinguishes a streaming replica of our database from any other PostgreSQL database, such as a restored copy."""

from collections.abc import Callable

from msgspec import Struct

from farthing.kernel.errors import Unavailable

from ...unit import Unit

_RIGHT = "FARTHING_READ_URL must point to a streaming replica of FARTHING_DATABASE_URL. Until then, it is not used"


class NotReplica(Unavailable):
    """Raised when FARTHING_READ_URL does not point to a replica of our database. The primary answers instead.

    Not permanent: a failover may turn the server into a replica, or the setting may be corrected.
    """


class Server(Struct, frozen=True):
    """Identifies a running PostgreSQL server by its start time, which changes with each restart."""

    started: str
    is_replica: bool


class Lineage(Struct, frozen=True):
    """Identifies a primary and its replicas. `system` is None if our database role may not read it."""

    database_oid: str
    system: str | None


def ask_server(db: Unit) -> Callable[[], Server]:
    """Queues a query for the start time and role of the server. Call the returned function for the answer."""
    answer = db.ask("SELECT EXTRACT(EPOCH FROM pg_postmaster_start_time())::text, pg_is_in_recovery()")

    def read() -> Server:
        [(started, is_replica)] = answer.rows()
        return Server(started=started, is_replica=is_replica)

    return read


def find(db: Unit) -> Lineage:
    """Reads the identity of a database.

    Takes two statements, because PostgreSQL refuses a statement with a forbidden function even if it is never called.
    """
    oid, may_ask = db.all(
        """
        SELECT oid::text, has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
        FROM pg_database WHERE datname = current_database()
        """
    )[0]
    system = db.value("SELECT system_identifier::text FROM pg_control_system()") if may_ask else None
    return Lineage(database_oid=oid, system=system)


def refuse_primary(server: Server) -> None:
    if not server.is_replica:
        raise NotReplica(f"This server is not a replica, because it accepts writes. {_RIGHT}.")


def refuse_stranger(primary: Lineage, other: Lineage) -> None:
    if primary.system and other.system and primary.system != other.system:
        raise NotReplica(f"This server is a replica of another PostgreSQL server. {_RIGHT}.")
    if primary.database_oid != other.database_oid:
        raise NotReplica(f"This is another database on the replica. {_RIGHT}.")


def check(primary: Unit, replica: Unit) -> Server:
    """Raises NotReplica unless `replica` is a replica of `primary`. Returns the replica's server."""
    server = ask_server(replica)()
    refuse_primary(server)
    refuse_stranger(find(primary), find(replica))
    return server
