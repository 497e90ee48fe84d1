"""Where is Farthing, for whoever reads the terminal? The links that commands print.

Codes stand behind the `#`: a browser never sends that part, so no proxy or log on the way gets to see them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..config import Settings

# Addresses to listen on that mean all of this machine's; one opens it here.
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}  # noqa: S104 -- not bound, only read


def public(settings: Settings, host: str, port: int) -> str:
    shown = _EVERYWHERE.get(host) or (f"[{host}]" if ":" in host else host)
    return settings.base_url or f"http://{shown}:{port}"


def first_run(address: str, code: str) -> str:
    return f"{address}/#/first-run?code={code}"


def sign_in(address: str, code: str) -> str:
    return f"{address}/#/sign-in?code={code}"
