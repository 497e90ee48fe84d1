"""What the other user does meanwhile, and how long each answer takes."""

import time
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from ..books import LAST_DAY
from ..crowd import Member
from ..driver import Endpoint, ask, head_of
from ..lines import withdrawal
from ..processes import Server, cpu_ns
from .imports import import_one_row
from .people import OTHER_EMAIL, PASSWORD

# Nobody waits longer; it is as bad as no answer.
WAIT_S_MAX = 20.0
SIGN_IN, IMPORT = "sign-in", "import of one row"
_MONTH = f"start={LAST_DAY.replace(day=1)}&end={LAST_DAY}"


class Taken(Struct, frozen=True):
    """How long an answer took: by the clock, and by the processor time that the server spent meanwhile, on whatever."""

    wall_s: float
    cpu_s: float


Times = dict[str, list[Taken]]


class Probe(Struct, frozen=True):
    """Something that the other user does, and how long they pause before doing it again."""

    name: str
    act: Callable[[Endpoint, Member], None]
    pause_s: float = 0.02


def _get(path: str) -> Callable[[Endpoint, Member], None]:
    return lambda endpoint, _member: _ask(endpoint, endpoint.request("GET", f"/api/v1{path}"))


def _create(endpoint: Endpoint, member: Member) -> None:
    body = withdrawal(day=str(LAST_DAY), amount="2.50", source_id=member.account_id, destination_id=member.payee_id)
    _ask(endpoint, endpoint.request("POST", "/api/v1/transactions", body))


def _import(endpoint: Endpoint, member: Member) -> None:
    import_one_row(endpoint, member.account_id)


def _sign_in(endpoint: Endpoint, _member: Member) -> None:
    body = msgspec.json.encode({"email": OTHER_EMAIL, "password": PASSWORD})
    _ask(endpoint, Endpoint(endpoint.host, endpoint.port, "").request("POST", "/api/v1/session", body))


def _ask(endpoint: Endpoint, request: bytes) -> None:
    answer = ask(endpoint, request)
    assert head_of(answer).startswith(b"HTTP/1.1 200"), answer.decode(errors="replace")[:1000]


QUICK = (
    Probe("accounts", _get("/accounts")),
    Probe("transactions", _get("/transactions")),
    Probe("create", _create),
    Probe("search", _get("/search/transactions?query=shopping")),
    Probe("report", _get(f"/reports/breakdown?by=payee&{_MONTH}")),
)
SLOW = (Probe(SIGN_IN, _sign_in, pause_s=0.1), Probe(IMPORT, _import, pause_s=0.1))


def measure(server: Server, member: Member, seconds: float) -> Times:
    """Measures each probe in turn, as a person does one thing after another.

    Sign-ins and imports come after the others, because hashing and reading would count as processor time of those.
    """
    return _measure(server, member, seconds, QUICK) | _measure(server, member, seconds / 2, SLOW)


def _measure(server: Server, member: Member, seconds: float, probes: Sequence[Probe]) -> Times:
    times: Times = {probe.name: [] for probe in probes}
    until = time.monotonic() + seconds
    while not all(times.values()) or time.monotonic() < until:
        for probe in probes:
            times[probe.name].append(_time(probe, server, member))
            time.sleep(probe.pause_s)
    return times


def _time(probe: Probe, server: Server, member: Member) -> Taken:
    pid = server.process.pid
    began, used_ns = time.perf_counter(), cpu_ns(pid)
    try:
        probe.act(server.endpoint, member)
    except TimeoutError:
        return Taken(WAIT_S_MAX, WAIT_S_MAX)
    return Taken(time.perf_counter() - began, (cpu_ns(pid) - used_ns) / 1e9)
