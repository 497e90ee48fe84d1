"""Handles every request before and after its endpoint: an id, the public address, headers, a line in the log."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, MutableMapping
from datetime import timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farthing.kernel import log
from farthing.kernel.clock import wall_clock
from farthing.kernel.config import Settings
from farthing.kernel.errors import (
    FarthingError,
    Malformed,
    Misdirected,
    TooLarge,
    TooMany,
    TooSlow,
    Unauthenticated,
    UnknownBodyType,
)

from ..answer.cors import Cors
from ..answer.headers import ALWAYS, OVER_TLS, UNLESS_SAID
from ..answer.problems import STATUSES, answer_to, crash, not_ready
from ..answer.reply import Reply, make_reply, send_reply
from ..request.proxies import Proxies, peer
from ..request.public_address import API, HOST_MAX, PublicAddress
from .directory import TEMPLATE
from .hosts import Hosts
from .request_id import choose_request_id

_LOG = logging.getLogger("farthing.request")
_API = f"{API}/"
# By method, address, status and seconds.
Count = Callable[[str, str, int, float], None]
# Called with the address of a proxy that is not trusted.
NoteProxy = Callable[[str], None]
# Paths that appear in links, or that clients derived from them.
_ALIASES = {"attachment": "attachments", "recurring": "recurrences", "transaction_currencies": "currencies"}
_STOPPING = "The server is stopping, and this request was not finished in time; try again."
_SLASHES = re.compile("/{2,}")
# The parser of content types takes time that grows with the square of their length.
_CONTENT_TYPE_BYTES_MAX = 1024
# Refusals that strangers cause: whoever runs the server may want to block an address. All other lines have none.
_WITH_ADDRESS = frozenset(
    STATUSES[error] for error in (Malformed, Misdirected, TooLarge, TooMany, TooSlow, Unauthenticated)
)
_WITH_BODY = ("POST", "PUT", "PATCH")
# Other words, such as `utf-8`, are sent by mistake and mean nothing.
_COMPRESSED = (b"gzip", b"deflate", b"br", b"zstd", b"compress")


def _ignore(_address: str) -> None:
    pass


class _Ended(Struct):
    """An answered request that is still to be logged and counted."""

    began: float
    ended: float
    scope: Scope
    status: int
    request_id: str


class Edge:
    def __init__(
        self, app: ASGIApp, settings: Settings, count: Count, hosts: Hosts, note_proxy: NoteProxy = _ignore
    ) -> None:
        self._app = app
        self._count = count
        self._hosts = hosts
        self._note_proxy = note_proxy
        self._base_url = settings.base_url
        self._base_path = urlsplit(settings.base_url or "").path.rstrip("/")
        self._proxies = Proxies(settings.trusted_proxies, settings.remote_user_header)
        self._cors = Cors(settings.cors_origins)
        self._ended: list[_Ended] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = choose_request_id(headers)
        state: MutableMapping[str, Any] = scope.setdefault("state", {})
        state["request_id"], state["headers"] = request_id, headers
        base = state["base"] = self._base(scope, headers)
        if self._proxies.is_unknown(scope, headers):
            self._note_proxy(peer(scope))
        path = scope["path"]
        scope["path"] = (_remembered if len(path) <= _REMEMBERED_MAX else _canonical)(path, self._base_path)
        added = self._added(base, headers, request_id)
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _add_headers(message["headers"], added)
            await send(message)

        try:
            reply = self._answer_at_once(scope, headers)
            await (send_reply(reply, send_on) if reply else self._app(scope, receive, send_on))
        except asyncio.CancelledError:
            # The server stops, and this has taken too long. It is not raised again: uvicorn would log it as an error.
            if not status:
                await send_reply(make_reply(not_ready(_STOPPING)), send_on)
        except Exception:
            _LOG.exception("unexpected error", extra={"request_id": request_id})
            if not status:
                await send_reply(make_reply(crash(request_id)), send_on)
        finally:
            if not self._ended:
                asyncio.get_running_loop().call_soon(self._note)
            self._ended.append(_Ended(began, time.perf_counter(), scope, status, request_id))

    def _answer_at_once(self, scope: Scope, headers: dict[bytes, bytes]) -> Reply | None:
        """The answer to requests that we refuse, or that need no endpoint."""
        try:
            self._hosts.refuse_others(scope, headers)
            self._proxies.remote_user(scope)  # refused at every address, not only where it counts
            if len(headers.get(b"content-type", b"")) > _CONTENT_TYPE_BYTES_MAX:
                raise UnknownBodyType(f"The Content-Type may not be longer than {_CONTENT_TYPE_BYTES_MAX} bytes.")
            encoding = headers.get(b"content-encoding", b"").lower()
            if encoding and scope["method"] in _WITH_BODY and any(one in encoding for one in _COMPRESSED):
                raise UnknownBodyType("Send the body uncompressed, without Content-Encoding.")
        except FarthingError as error:
            return make_reply(answer_to(error))
        return self._cors.preflight(scope["method"], headers) if self._cors.is_on else None

    def _note(self) -> None:
        """Logs all requests that ended in one turn of the event loop: after the first, each costs a third."""
        ended, self._ended = self._ended, []
        now, reading = wall_clock(), time.perf_counter()
        lines = []
        for one in ended:
            scope, status, seconds = one.scope, one.status, one.ended - one.began
            method, path = scope["method"], scope["path"]
            self._count(method, scope.get(TEMPLATE, path), status, seconds)
            facts = {
                "request_id": one.request_id,
                "method": method,
                "path": path,
                "status": status,
                "ms": round(seconds * 1000, 2),
                "user_id": scope["state"].get("user_id"),
            }
            if status in _WITH_ADDRESS:
                facts["address"] = self._proxies.client(scope, scope["state"]["headers"])
            at = now - timedelta(seconds=reading - one.ended)
            lines.append(log.LogLine(at=at, message=f"{method} {path} {status}", extra=facts))
        log.write_lines(_LOG, lines)

    def _base(self, scope: Scope, headers: dict[bytes, bytes]) -> str:
        """The public address: as configured, else as asked; forwarded headers count only from trusted proxies."""
        if self._base_url:
            return self._base_url
        scheme, host = scope["scheme"], headers.get(b"host", b"")
        if not self._proxies.trusts(scope):
            return _base_asked(scheme, host[:HOST_MAX], tuple(scope.get("server") or ()))
        names = (b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-prefix")
        forwarded = (_first(headers, name) for name in names)
        return PublicAddress(scheme, host.decode("latin-1")).as_forwarded(*forwarded).base(scope.get("server"))

    def _added(self, base: str, headers: dict[bytes, bytes], request_id: str) -> list[tuple[bytes, bytes]]:
        added = [*(OVER_TLS if base.startswith("https:") else ALWAYS), (b"x-request-id", request_id.encode())]
        return added + self._cors.headers(headers) if self._cors.is_on else added


@lru_cache(maxsize=64)
def _base_asked(scheme: str, host: bytes, server: tuple[Any, ...]) -> str:
    return PublicAddress(scheme, host.decode("latin-1")).base(server)


def _first(headers: dict[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1").split(",")[0].strip()


def _canonical(path: str, base_path: str) -> str:
    """One spelling per address: no base path, no closing slash, none twice, underscores in the names of resources."""
    if "//" in path:  # from clients that join an address ending in a slash and a path beginning with one
        path = _SLASHES.sub("/", path)
    if base_path and (path == base_path or path.startswith(base_path + "/")):
        path = path[len(base_path) :] or "/"
    if len(path) > 1 and path.endswith("/"):
        path = path[:-1]
    if not path.startswith(_API):
        return path
    parts = path[len(_API) :].split("/")
    if parts[:2] == ["budgets", "limits"]:
        parts[:2] = ["budget_limits"]
    name = parts[0].replace("-", "_")
    parts[0] = _ALIASES.get(name, name)
    if len(parts) > 2:
        parts[2] = parts[2].replace("-", "_")
    return _API + "/".join(parts)


_remembered = lru_cache(maxsize=1024)(_canonical)
# Longer than any of our addresses: paths that strangers invent must not fill the cache.
_REMEMBERED_MAX = 100


def _add_headers(headers: Any, added: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    said = dict(headers)
    if _UNLESS_SAID.isdisjoint(said):
        return [*headers, *added, *UNLESS_SAID]
    return [*headers, *added, *[one for one in UNLESS_SAID if one[0] not in said]]


_UNLESS_SAID = frozenset(dict(UNLESS_SAID))
