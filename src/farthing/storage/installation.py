"""Stores data that belongs to no user: the revision of shared data, the keys of web push, the results of checkups."""

from datetime import datetime, timedelta
from ipaddress import ip_network

from msgspec import Struct, structs

from farthing.kernel.clock import shift, stamp
from farthing.kernel.config import Settings
from farthing.kernel.network.networks import is_within
from farthing.kernel.network.web_push import PushKeys
from farthing.kernel.settings.parsing import ANY_PROXY

from . import tables
from .unit import Unit

# The names of checkups.
_UNKNOWN_PROXY = "unknown proxy"
# A proxy that was not seen for this long is no longer reported.
_PROXY_RECENT = timedelta(days=7)
BOOKS, BACKUP, BACKUP_MADE, BACKUP_VERIFIED = "books", "backup", "backup made", "backup verified"
# When exchange rates were last fetched, and when the owner last asked for it.
RATES, RATES_ASKED = "rates", "rates asked"
# When the clock was last checked. The note is the time since which nobody has set the clock.
CLOCK = "clock"


class Checkup(Struct, frozen=True):
    """Records when something was last checked, and how many problems were found. `note` adds details."""

    at: str
    problems: int
    note: str | None = None


class _NamedCheckup(Struct, frozen=True):
    name: str
    checkup: Checkup


def revision(db: Unit) -> int:
    return int(db.value("SELECT revision FROM house WHERE number = 1"))


def lineage(db: Unit) -> str:
    """Returns the name of this database. A restored backup and any other copy have other names."""
    return str(db.value("SELECT name FROM lineage"))


def touch(db: Unit) -> None:
    """Increments the revision of shared data. Call this last in a write, because it locks a row that others need."""
    db.run("UPDATE house SET revision = revision + 1 WHERE number = 1")


def find_push_keys(db: Unit) -> PushKeys | None:
    return tables.find(db, PushKeys, "push_keys", number=1)


def store_push_keys(db: Unit, keys: PushKeys) -> None:
    """Stores the keys, unless another server has done so. They never change, because browsers remember them."""
    statement = "INSERT INTO push_keys (number, public_key, private_key) VALUES (1, :public_key, :private_key)"
    db.run(f"{statement} ON CONFLICT (number) DO NOTHING", **structs.asdict(keys))


_STORE_CHECKUP = """
INSERT INTO checkups (name, at, problems, note) VALUES (:name, :at, :problems, :note)
ON CONFLICT (name) DO UPDATE SET at = excluded.at, problems = excluded.problems, note = excluded.note
"""


def store_checkup(db: Unit, name: str, checkup: Checkup) -> None:
    db.run(_STORE_CHECKUP, name=name, **structs.asdict(checkup))


def claim_checkup(db: Unit, name: str, checkup: Checkup, *, previous: Checkup | None) -> bool:
    """Stores a checkup, unless another server has stored one since `previous`. Returns whether it was stored.

    So only one of several servers does the work.
    """
    statement, before = f"{_STORE_CHECKUP} WHERE checkups.at = :before", previous.at if previous else ""
    return db.run_and_count(statement, name=name, before=before, **structs.asdict(checkup)) > 0


def claim_turn(db: Unit, name: str, now: datetime, lease: timedelta) -> bool:
    """Claims a task for this server. Returns False if another server has claimed it and the lease has not expired."""
    name = f"{name} begun"
    previous = load_checkups(db).get(name)
    if previous and timedelta() <= now - datetime.fromisoformat(previous.at) < lease:
        return False
    return claim_checkup(db, name, Checkup(at=stamp(now), problems=0), previous=previous)


def load_checkups(db: Unit) -> dict[str, Checkup]:
    rows = db.structs(_NamedCheckup, "SELECT name, at, problems, note FROM checkups")
    return {row.name: row.checkup for row in rows}


def note_unknown_proxy(db: Unit, address: str, now: str) -> None:
    """Remembers the address of an untrusted proxy. Keeps only the latest, which is enough to notice the problem."""
    store_checkup(db, _UNKNOWN_PROXY, Checkup(at=now, problems=1, note=address))


def forget_unknown_proxy(db: Unit) -> None:
    tables.remove(db, "checkups", name=_UNKNOWN_PROXY)


def find_unknown_proxy(db: Unit, settings: Settings, now: str) -> str | None:
    """Returns the address of a proxy that was seen recently and is still not trusted, if any."""
    statement = "SELECT note FROM checkups WHERE name = :name AND at > :since"
    address = db.value(statement, name=_UNKNOWN_PROXY, since=shift(now, -_PROXY_RECENT))
    trusted = settings.trusted_proxies
    if address is None or ANY_PROXY in trusted or is_within(address, [ip_network(network) for network in trusted]):
        return None
    return str(address)
