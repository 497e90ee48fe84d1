"""What happens to every request before and after its handler? An id, an address, headers, a line in the log."""

import ipaddress
import logging
import re
import secrets
import time
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .. import log
from ..config import Settings
from ..watch.meter import Meter
from .directory import TEMPLATE
from .problems import crash
from .reply import encoded, send_reply

_LOG = logging.getLogger("farthing.request")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_API = "/api/v1/"
_ALIASES = {"attachment": "attachments"}

_SAFE = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
]
_CLOSED = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_FRESH = (b"cache-control", b"private, no-cache")


class Edge:
    def __init__(self, app: ASGIApp, settings: Settings, meter: Meter) -> None:
        self._app = app
        self._meter = meter
        self._base_url = settings.base_url
        self._base_path = urlsplit(settings.base_url or "").path.rstrip("/")
        self._trusts = _trust(settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = _request_id(headers)
        state: MutableMapping[str, Any] = scope.setdefault("state", {})
        state["request_id"] = request_id
        state["base"] = self._base(scope, headers)
        scope["path"] = _canonical(scope["path"], self._base_path)
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _dressed(message["headers"], request_id)
            await send(message)

        try:
            await self._app(scope, receive, send_on)
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
        log.tell(_LOG, "%s %s %s", (method, path, status), facts)

    def _base(self, scope: Scope, headers: dict[bytes, bytes]) -> str:
        """The public address: as configured, else as asked; forwarded headers count only from trusted proxies."""
        if self._base_url:
            return self._base_url
        scheme, host, prefix = scope["scheme"], headers.get(b"host", b"").decode("latin-1"), ""
        if self._trusts and self._is_trusted(scope):
            scheme = _first(headers, b"x-forwarded-proto") or scheme
            host = _first(headers, b"x-forwarded-host") or host
            prefix = _first(headers, b"x-forwarded-prefix").rstrip("/")
        if not host:
            address, port = scope.get("server") or ("127.0.0.1", 8000)
            host = f"{address}:{port}"
        return f"{scheme}://{host}{prefix}"

    def _is_trusted(self, scope: Scope) -> bool:
        if self._trusts == "*":
            return True
        try:
            client = ipaddress.ip_address((scope.get("client") or ("", 0))[0])
        except ValueError:
            return False
        return any(client in network for network in self._trusts)


def _trust(proxies: tuple[str, ...]) -> Any:
    if "*" in proxies:
        return "*"
    return [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]


def _first(headers: dict[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1").split(",")[0].strip()


def _request_id(headers: dict[bytes, bytes]) -> str:
    given = headers.get(b"x-request-id")
    if given and _REQUEST_ID.fullmatch(text := given.decode("latin-1")):
        return text
    return secrets.token_hex(8)


def _canonical(path: str, base_path: str) -> str:
    """One spelling per address: no base path, no closing slash, underscores in the names of resources."""
    if base_path and (path == base_path or path.startswith(base_path + "/")):
        path = path[len(base_path) :] or "/"
    if len(path) > 1 and path.endswith("/"):
        path = path[:-1]
    if not path.startswith(_API):
        return path
    parts = path[len(_API) :].split("/")
    if parts[:2] == ["budgets", "limits"]:
        parts[:2] = ["budget_limits"]
    parts[0] = _ALIASES.get(parts[0], parts[0].replace("-", "_"))
    if len(parts) > 2:
        parts[2] = parts[2].replace("-", "_")
    return _API + "/".join(parts)


def _dressed(headers: Any, request_id: str) -> list[tuple[bytes, bytes]]:
    dressed = [*headers, *_SAFE, (b"x-request-id", request_id.encode())]
    names = {name for name, _ in headers}
    return dressed + [one for one in (_CLOSED, _FRESH) if one[0] not in names]
