"""What the other user does meanwhile, and how long each answer takes."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec
from msgspec import Struct

from ..books import LAST_DAY
from ..crowd import Member
from ..driver import Endpoint, ask, head_of
from ..lines import withdrawal
from .imports import import_one_row
from .people import OTHER_EMAIL, PASSWORD

Clock = Callable[[], float]
# Nobody waits longer; it is as bad as no answer.
WAIT_S_MAX = 20.0
SIGN_IN, IMPORT = "sign-in", "import of one row"
_MONTH = f"start={LAST_DAY.replace(day=1)}&end={LAST_DAY}"


class Probe(Struct, frozen=True):
    """Something that the other user does, and how long they pause before doing it again."""

    name: str
    act: Callable[[Endpoint, Member], None]
    pause_s: float = 0.05


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


PROBES = (
    Probe("accounts", _get("/accounts")),
    Probe("transactions", _get("/transactions")),
    Probe("create", _create),
    Probe("search", _get("/search/transactions?query=shopping")),
    Probe("report", _get(f"/reports/breakdown?by=payee&{_MONTH}")),
    Probe(SIGN_IN, _sign_in, pause_s=0.5),
    Probe(IMPORT, _import, pause_s=0.5),
)


def measure(endpoint: Endpoint, member: Member, seconds: float, clock: Clock) -> dict[str, list[float]]:
    """Seconds of the clock by probe. Each has a thread, so that one that gets no answer does not hide the others."""
    with ThreadPoolExecutor(len(PROBES)) as threads:
        running = {probe.name: threads.submit(_repeat, endpoint, member, probe, seconds, clock) for probe in PROBES}
        return {name: future.result() for name, future in running.items()}


def _repeat(endpoint: Endpoint, member: Member, probe: Probe, seconds: float, clock: Clock) -> list[float]:
    taken: list[float] = []
    until = time.monotonic() + seconds
    while not taken or time.monotonic() < until:
        taken.append(_time(probe, endpoint, member, clock))
        time.sleep(probe.pause_s)
    return taken


def _time(probe: Probe, endpoint: Endpoint, member: Member, clock: Clock) -> float:
    began = clock()
    try:
        probe.act(endpoint, member)
    except TimeoutError:
        return WAIT_S_MAX
    return clock() - began
