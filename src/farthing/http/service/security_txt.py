"""Serves `/.well-known/security.txt` (RFC 9116), which says where to report a vulnerability, if that is configured."""

from datetime import timedelta

from starlette.routing import Route as Address
from starlette.types import Receive, Scope, Send

from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings

from ..answer import problems
from ..answer.reply import Reply, make_reply, send_reply
from .health import METHODS

PATH = "/.well-known/security.txt"
# The file must expire in less than a year; whoever needs it later downloads it again.
_VALID_FOR = timedelta(days=180)


def addresses(settings: Settings, clock: Clock) -> list[Address]:
    """Returns no address if no contact is configured, so that the path answers 404."""
    contact = settings.security_contact
    return [Address(PATH, SecurityText(contact, settings.base_url, clock))] if contact else []


class SecurityText:
    def __init__(self, contact: str, base_url: str | None, clock: Clock) -> None:
        self._contact = contact
        self._base_url = base_url
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- ASGI's signature
        method = scope["method"]
        reply = self._reply() if method in METHODS else make_reply(problems.wrong_method(METHODS))
        await send_reply(reply, send, head=method == "HEAD")

    def _reply(self) -> Reply:
        lines = [f"Contact: {self._contact}", f"Expires: {stamp(self._clock.now() + _VALID_FOR)}"]
        if self._base_url:
            lines.append(f"Canonical: {self._base_url}{PATH}")
        body = "".join(f"{line}\n" for line in lines).encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
        return Reply(200, headers, body)
