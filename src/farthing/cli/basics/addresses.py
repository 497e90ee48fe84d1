"""Builds the links that commands print.

Codes follow the `#`: browsers never send that part, so no proxy or log sees them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from farthing.kernel.config import Settings

HOST, PORT = "127.0.0.1", 8000
# Maps addresses that mean all interfaces to the address to open in a browser.
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}  # noqa: S104 -- not bound, only read


def public(settings: Settings, host: str | None, port: int | None) -> str:
    """Returns the address of the web app. If the host or the port is omitted, it is that of the running server."""
    if not settings.base_url and (host is None or port is None):
        from farthing.care.watch import presence

        served = presence.find_address(settings.data) or presence.ServedAddress(host=HOST, port=PORT)
        host, port = host or served.host, port or served.port
    host = host or HOST
    name = _EVERYWHERE.get(host) or (f"[{host.strip('[]')}]" if ":" in host else host)
    return settings.base_url or f"http://{name}:{port}"


def first_run(address: str, code: str) -> str:
    return f"{address}/#/first-run?code={code}"


def invitation(address: str, code: str) -> str:
    return f"{address}/#/invitation?code={code}"


def sign_in(address: str, code: str) -> str:
    return f"{address}/#/sign-in?code={code}"
