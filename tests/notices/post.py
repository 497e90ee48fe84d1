"""A real mail server, in this process, that keeps what it gets and can be told to refuse it."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword

USER, PASSWORD = "farthing@example.org", "s3cret/@:"


class PostOffice:
    """`answers` are given to the next messages instead of accepting them."""

    def __init__(self) -> None:
        self.port = 0
        self.messages: list[EmailMessage] = []
        self.answers: list[str] = []
        self.logins: list[tuple[str, str]] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        if self.answers:
            return self.answers.pop(0)
        content = envelope.content
        assert isinstance(content, bytes)
        message = message_from_bytes(content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any
    ) -> str:
        if address.startswith("nobody@"):
            return "550 There is nobody here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def check(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, login: Any) -> AuthResult:
        assert isinstance(login, LoginPassword)
        self.logins.append((login.login.decode(), login.password.decode()))
        return AuthResult(success=self.logins[-1] == (USER, PASSWORD), handled=False)


@contextmanager
def open_office(context: ssl.SSLContext | None = None, *, tls: bool = False) -> Iterator[PostOffice]:
    """With a context, demands STARTTLS, or TLS from the start, and a password."""
    office, loop = PostOffice(), asyncio.new_event_loop()
    demands: dict[str, Any] = {}
    if context:
        demands = {"authenticator": office.check, "auth_required": not tls, "auth_require_tls": not tls}
        demands |= {} if tls else {"tls_context": context, "require_starttls": True}

    def serve() -> SMTP:
        return SMTP(office, loop=loop, hostname="localhost", **demands)

    async def begin() -> asyncio.Server:
        return await loop.create_server(serve, "127.0.0.1", 0, ssl=context if tls else None)

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(begin(), loop).result()
    office.port = server.sockets[0].getsockname()[1]
    try:
        yield office
    finally:
        asyncio.run_coroutine_threadsafe(_close(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _close(server: asyncio.Server) -> None:
    """Ends what clients have left open, too, so that nothing is found later that nobody has closed."""
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
