"""What happens to every request before and after its handler? An id, an address, headers, a line in the log."""

import logging
import os
import re
import time
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .. import log
from ..config import Settings
from ..watch.meter import Meter
from .asked import Asked
from .cors import Cors
from .directory import TEMPLATE
from .headers import ALWAYS, OVER_TLS, UNLESS_SAID
from .problems import crash
from .proxies import Proxies
from .reply import encoded, send_reply

_LOG = logging.getLogger("farthing.request")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_API = "/api/v1/"
# Where links of objects lead, and what clients made of them.
_ALIASES = {"attachment": "attachments", "recurring": "recurrences", "transaction_currencies": "currencies"}
_SLASHES = re.compile("/{2,}")


class Edge:
    def __init__(self, app: ASGIApp, settings: Settings, meter: Meter) -> None:
        self._app = app
        self._meter = meter
        self._base_url = settings.base_url
        self._base_path = urlsplit(settings.base_url or "").path.rstrip("/")
        self._proxies = Proxies(settings.trusted_proxies)
        self._cors = Cors(settings.cors_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = _request_id(headers)
        state: MutableMapping[str, Any] = scope.setdefault("state", {})
        state["request_id"], state["headers"] = request_id, headers
        base = state["base"] = self._base(scope, headers)
        scope["path"] = _canonical(scope["path"], self._base_path)
        added = self._added(base, headers, request_id)
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _dressed(message["headers"], added)
            await send(message)

        preflight = self._cors.preflight(scope["method"], headers) if self._cors.is_on else None
        try:
            await (send_reply(preflight, send_on) if preflight else self._app(scope, receive, send_on))
        except Exception:
            _LOG.exception("unexpected error", extra={"request_id": request_id})
            if not status:
                await send_reply(encoded(crash(request_id)), send_on)
        finally:
            self._note(scope, status, time.perf_counter() - began, request_id)

    def _note(self, scope: Scope, status: int, seconds: float, request_id: str) -> None:
        method, path = scope["method"], scope["path"]
        self._meter.count(method, scope.get(TEMPLATE, path), status, seconds)
        facts = {
            "request_id": request_id,
            "method": method,
            "path": path,
            "status": status,
            "ms": round(seconds * 1000, 2),
            "user_id": scope["state"].get("user_id"),
        }
        log.tell(_LOG, f"{method} {path} {status}", facts)

    def _base(self, scope: Scope, headers: dict[bytes, bytes]) -> str:
        """The public address: as configured, else as asked; forwarded headers count only from trusted proxies."""
        if self._base_url:
            return self._base_url
        asked = Asked(scope["scheme"], headers.get(b"host", b"").decode("latin-1"))
        if self._proxies.trusts(scope):
            names = (b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-prefix")
            asked = asked.as_forwarded(*(_first(headers, name) for name in names))
        return asked.base(scope.get("server"))

    def _added(self, base: str, headers: dict[bytes, bytes], request_id: str) -> list[tuple[bytes, bytes]]:
        added = [*(OVER_TLS if base.startswith("https:") else ALWAYS), (b"x-request-id", request_id.encode())]
        return added + self._cors.headers(headers) if self._cors.is_on else added


def _first(headers: dict[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1").split(",")[0].strip()


def _request_id(headers: dict[bytes, bytes]) -> str:
    given = headers.get(b"x-request-id")
    if given and _REQUEST_ID.fullmatch(text := given.decode("latin-1")):
        return text
    return os.urandom(8).hex()


def _canonical(path: str, base_path: str) -> str:
    """One spelling per address: no base path, no closing slash, none twice, underscores in the names of resources."""
    if "//" in path:  # where a client joins our address, with a slash at its end, and a path that begins with one
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


def _dressed(headers: Any, added: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    said = dict(headers)
    return [*headers, *added, *[one for one in UNLESS_SAID if one[0] not in said]]
