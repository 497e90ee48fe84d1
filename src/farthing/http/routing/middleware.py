"""Handles every request before and after its endpoint: its id, the public address, headers and a line in the log."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, MutableMapping
from datetime import timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farthing.identity.user import ApiVersion
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

from ..answer.headers import ALWAYS, DEFAULTS, OVER_TLS, Cors, choose_request_id
from ..answer.problems import STATUSES, answer_to, crash, not_ready
from ..answer.reply import Reply, make_reply, send_reply
from ..events.endpoint import ANSWERED_AT
from ..request.proxies import Peer, Proxies
from ..request.public_address import API, HOST_MAX, PublicAddress
from .allowed_hosts import AllowedHosts
from .api_versions import PREFIX, VersionChooser
from .path_router import ENCODED_SLASH, TEMPLATE

_LOG = logging.getLogger("farthing.request")
# Counts a request by method, path, status and seconds.
Count = Callable[[str, str, int, float], None]
# Receives the address of a proxy that is not trusted.
NoteProxy = Callable[[str], None]
_STOPPING = "The server is stopping and could not finish this request in time. Try again."
# The parser of content types takes quadratic time.
_CONTENT_TYPE_BYTES_MAX = 1024
# Refusals that strangers can cause. Only the log lines of these refusals contain the client's address, so that an
# operator can block it.
_LOGGED_WITH_ADDRESS = frozenset(
    STATUSES[error] for error in (Malformed, Misdirected, TooLarge, TooMany, TooSlow, Unauthenticated)
)
_WITH_BODY = ("POST", "PUT", "PATCH")
# Any other word, such as `utf-8`, was sent by mistake and is ignored.
_COMPRESSIONS = (b"gzip", b"deflate", b"br", b"zstd", b"compress")


def _ignore(_address: str) -> None:
    pass


class _AnsweredRequest(Struct):
    """Holds a request that is still to be logged and counted."""

    began: float
    ended: float
    scope: Scope
    peer: Peer
    status: int
    request_id: str


class Middleware:
    """Wraps the app. It never lets an exception through to the server."""

    def __init__(
        self, app: ASGIApp, settings: Settings, count: Count, hosts: AllowedHosts, note_proxy: NoteProxy = _ignore
    ) -> None:
        self._app = app
        self._count = count
        self._hosts = hosts
        self._note_proxy = note_proxy
        self._base_url = settings.base_url
        self._versions = VersionChooser(settings)
        self._proxies = Proxies(settings.trusted_proxies, settings.remote_user_header)
        self._cors = Cors(settings.cors_origins)
        self._answered: list[_AnsweredRequest] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = choose_request_id(headers)
        peer = self._proxies.identify(scope, headers)
        self._locate(scope, headers, peer)
        state: MutableMapping[str, Any] = scope["state"]
        state.update(request_id=request_id, headers=headers, peer=peer)
        if peer.is_unknown_proxy:
            self._note_proxy(peer.address)
        added = [*(OVER_TLS if state["base"].startswith("https:") else ALWAYS), (b"x-request-id", request_id.encode())]
        added += self._cors.headers(headers) if self._cors.is_on else []
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _add_headers(message["headers"], added)
            await send(message)

        try:
            reply = self._answer_at_once(scope, headers, peer)
            await (send_reply(reply, send_on) if reply else self._app(scope, receive, send_on))
        except asyncio.CancelledError:
            # The server is stopping, and this request took too long. If the exception were raised again, uvicorn would
            # log an error.
            if not status:
                await send_reply(make_reply(not_ready(_STOPPING), state=state), send_on)
        except Exception:
            _LOG.exception("unexpected error", extra={"request_id": request_id})
            if not status:
                await send_reply(make_reply(crash(request_id), state=state), send_on)
        finally:
            if not self._answered:
                asyncio.get_running_loop().call_soon(self._log_answered)
            ended = state.get(ANSWERED_AT) or time.perf_counter()
            self._answered.append(_AnsweredRequest(began, ended, scope, peer, status, request_id))

    def _locate(self, scope: Scope, headers: dict[bytes, bytes], peer: Peer) -> None:
        """Finds the version and the path, and stores them in the scope with the public addresses: `base` begins the
        links of the API, and `root` those of the web app."""
        v6_host = self._versions.is_v6_host(headers)
        location = self._versions.locate(_read_path(scope), headers, v6_host=v6_host)
        base = self._choose_base(scope, headers, peer, v6_host=v6_host)
        scope["path"] = location.path
        scope.setdefault("state", {}).update(
            api_version=location.version,
            base=base + location.prefix,
            root=self._base_url or base if v6_host else base,
        )

    def _answer_at_once(self, scope: Scope, headers: dict[bytes, bytes], peer: Peer) -> Reply | None:
        """Returns the reply to a request that is refused or needs no endpoint, and None for all other requests."""
        try:
            self._hosts.refuse_others(scope, headers, peer)
            self._proxies.refuse_forged_user(peer)  # at every address, not only where the name is used
            if len(headers.get(b"content-type", b"")) > _CONTENT_TYPE_BYTES_MAX:
                raise UnknownBodyType(f"The Content-Type may not be longer than {_CONTENT_TYPE_BYTES_MAX} bytes.")
            encoding = headers.get(b"content-encoding", b"").lower()
            if encoding and scope["method"] in _WITH_BODY and any(word in encoding for word in _COMPRESSIONS):
                raise UnknownBodyType("Send the body uncompressed, without Content-Encoding.")
        except FarthingError as error:
            return make_reply(answer_to(error), state=scope["state"])
        return self._cors.preflight(scope["method"], headers) if self._cors.is_on else None

    def _log_answered(self) -> None:
        """Logs the requests that ended in one turn of the event loop together, which is faster than one by one."""
        answered, self._answered = self._answered, []
        now, reading = wall_clock(), time.perf_counter()
        lines = []
        for request in answered:
            scope, status, seconds = request.scope, request.status, request.ended - request.began
            method = scope["method"]
            path = scope["path"] if scope["state"]["api_version"] is ApiVersion.V1 else f"{PREFIX}{scope['path']}"
            self._count(method, scope.get(TEMPLATE, path), status, seconds)
            extra = {
                "request_id": request.request_id,
                "method": method,
                "path": path,
                "status": status,
                "ms": round(seconds * 1000, 2),
                "user_id": scope["state"].get("user_id"),
            }
            if status in _LOGGED_WITH_ADDRESS:
                extra["address"] = request.peer.client
            at = now - timedelta(seconds=reading - request.ended)
            lines.append(log.LogLine(at=at, message=f"{method} {path} {status}", extra=extra))
        log.write_lines(_LOG, lines)

    def _choose_base(self, scope: Scope, headers: dict[bytes, bytes], peer: Peer, *, v6_host: bool) -> str:
        """Returns the public address. It is the configured one, or else the one that a trusted proxy forwards, or else
        the one that was requested."""
        if v6_host:
            return self._versions.v6_url or ""
        if self._base_url:
            return self._base_url
        scheme, host = scope["scheme"], headers.get(b"host", b"")
        if not peer.is_trusted_proxy:
            return _requested_base(scheme, host[:HOST_MAX], tuple(scope.get("server") or ()))
        names = (b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-prefix")
        forwarded = (_first(headers, name) for name in names)
        return PublicAddress(scheme, host.decode("latin-1")).apply_forwarded(*forwarded).base(scope.get("server"))


@lru_cache(maxsize=64)
def _requested_base(scheme: str, host: bytes, server: tuple[Any, ...]) -> str:
    return PublicAddress(scheme, host.decode("latin-1")).base(server)


def _first(headers: dict[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1").split(",")[0].strip()


def _add_headers(headers: Any, added: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    names = dict(headers)
    if _DEFAULT_NAMES.isdisjoint(names):
        return [*headers, *added, *DEFAULTS]
    return [*headers, *added, *[header for header in DEFAULTS if header[0] not in names]]


_DEFAULT_NAMES = frozenset(dict(DEFAULTS))


def _read_path(scope: Scope) -> str:
    """Returns the path. Below the API, a slash that was sent as `%2F` belongs to a name and separates nothing."""
    path, raw = str(scope["path"]), scope.get("raw_path") or b""
    if b"%2" not in raw or f"{API}/" not in path:
        return path
    return ENCODED_SLASH.join(map(unquote, re.split("%2[Ff]", raw.decode("latin-1"))))
