"""Serves `/metrics` to monitoring programs on this machine, and to requests with an owner's token."""

from collections.abc import Mapping
from ipaddress import ip_network
from urllib.parse import urlsplit

from starlette.routing import Route as Address
from starlette.types import Scope

from farthing.care.watch import exposition, store
from farthing.care.watch.meter import Meter
from farthing.http.answer import problems
from farthing.http.answer.reply import GetEndpoint, Reply, make_reply
from farthing.http.callers.identification import by_token
from farthing.http.handling.runtime import Runtime
from farthing.http.service.health import METRICS
from farthing.kernel.clock import stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, Forbidden
from farthing.kernel.network.networks import is_within
from farthing.kernel.settings.parsing import ANY_PROXY
from farthing.storage.drivers import dialects
from farthing.storage.unit import Unit

# A request with one of these headers came through a proxy, so its peer address does not identify the client.
_FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"via")
_LOOPBACK = ("127.0.0.0/8", "::1/128")
_EVERYWHERE = ("0.0.0.0/0", "::/0")


def addresses(runtime: Runtime, meter: Meter) -> list[Address]:
    return [Address(METRICS, GetEndpoint(Metrics(runtime, meter).reply))]


class Metrics:
    def __init__(self, runtime: Runtime, meter: Meter) -> None:
        self._runtime = runtime
        self._meter = meter
        self._open_to = [ip_network(network) for network in _open_to(runtime.settings)]

    async def reply(self, scope: Scope) -> Reply:
        headers = scope["state"]["headers"]
        if not self._is_open_to(scope, headers):
            try:
                await self._runtime.ask(lambda db: self._refuse_others(db, headers.get(b"authorization")))
            except FarthingError as error:
                return make_reply(problems.answer_to(error))
        meter, facts = self._meter, await self._facts()
        text = exposition.page(meter.counted(), meter.present(), meter.measure(), facts, self._dialect)
        body = text.encode()
        kind, length = exposition.MEDIA_TYPE.encode(), str(len(body)).encode()
        return Reply(200, [(b"content-type", kind), (b"content-length", length)], body)

    @property
    def _dialect(self) -> str:
        return dialects.name(self._runtime.database)

    def _is_open_to(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        if any(name in headers for name in _FORWARDED):
            return False
        return is_within(scope["state"]["peer"].address, self._open_to)

    def _refuse_others(self, db: Unit, authorization: bytes | None) -> None:
        caller = by_token(db, authorization or b"", stamp(self._runtime.clock.now()))
        if not caller.user.is_owner:
            raise Forbidden("Only the owner of this installation may read its metrics.")

    async def _facts(self) -> store.WatchFacts | None:
        try:
            return await self._runtime.ask(lambda db: store.load_facts(db, self._runtime.clock.now()))
        except FarthingError:
            return None


def _open_to(settings: Settings) -> tuple[str, ...]:
    """Returns the networks that may read the metrics without a token.

    The default is this machine. If the base URL is public, the default is no network, because a proxy on this machine
    probably forwards requests from everywhere.
    """
    if settings.metrics_from is not None:
        return _EVERYWHERE if ANY_PROXY in settings.metrics_from else settings.metrics_from
    public = urlsplit(settings.base_url or "").hostname
    return _LOOPBACK if public in (None, "localhost", "127.0.0.1", "::1") else ()
