"""Sends e-mail through the server that the settings name."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from ..settings.parsing import MAIL_PORTS

_TIMEOUT_S = 20.0


class NotSent(Exception):
    """Says why a message was not sent. If it is `final`, there is no use in trying again."""

    def __init__(self, why: str, *, final: bool = False) -> None:
        super().__init__(why)
        self.final = final


class MailServer(Struct, frozen=True):
    """Describes the server. `smtp` demands STARTTLS, `smtps` uses TLS from the start, and `smtp+plain` neither."""

    scheme: str
    host: str
    port: int
    user: str
    password: str

    @classmethod
    def of(cls, url: str) -> "MailServer":
        parts = urlsplit(url)
        return cls(
            scheme=parts.scheme,
            host=parts.hostname or "",
            port=parts.port or MAIL_PORTS[parts.scheme],
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )


def send(server: MailServer, message: EmailMessage) -> None:
    """Sends a message. Raises NotSent, whose text contains neither the user nor the password."""
    try:
        with _connect(server) as smtp:
            smtp.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        raise NotSent(f"The mail server refused the recipient: {_show(code, text)}", final=code >= 500) from None
    except smtplib.SMTPAuthenticationError as error:
        raise NotSent(f"The mail server refused the password: {error.smtp_code}.") from None
    except smtplib.SMTPResponseException as error:
        raise NotSent(f"The mail server answered {_show(error.smtp_code, error.smtp_error)}") from None
    except (smtplib.SMTPException, OSError) as error:
        raise NotSent(f"The mail server cannot be used: {error}") from None


@contextmanager
def _connect(server: MailServer) -> Iterator[smtplib.SMTP]:
    context = ssl.create_default_context()
    at = server.host, server.port
    smtp = (
        smtplib.SMTP_SSL(*at, timeout=_TIMEOUT_S, context=context)
        if server.scheme == "smtps"
        else smtplib.SMTP(*at, timeout=_TIMEOUT_S)
    )
    with smtp:
        if server.scheme == "smtp":
            smtp.starttls(context=context)
        if server.user:
            smtp.login(server.user, server.password)
        yield smtp


def _show(code: int, text: bytes | str) -> str:
    return f"{code} {text.decode(errors='replace') if isinstance(text, bytes) else text}"[:300]
